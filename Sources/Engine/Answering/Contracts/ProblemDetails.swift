package import SDContracts
package import SDJSON
import SDStubModel

/// A problem as `application/problem+json` (RFC 9457).
package struct ProblemDetails: Sendable {
    package static let contentType = "application/problem+json"

    package var type = "about:blank"
    package var status: Int
    package var title: String
    package var detail: String
    package var violations: [Violation]
    /// The violations in the format of another mock server.
    package var validation: JSONValue?

    package init(status: Int, title: String? = nil, detail: String, violations: [Violation] = []) {
        self.status = status
        self.title = title ?? Self.title(of: status)
        self.detail = detail
        self.violations = violations
    }

    /// The URI of a problem type in Prism.
    package static func prismType(_ name: String) -> String { "https://stoplight.io/prism/errors#\(name)" }

    package var json: JSONValue {
        var object: JSONObject = [
            "type": .string(type), "title": .string(title), "status": .number(JSONNumber(status)),
            "detail": .string(detail),
        ]
        if !violations.isEmpty { object["violations"] = .array(violations.map(\.json)) }
        object["validation"] = validation
        return .object(object)
    }

    private static func title(of status: Int) -> String {
        switch status {
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 500: "Internal Server Error"
        default: "Bad Request"
        }
    }
}

extension Violation {
    /// The violation in the format for clients.
    package var json: JSONValue {
        var object: JSONObject = ["in": .string(location.rawValue)]
        object["name"] = name.map(JSONValue.string)
        if !pointer.tokens.isEmpty { object["pointer"] = .string(pointer.description) }
        object["keyword"] = keyword.map(JSONValue.string)
        object["message"] = .string(message)
        object["expected"] = expected.map(JSONValue.string)
        object["found"] = found.map(JSONValue.string)
        return .object(object)
    }

    /// The violation in one line, with what was expected and found.
    package var text: String { message }
}
