import SDBasics
public import SDJSON
import SDShorthand
public import SDStubModel

extension StubFile {
    /// Reads a file with one message stub, or `{"messageMappings": […]}`. Of two stubs with the same priority, the
    /// later one wins.
    /// - Parameter idSeed: replaces `path` in the ids of stubs without one.
    public static func readMessages(
        _ bytes: [UInt8], format: Format, path: String, idSeed: String? = nil
    ) -> ParsedStubFile {
        var file = ParsedStubFile(path: path, format: format) { bytes }
        var outline = DocumentOutline()
        let document: JSONValue
        do throws(FileDiagnostic) {
            document = try file.document(&outline)
        } catch {
            file.diagnostics = [error]
            return file
        }
        if let key = document.objectValue?.keys.first(where: { Self.isOfRequests($0, in: document) }) {
            file.diagnostics = file.diagnostics(ofDocument: [
                ModelProblem(
                    pointer: JSONPointer([key]), isAboutName: true, message: "no part of a message stub",
                    expected: "stubs of requests and routes outside of message-mappings/, such as below mappings/")
            ])
            return file
        }
        var reader = ModelReader(idSeed: idSeed ?? path, warns: true)
        if document["messageMappings"] != nil {
            file.readCollection(document, &reader)
        } else {
            let known = reader.problems.count
            let stub = MessageStub.read(document, &reader)
            if reader.problems.count == known { file.add(stub, at: .root) }
        }
        let map = file.map(of: (reader.problems + reader.warnings).map(\.place))
        let errors = reader.problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
        let warnings = reader.warnings.map { FileDiagnostic($0, severity: .warning, file: path, map) }
        file.diagnostics = (file.diagnostics + errors + warnings).inFileOrder
        return file
    }
}

extension StubFile {
    /// Whether a document with this member contains request stubs.
    private static func isOfRequests(_ key: String, in document: JSONValue) -> Bool {
        ["request", "response", "mappings"].contains(key) || isOfRoutes(document) && key.contains(text: " /")
    }
}

extension ParsedStubFile {
    /// Adds problems of message stubs; a problem shared by several is reported once.
    public mutating func add(ofMessages problems: [ModelProblem]) {
        var told: [ModelProblem] = []
        for problem in problems
        where !told.contains(where: { $0.place == problem.place && $0.message == problem.message }) {
            told.append(problem)
        }
        add(told)
    }

    /// The warnings, with pointers into the file.
    public func warnings(_ found: [ModelProblem], inMessageStubAt index: Int) -> [ModelProblem] {
        found.map { warning in
            var placed = warning
            let (place, isName) = messageOrigins[index].place(of: warning.pointer)
            placed.pointer = place
            placed.place = place
            placed.isAboutName = isName
            return placed
        }
    }

    /// The problems of a message stub, with pointers into the file.
    public func problems(
        _ found: [(pointer: String, message: String)], inMessageStubAt index: Int
    ) -> [ModelProblem] {
        found.map { problem in
            let (place, isName) = messageOrigins[index].place(of: JSONPointer(text: problem.pointer) ?? .root)
            return ModelProblem(pointer: place, isAboutName: isName, message: problem.message)
        }
    }

    fileprivate mutating func add(_ stub: MessageStub, at place: JSONPointer) {
        messageStubs.append(stub)
        messageOrigins.append(MessageOrigin(place: place))
    }

    fileprivate mutating func readCollection(_ document: JSONValue, _ reader: inout ModelReader) {
        let names = ["$schema", "messageMappings", "meta"]
        for name in document.objectValue?.keys ?? [] where !names.contains(name) {
            reader.reportUnknownKey(name, valid: names)
        }
        reader.within("messageMappings") { reader in
            let list = document["messageMappings"] ?? .null
            // Null would silently remove the message stubs loaded before.
            if list == .null { reader.refuse("no list of message stubs", expected: "a list", found: "null") }
            guard let elements = reader.array(list, elementOf: "MessageStubMapping") else { return }
            for (index, element) in elements.enumerated() {
                let known = reader.problems.count
                let stub = reader.within(String(index)) { MessageStub.read(element, &$0) }
                if reader.problems.count == known {
                    add(stub, at: JSONPointer(["messageMappings", String(index)]))
                }
            }
        }
    }
}
