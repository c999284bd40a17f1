import SDAnswering
import SDJSON
import SDMockEngine
import SDStubModel

/// The body of `POST /__admin/gates/{gate}/release` and `…/fail`: which requests to release, and what to answer.
struct GateDocument: Sendable {
    private(set) var choice = GateChoice()
    /// The answer instead of the stubs'; nil for the stubs'.
    private(set) var response: ResponseDefinition?
    private(set) var fault = Fault.connectionResetByPeer

    private static let counts = 1...Int(Int32.max)

    /// Reads `{"count", "id", "response"}`.
    /// - Throws: all problems.
    static func release(_ json: JSONValue) throws(ModelProblems) -> GateDocument {
        try GateDocument(json, ["count", "id", "response"], such: #"{"count": 1, "response": {"status": 503}}"#)
    }

    /// Reads `{"count", "id", "fault"}`.
    /// - Throws: all problems.
    static func fail(_ json: JSONValue) throws(ModelProblems) -> GateDocument {
        try GateDocument(json, ["count", "id", "fault"], such: #"{"count": 1, "fault": "EMPTY_RESPONSE"}"#)
    }

    init() {}

    private init(_ json: JSONValue, _ names: [String], such example: String) throws(ModelProblems) {
        var reader = ModelReader()
        if let object = reader.document(json, such: example) {
            for member in object.members where reader.knows(member.key, of: names) && !member.value.isNull {
                reader.within(member.key) { read(member, &$0) }
            }
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        switch member.key {
        case "count": choice.count = reader.wholeNumber(member.value, in: Self.counts, "a number of requests")
        case "response": response = ResponseDefinition.read(member.value, &reader)
        case "fault": fault = reader.choice(member.value, "a fault") ?? fault
        default:
            choice.request = member.value.stringValue.flatMap { StubMapping.id(text: $0) }
            if choice.request == nil {
                reader.refuse(
                    "not the id of a request", expected: "an id of a waiting request",
                    found: member.value.shortDescription)
            }
        }
    }
}
