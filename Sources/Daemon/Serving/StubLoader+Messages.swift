import SDChannels
import SDFolders
import SDJSON
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDStubs

extension StubLoader {
    /// Reads a file of message stubs. A file with errors has none, unless the daemon keeps going.
    func loadMessages(_ file: FolderFile, _ format: StubFile.Format) -> LoadedFile {
        var parsed = StubFile.readMessages(file.bytes, format: format, path: file.path, idSeed: file.relativePath)
        let stubs = compileMessages(of: &parsed, file.relativePath)
        let hasErrors = parsed.diagnostics.contains { $0.severity == .error }
        return LoadedFile(
            name: file.relativePath, identity: file.identity, parsed: parsed, warnings: [],
            ids: stubs.map(\.stub.id), stubs: PreparedStubs(), hasErrors: hasErrors,
            messages: hasErrors && !keepsGoing ? nil : stubs, isOfNoBytes: file.bytes.isEmpty)
    }

    /// Compiles a file's message stubs; problems are added to the file's.
    func compileMessages(of parsed: inout ParsedStubFile, _ name: String) -> [CompiledMessageStub] {
        var stubs: [CompiledMessageStub] = []
        var problems: [ModelProblem] = []
        var warnings: [ModelProblem] = []
        for (index, (stub, line)) in zip(parsed.messageStubs, parsed.messageLines).enumerated() {
            let prepared = session.prepared(stub, of: name, line: line)
            problems += parsed.problems(prepared.problems, inMessageStubAt: index)
            guard let compiled = prepared.stub else { continue }
            stubs.append(compiled)
            warnings += parsed.warnings(session.warnings(about: stub), inMessageStubAt: index)
        }
        parsed.add(ofMessages: problems)
        parsed.add(warnings: warnings)
        return stubs
    }
}
