import SDBasics
import SDJSON
import SDStubModel

/// Makes the request body for an operation, with its media type; nil for none.
public typealias RequestBodies = (APIOperation) -> (type: String, bytes: [UInt8])?

/// The callbacks of an operation, as webhooks of its stub.
extension ServedDescription {
    /// The maximum number of callbacks of one operation.
    private static var maxCallbacks: Int { 20 }

    /// The listeners of an operation's stub; nil if it has no callbacks or they are disabled.
    func listeners(of operation: APIOperation, _ bodies: RequestBodies) -> JSONValue? {
        guard settings.callbacks == true else { return nil }
        let webhooks = operation.calls.flatMap { call in
            call.operations.map { Self.webhook($0, to: call.expression, bodies) }
        }
        return webhooks.isEmpty ? nil : .array(Array(webhooks.prefix(Self.maxCallbacks)))
    }

    private static func webhook(
        _ operation: APIOperation, to expression: String, _ bodies: RequestBodies
    ) -> JSONValue {
        var parameters: JSONObject = [
            "method": .string(operation.method), "url": .string(template(of: expression)),
        ]
        if let body = bodies(operation) {
            parameters["headers"] = ["Content-Type": .string(body.type)]
            // A text with double braces would be a template.
            if let text = String(validating: body.bytes, as: UTF8.self), !text.contains(text: "{{") {
                parameters["body"] = .string(text)
            } else {
                parameters["base64Body"] = .string(base64(body.bytes))
            }
        }
        return ["name": "webhook", "parameters": .object(parameters)]
    }

    /// The template for a URL with runtime expressions, such as `{$request.body#/url}/events`.
    private static func template(of expression: String) -> String {
        var template = ""
        var rest = expression[...]
        // A URL may consist of a single expression without braces.
        if rest.hasPrefix("$") { return helper(for: String(rest)) }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            template += rest[..<open]
            template += helper(for: String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return template + rest
    }

    /// The template helper for a runtime expression; empty for an invalid one.
    private static func helper(for expression: String) -> String {
        func value(_ source: String, _ message: String) -> String {
            let parts = source.split(separator: ".", maxSplits: 1).map(String.init)
            switch (parts.first ?? "", parts.count > 1 ? parts[1] : "") {
            case ("header", let name) where !name.isEmpty: return "{{\(message).headers.[\(plain(name))]}}"
            case ("query", let name) where !name.isEmpty: return "{{\(message).query.[\(plain(name))]}}"
            case ("path", let name) where !name.isEmpty: return "{{\(message).path.[\(plain(name))]}}"
            case (let body, _) where body.hasPrefix("body"):
                guard let hash = source.firstIndex(of: "#") else { return "{{{\(message).body}}}" }
                return "{{jsonPath \(message).body \"\(path(of: String(source[source.index(after: hash)...])))\"}}"
            default: return ""
            }
        }
        switch expression {
        case "$url": return "{{originalRequest.url}}"
        case "$method": return "{{originalRequest.method}}"
        case "$statusCode": return "{{originalResponse.status}}"
        case _ where expression.hasPrefix("$request."): return value(String(expression.dropFirst(9)), "originalRequest")
        case _ where expression.hasPrefix("$response."):
            return value(String(expression.dropFirst(10)), "originalResponse")
        default: return ""
        }
    }

    /// The JSONPath for a JSON pointer.
    private static func path(of pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reduce(into: "$") { path, token in
            let token = String(token).replacing(text: "~1", with: "/").replacing(text: "~0", with: "~")
            path += Int(token) == nil ? "['\(plain(token))']" : "[\(token)]"
        }
    }

    /// A name without characters that would end it.
    private static func plain(_ name: String) -> String { name.filter { !"\"'[]{}\\".contains($0) } }
}
