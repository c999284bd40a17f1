import SDAnswering
public import SDHTTPMessages
import SDJournal
import SDLinting
import SDRecords
import SDStubModel
import SDStubs
import Synchronization

/// Warnings about stubs whose body files are missing, so that their clients will get a 500.
extension Session {
    /// Warns about stubs that were added or edited by calls.
    func tellMissingBodyFiles(of mappings: [StubMapping]) {
        guard let trouble else { return }
        for mapping in mappings {
            let missing = BodyFileLint.startFindings(in: mapping, files: files)
            guard let message = missing.first?.warning.message else { continue }
            noteMissing(missing.map(\.name))
            let stub = state.withLock { $0.stubs.stub(mapping.id) }
            if let stub { trouble.warned(message, of: StubReference(stub)) }
        }
    }

    /// Records files that were reported as missing. A file is reported again only if it existed in between.
    func noteMissing(_ names: some Collection<String>) {
        if names.isEmpty { return }
        missingBodies.withLock { $0.formUnion(names) }
    }

    /// Whether a body file is newer than a change that was made before this server started and is replayed; false for
    /// all other changes.
    /// - Parameter time: the time of the change, in nanoseconds since 1970.
    package func isNewer(_ path: String, than time: UInt64) -> Bool {
        guard case .joining = shared.storePart, let file = try? files.read(path) else { return false }
        return UInt64(clamping: file.modified) > time
    }

    /// Removes a body file, and warns about the stubs that send it.
    /// - Throws: why the file cannot be removed.
    public func removeBodyFile(_ path: String) throws(BodyFileRefusal) {
        try bodies.remove(path)
        guard let trouble, let problem = files.problem(of: path),
            missingBodies.withLock({ $0.insert(path).inserted })
        else { return }
        let stubs = allStubs.lazy.filter { $0.sends(path) }.prefix(Self.maxTold)
        for stub in stubs { trouble.warned("its body file was removed: \(problem.reason)", of: StubReference(stub)) }
    }

    /// Checks all body files that stubs name; reports each one once when it is missing, and once when it is back.
    public func checkBodyFiles() {
        guard let trouble else { return }
        var users: [String: [CompiledStub]] = [:]
        for stub in allStubs where stub.sendsFile {
            for (_, name) in BodyFileLint.names(in: stub.mapping) { users[name, default: []].append(stub) }
        }
        var problems: [String: String] = [:]
        for name in users.keys { problems[name] = files.problem(of: name)?.reason }
        let known = missingBodies.withLock { known in
            defer { known = Set(problems.keys) }
            return known
        }
        func tell(_ names: [String], _ say: (String, StubReference) -> Void) {
            for name in names.sorted().prefix(Self.maxTold) {
                for stub in users[name, default: []].prefix(Self.maxTold) { say(name, StubReference(stub)) }
            }
        }
        let gone = problems.keys.filter { !known.contains($0) }
        tell(gone) { name, stub in
            trouble.warned("the body file is missing: \(problems[name] ?? "")", of: stub)
        }
        if gone.count > Self.maxTold {
            trouble.warned("\(gone.count - Self.maxTold) more body files named by stubs are missing")
        }
        tell(known.filter { users[$0] != nil && problems[$0] == nil }) { name, stub in
            trouble.noticed("the body file \(name) is back", of: stub)
        }
    }

    /// The largest number of stubs in a warning about one file, and of files reported at a time.
    private static var maxTold: Int { 10 }
}

extension CompiledStub {
    /// Whether any of its responses sends a body file.
    fileprivate var sendsFile: Bool {
        if let responses = lifecycle?.responses { return responses.stubs.contains { $0.response.filePath != nil } }
        return response.filePath != nil || resource?.declared.fileNames.isEmpty == false
    }

    fileprivate func sends(_ path: String) -> Bool {
        if let responses = lifecycle?.responses { return responses.stubs.contains { $0.response.filePath == path } }
        if lifecycle?.file != nil { return false }
        return response.filePath == path || resource?.declared.fileNames.contains(path) == true
    }
}
