public import SDJSON

/// A collection of records behind two paths, `/users` and `/users/{key}`, which a stub serves in place of a response.
/// An addition to WireMock's mappings: the field `resource`.
public struct ResourceDefinition: Sendable, Hashable {
    /// A document in the stub, or a file under `__files`.
    public enum Source: Sendable, Hashable {
        /// A document in the stub: an array of records, or an object of them by key.
        case document(InlineDocument)
        /// The path of a file under `__files`.
        case file(String)

        /// A document in the stub.
        public static func inline(_ json: JSONValue) -> Source { .document(InlineDocument(json)) }
    }

    /// The name of the collection, which the resources of one session share.
    public var name: String
    /// The path of the whole collection: `/users`, or `/users/{userId}/posts` for those of each user.
    public var path: String
    /// The field with a record's key; nil counts as `id`.
    public var givenKey: String?
    /// The records to begin with; nil for none, or for those that another resource of the collection declares.
    public var data: Source?
    /// The JSON Schema that records from clients must satisfy; nil for none.
    public var schema: Source?
    /// Whether the removal of a record also removes the records of other collections that belong to it; nil counts as
    /// false.
    public var cascade: Bool?
    /// Whether what requests change is written to the file of its data; nil counts as false.
    public var write: Bool?

    /// Makes a collection without records.
    public init(name: String, path: String) {
        self.name = name
        self.path = path
    }

    /// The field with a record's key.
    public var key: String { givenKey ?? "id" }
}

extension ResourceDefinition {
    package static let fieldNames = DialectNames.resource

    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ResourceDefinition? {
        guard case .object(let object) = value else {
            reader.refuse(
                "no resource", expected: "an object of \(fieldNames.joined(separator: ", "))",
                found: value.shortDescription)
            return nil
        }
        var resource = ResourceDefinition(name: "", path: "")
        for member in object.members where !member.value.isNull {
            guard fieldNames.contains(member.key) else {
                reader.within(member.key) { reader in
                    reader.refuse(
                        "unknown field \(quoted(member.key))", expected: "one of \(fieldNames.joined(separator: ", "))",
                        found: nil, suggestion: reader.nearest(member.key, fieldNames))
                }
                continue
            }
            reader.within(member.key) { resource.read(member, &$0) }
        }
        for name in ["name", "path"] where object[name] == nil {
            reader.refuse("a resource without its \(name)", expected: quoted(name), found: nil)
        }
        resource.checkWriting(&reader)
        return resource
    }

    /// Refuses what cannot be written: records without a file, and YAML, whose comments would be lost.
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

    /// Reads one of `fieldNames`.
    package mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        switch member.key {
        case "name":
            if let text = Self.text(member.value, "a name", &reader) { name = text }
        case "path":
            guard let text = Self.text(member.value, "a path", &reader) else { return }
            guard text.hasPrefix("/") else {
                reader.refuse("not a path", expected: "a path such as /users", found: member.value.shortDescription)
                return
            }
            path = text
        case "key": givenKey = Self.text(member.value, "the name of a field", &reader)
        case "data": data = Self.source(member.value, "a list of objects, or the name of a file under __files", &reader)
        case "cascade": cascade = reader.bool(member.value)
        case "write": write = reader.bool(member.value)
        default: schema = Self.source(member.value, "a JSON Schema, or the name of a file under __files", &reader)
        }
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

    var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "path": .string(path)]
        object["key"] = givenKey.map(JSONValue.string)
        object["data"] = data?.json
        object["schema"] = schema?.json
        object["cascade"] = cascade.map(JSONValue.bool)
        object["write"] = write.map(JSONValue.bool)
        return .object(object)
    }
}

extension ResourceDefinition.Source {
    /// The value as it is written in a mapping.
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
    /// The last segment of its path that is no variable; nil if there is none.
    package var nameInPath: String? {
        path.split(separator: "/").last { !$0.hasPrefix("{") }.map { String($0) }
    }
}
