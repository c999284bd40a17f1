package import SDJSON

/// The reason why a request for a resource failed.
package enum ResourceFailure: Error {
    /// This thread has no time for it.
    case late
    /// The collection cannot be served; the reason as a clause.
    case unavailable(String)
    /// The request is refused.
    case refused(ResourceReply)
}

/// The answer to a request for a resource.
package struct ResourceReply: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8] = []

    /// A reason for a refusal, with its pointer in the request's body.
    package struct Fault: Sendable {
        package let pointer: JSONPointer
        package let reason: String
    }

    package static func json(_ status: Int, _ body: [UInt8]) -> ResourceReply {
        ResourceReply(status: status, headers: [("Content-Type", "application/json")], body: body)
    }

    /// A refusal by RFC 9457, with the errors of the body as `errors`.
    package static func problem(_ status: Int, _ title: String, _ detail: String, _ faults: [Fault] = [])
        -> ResourceReply
    {
        var document: JSONObject = [
            "status": .number(JSONNumber(status)), "title": .string(title), "detail": .string(detail),
        ]
        if !faults.isEmpty {
            document["errors"] = .array(
                faults.map { ["pointer": .string($0.pointer.text), "reason": .string($0.reason)] })
        }
        return ResourceReply(
            status: status, headers: [("Content-Type", "application/problem+json")],
            body: JSONValue.object(document).compactBytes)
    }
}

extension ResourceFailure {
    package static func refused(
        _ status: Int, _ title: String, _ detail: String, _ faults: [ResourceReply.Fault] = []
    ) -> ResourceFailure {
        .refused(.problem(status, title, detail, faults))
    }

    package static func noRecord(_ key: String, in name: String) -> ResourceFailure {
        .refused(404, "Not Found", "there is no record \(key) in \(name)")
    }
}
