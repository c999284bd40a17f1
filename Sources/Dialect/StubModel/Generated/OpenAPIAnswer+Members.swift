// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// The answer of an operation in an OpenAPI document, from its examples or generated from its schemas. An addition to
/// WireMock's responses.
public struct OpenAPIAnswer: Sendable, Hashable {
    /// Its `operationId`, or its method and path: `GET /pets/{petId}`.
    public var operation: String = ""
    /// The name of the document, such as the file's path in the folder; needed only if several documents have the
    /// operation.
    public var document: String?
    /// The status; by default the lowest success status.
    public var code: Int?
    /// The name of the example.
    public var example: String?
    /// The source of the body: `examples`, the default, or `made`.
    public var answers: Source?

    init() {}

    /// Makes one of these.
    public init(_ operation: String, document: String? = nil, code: Int? = nil, example: String? = nil, answers: Source? = nil) {
        self.operation = operation
        self.document = document
        self.code = code
        self.example = example
        self.answers = answers
    }
}

extension OpenAPIAnswer {
    package static var names: [String] { DialectNames.contractAnswer }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.contractAnswer, otherNames: DialectNames.contractAnswerAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: operation = reader.name(value, of: "an operation") ?? ""
        case 1: document = reader.string(value)
        case 2: code = reader.wholeNumber(value, in: 100...599, "a status")
        case 3: example = reader.string(value)
        case 4: answers = reader.choice(value, "a source of answers")
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["operation"] = operation.json
        object["document"] = document?.json
        object["code"] = code?.json
        object["example"] = example?.json
        object["answers"] = answers?.json
        return object
    }
}
