// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// An OpenAPI document that answers requests which match no route of the file.
public struct OpenAPISettings: Sendable {
    /// The file, in this folder or below.
    public var file: String = ""
    /// The path prefix of each operation, in place of the paths of its `servers`.
    public var prefix: String?
    /// The treatment of requests that violate the document: `off`, `warn` or `enforce`; by default the daemon's.
    public var validate: Check?
    /// The source of bodies: `examples`, or `made` from schemas; by default the daemon's.
    public var answers: OpenAPIAnswer.Source?
    /// The number of items in each generated list, if its schema allows that.
    public var items: Int?
    /// `true`: sends the requests in an operation's `callbacks`, to URLs given in requests.
    public var callbacks: Bool?

    init() {}
}

extension OpenAPISettings {
    package static var names: [String] { DialectNames.contractDocument }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{file: openapi.yaml, prefix: /v1}", isEmpty: false) else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["file"], in: object, "{file: openapi.yaml, prefix: /v1}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.contractDocument, otherNames: DialectNames.contractDocumentAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: file = Self.readFile(value, &reader)
        case 1: prefix = Self.readPrefix(value, &reader)
        case 2: validate = reader.choice(value, "a way to check requests")
        case 3: answers = reader.choice(value, "a source of answers")
        case 4: items = reader.wholeNumber(value, in: 0...1000, "a number of items")
        case 5: callbacks = reader.bool(value)
        default: break
        }
    }
}
