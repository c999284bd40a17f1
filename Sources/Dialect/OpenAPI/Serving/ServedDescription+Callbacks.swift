import SDBasics
import SDJSON
import SDStubModel

/// Gives the body of a request for an operation, and its content type; nil for none.
public typealias RequestBodies = (APIOperation) -> (type: String, bytes: [UInt8])?

/// The requests that an operation makes because of one that it answers, as webhooks of its stub.
extension ServedDescription {
    /// The most callbacks of one operation.
    private static var mostCallbacks: Int { 20 }

    /// The listeners of an operation's stub; nil if it has no callbacks, or they are not allowed.
    func listeners(of operation: APIOperation, _ bodies: RequestBodies) -> JSONValue? {
        guard settings.callbacks == true else { return nil }
        let webhooks = operation.calls.flatMap { call in
            call.operations.map { Self.webhook($0, to: call.expression, bodies) }
        }
        return webhooks.isEmpty ? nil : .array(Array(webhooks.prefix(Self.mostCallbacks)))
    }

    private static func webhook(
        _ operation: APIOperation, to expression: String, _ bodies: RequestBodies
    ) -> JSONValue {
        var parameters: JSONObject = [
            "method": .string(operation.method), "url": .string(template(of: expression)),
        ]
        if let body = bodies(operation) {
            parameters["headers"] = ["Content-Type": .string(body.type)]
            // A text with braces would be a template.
            if let text = String(validating: body.bytes, as: UTF8.self), !text.contains(text: "{{") {
                parameters["body"] = .string(text)
            } else {
                parameters["base64Body"] = .string(base64(body.bytes))
            }
        }
        return ["name": "webhook", "parameters": .object(parameters)]
    }

    /// The template of an address with runtime expressions, such as `{$request.body#/url}/events`.
    private static func template(of expression: String) -> String {
        var template = ""
        var rest = expression[...]
        // An address may be an expression alone.
        if rest.hasPrefix("$") { return helper(for: String(rest)) }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            template += rest[..<open]
            template += helper(for: String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return template + rest
    }

    /// The helper of a runtime expression; one that is none stands for nothing.
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

    /// The JSONPath of a JSON pointer.
    private static func path(of pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reduce(into: "$") { path, token in
            let token = String(token).replacing(text: "~1", with: "/").replacing(text: "~0", with: "~")
            path += Int(token) == nil ? "['\(plain(token))']" : "[\(token)]"
        }
    }

    /// A name without what would end it.
    private static func plain(_ name: String) -> String { name.filter { !"\"'[]{}\\".contains($0) } }
}
