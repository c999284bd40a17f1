// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// A collection of records at two paths, /users and /users/{key}, served by a stub in place of a response. An addition
/// to WireMock's mappings.
public struct ResourceDefinition: Sendable, Hashable {
    /// The name of the collection, shared by the resources of a session.
    public var name: String = ""
    /// The path of the collection: /users, or /users/{userId}/posts for a collection per user.
    public var path: String = ""
    /// The field that holds a record's key; by default id.
    public var givenKey: String?
    /// The initial records, or the name of their file; by default none, or those of another resource of the collection.
    public var data: Source?
    /// The JSON Schema that records from clients must satisfy, or the name of its file.
    public var schema: Source?
    /// true: removing a record also removes dependent records of other collections.
    public var cascade: Bool?
    /// true: changes by requests are written back to the file in data.
    public var write: Bool?

    init() {}

    /// Makes one of these.
    public init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}

extension ResourceDefinition {
    package static var names: [String] { DialectNames.resource }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members where !member.value.isNull {
            guard let index = reader.indexOfField(of: member, in: DialectNames.resource) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: readName(value, &reader)
        case 1: readPath(value, &reader)
        case 2: givenKey = Self.readKey(value, &reader)
        case 3: data = Self.readData(value, &reader)
        case 4: schema = Self.readSchema(value, &reader)
        case 5: cascade = reader.bool(value)
        case 6: write = reader.bool(value)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.resource.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["name"] = name.json
        object["path"] = path.json
        object["key"] = givenKey?.json
        object["data"] = data?.json
        object["schema"] = schema?.json
        object["cascade"] = cascade?.json
        object["write"] = write?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
