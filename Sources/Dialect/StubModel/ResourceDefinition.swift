public import SDJSON

extension ResourceDefinition {
    /// A document in the stub, or a file under `__files`.
    public enum Source: Sendable, Hashable {
        /// A document in the stub: an array of records, or an object with the records by key.
        case document(InlineDocument)
        /// The path of a file under `__files`.
        case file(String)

        /// Makes the source of a document in the stub.
        public static func inline(_ json: JSONValue) -> Source { .document(InlineDocument(json)) }
    }

    /// The field that holds a record's key.
    public var key: String { givenKey ?? "id" }

    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ResourceDefinition? {
        guard case .object(let object) = value else {
            reader.refuse(
                "no resource", expected: "an object of \(names.joined(separator: ", "))",
                found: value.shortDescription)
            return nil
        }
        var resource = ResourceDefinition()
        resource.readMembers(of: object, &reader)
        for name in ["name", "path"] where object[name] == nil {
            reader.refuse("a resource without its \(name)", expected: quoted(name), found: nil)
        }
        resource.checkWriting(&reader)
        return resource
    }

    /// Reports records that cannot be written back: without a file, or in YAML, whose comments would be lost.
    package func checkWriting(_ reader: inout ModelReader) {
        guard write == true else { return }
        let name = data?.fileName
        if let name, !name.lowercased().hasSuffix(".yaml"), !name.lowercased().hasSuffix(".yml") { return }
        reader.within("write") {
            $0.refuse(
                name == nil ? "there is no file to write to" : "YAML is not written, since its comments would be lost",
                expected: "the name of a JSON or CSV file under \"data\"", found: name)
        }
    }

    mutating func readName(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = Self.text(value, "a name", &reader) { name = text }
    }

    package mutating func readPath(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let text = Self.text(value, "a path", &reader) else { return }
        guard text.hasPrefix("/") else {
            return reader.refuse("not a path", expected: "a path such as /users", found: value.shortDescription)
        }
        path = text
    }

    static func readKey(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        text(value, "the name of a field", &reader)
    }

    static func readData(_ value: JSONValue, _ reader: inout ModelReader) -> Source? {
        source(value, "a list of objects, or the name of a file under __files", &reader)
    }

    static func readSchema(_ value: JSONValue, _ reader: inout ModelReader) -> Source? {
        source(value, "a JSON Schema, or the name of a file under __files", &reader)
    }

    private static func text(_ value: JSONValue, _ what: String, _ reader: inout ModelReader) -> String? {
        guard let text = value.stringValue, !text.isEmpty else {
            reader.wantsText(value)
            reader.refuse("not \(what)", expected: "a text", found: value.shortDescription)
            return nil
        }
        return text
    }

    private static func source(_ value: JSONValue, _ what: String, _ reader: inout ModelReader) -> Source? {
        switch value {
        case .string(let name):
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard !name.isEmpty, !name.hasPrefix("/"), !parts.contains("..") else {
                reader.refuse(
                    "not a file name", expected: "a path below __files, without ..", found: value.shortDescription)
                return nil
            }
            return .file(name)
        case .array, .object, .bool: return .inline(value)
        default:
            reader.refuse("wrong type", expected: what, found: value.shortDescription)
            return nil
        }
    }
}

extension ResourceDefinition.Source {
    /// The value in a mapping.
    package var json: JSONValue {
        switch self {
        case .document(let document): document.json
        case .file(let name): .string(name)
        }
    }

    /// The path below `__files`; nil for a document in the stub.
    public var fileName: String? {
        if case .file(let name) = self { name } else { nil }
    }
}

extension ResourceDefinition {
    /// The last segment of its path that is not a variable; nil if there is none.
    package var nameInPath: String? {
        path.split(separator: "/").last { !$0.hasPrefix("{") }.map { String($0) }
    }
}

extension ModelReader {
    /// The index of a member in `names`; nil for any other, which is reported.
    mutating func indexOfField(of member: JSONObject.Member, in names: [String]) -> Int? {
        if let index = names.firstIndex(of: member.key) { return index }
        within(member.key) { reader in
            reader.refuse(
                "unknown field \(quoted(member.key))", expected: "one of \(names.joined(separator: ", "))", found: nil,
                suggestion: reader.nearest(member.key, names))
        }
        return nil
    }
}
