import SDJSON
import SDStubModel

/// The body of `POST /__admin/streams/{name}`: an event, or a list of them.
struct PushDocument: Sendable, Hashable {
    let contents: [StreamDefinition.Content]

    /// - Throws: all problems.
    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        var contents: [StreamDefinition.Content] = []
        if case .array(let elements) = json {
            if elements.isEmpty { reader.refuse("no events", expected: "at least one event", found: "an empty list") }
            contents = reader.elements(elements, StreamDefinition.Content.readPushed)
        } else if let content = StreamDefinition.Content.readPushed(json, &reader) {
            contents.append(content)
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self.contents = contents
    }
}

/// The body of `POST /__admin/streams/{name}/fail`: `{"fault": "EMPTY_RESPONSE"}`.
struct FaultDocument: Sendable, Hashable {
    private(set) var fault = Fault.connectionResetByPeer

    /// - Throws: all problems.
    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        if let object = reader.document(json, such: #"{"fault": "EMPTY_RESPONSE"}"#) {
            for member in object.members where reader.knows(member.key, of: ["fault"]) && !member.value.isNull {
                reader.within(member.key) { fault = $0.choice(member.value, "a fault") ?? fault }
            }
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }
}
