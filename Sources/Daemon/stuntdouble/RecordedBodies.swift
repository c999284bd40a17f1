import SDBasics
import SDFolders
import SDJSON
import SDRecording
import SDStubFiles
import SDStubModel

/// The bodies of recorded stubs, as files below `__files`. A small body that could not be written stays in its stub; a
/// stub with a larger one is left out.
struct RecordedBodies {
    private static let folderName = "__files"
    /// The maximum size of the bodies inside a stub, in bytes.
    private static let maxInStub = 1 << 20

    private let folder: RecordedFolder
    private let bytes: [String: [UInt8]]
    private var written: Set<String> = []
    private var missing: Set<String> = []

    init(_ files: [RecordedStubs.BodyFile], in folder: RecordedFolder) {
        self.folder = folder
        bytes = Dictionary(files.map { ($0.name, $0.bytes) }) { first, _ in first }
    }

    /// Writes all bodies, small ones first, in case the disk is full.
    mutating func write(_ report: inout RecordedFolder.Report) {
        for (name, _) in bytes.sorted(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) {
            write(name, &report)
        }
    }

    /// Writes the bodies of a stub.
    mutating func write(of stub: StubMapping, _ report: inout RecordedFolder.Report) {
        for name in stub.recordedFiles { write(name, &report) }
    }

    private mutating func write(_ name: String, _ report: inout RecordedFolder.Report) {
        guard let bytes = bytes[name], !written.contains(name), !missing.contains(name) else { return }
        let path = "\(Self.folderName)/\(name)"
        guard folder.read(path) != bytes else { return }
        if let failure = folder.write(path, bytes) {
            report.problems.append(failure.text)
            missing.insert(name)
        } else {
            written.insert(name)
        }
    }

    /// The stub with its unwritten bodies inside; nil if they are too large.
    func completed(_ stub: StubMapping, _ report: inout RecordedFolder.Report) -> StubMapping? {
        let names = stub.recordedFiles.filter(missing.contains)
        if names.isEmpty { return stub }
        guard names.reduce(0, { $0 + (bytes[$1]?.count ?? 0) }) <= Self.maxInStub else {
            report.problems.append("\(stub.title) is left out: its body could not be written")
            return nil
        }
        return stub.taking(bytes.filter { names.contains($0.key) })
    }

    /// The stubs by size, smallest first.
    func sorted(_ stubs: [StubMapping]) -> [StubMapping] {
        stubs.map { stub in
            let bodies = stub.recordedFiles.reduce(0) { $0 + (bytes[$1]?.count ?? 0) }
            return (stub, stub.json(view: .file).compactBytes.count + bodies)
        }.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
    }

    /// Removes the stubs' body files, except those that other stubs use too.
    mutating func remove(of stubs: [StubMapping], except others: [StubMapping]) {
        let names = Set(stubs.flatMap(\.recordedFiles)).intersection(written)
        for name in names.subtracting(others.flatMap(\.recordedFiles)) {
            try? BodyFiles(path: folder.path).remove("\(Self.folderName)/\(name)")
            written.remove(name)
        }
    }

    /// Adds the number of written bodies to the report.
    func tell(_ report: inout RecordedFolder.Report) {
        guard !written.isEmpty else { return }
        let path = "\(folder.path)/\(Self.folderName)"
        report.changes.append(
            RecordedFolder.Change(
                text: "Wrote \(written.count == 1 ? "1 body" : "\(written.count) bodies") to \(path)",
                json: [
                    "folder": .string(path), "result": "written", "bodies": .number(JSONNumber(written.count)),
                ]))
    }
}

extension StubMapping {
    /// The names of the body files of the request and the responses.
    fileprivate var recordedFiles: [String] {
        request.bodyPatterns.compactMap(\.fileName) + [response.bodyFileName].compactMap(\.self)
            + (responses?.entries.compactMap(\.response.bodyFileName) ?? [])
    }

    /// The stub with the bytes of these files inside.
    fileprivate func taking(_ files: [String: [UInt8]]) -> StubMapping {
        func taking(_ response: ResponseDefinition) -> ResponseDefinition {
            guard let bytes = response.bodyFileName.flatMap({ files[$0] }) else { return response }
            var response = response
            response.bodyFileName = nil
            response.base64Body = Base64.encode(bytes)
            return response
        }
        var stub = self
        stub.request.bodyPatterns = request.bodyPatterns.map { matcher in
            guard let bytes = matcher.fileName.flatMap({ files[$0] }) else { return matcher }
            return ValueMatcher(.binaryEqualTo, Base64.encode(bytes))
        }
        stub.response = taking(response)
        if var sequence = responses {
            for index in sequence.entries.indices {
                sequence.entries[index].response = taking(sequence.entries[index].response)
            }
            stub.responses = sequence
        }
        return stub
    }
}
