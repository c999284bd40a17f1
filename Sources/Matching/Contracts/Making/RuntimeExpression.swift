public import SDJSON

/// OpenAPI's runtime expressions, such as `{$request.body#/callbackUrl}`, which give callbacks their URLs.
public enum RuntimeExpression {
    /// A request with its response.
    public struct Exchange: Sendable {
        /// The full URL of the request.
        public var url: String
        public var request: ContractRequest
        /// The decoded values of its path parameters.
        public var pathValues: [String: String]
        public var answer: ContractAnswer

        /// Makes an exchange.
        public init(
            url: String, request: ContractRequest, pathValues: [String: String] = [:], answer: ContractAnswer
        ) {
            self.url = url
            self.request = request
            self.pathValues = pathValues
            self.answer = answer
        }
    }

    /// A template with each `{$…}` replaced, or a single bare expression evaluated.
    /// - Returns: nil if an expression is invalid or has no value.
    public static func text(of template: String, in exchange: Exchange) -> String? {
        if template.hasPrefix("$") { return text(value(of: template[...], in: exchange)) }
        var result = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "{") {
            guard rest[start...].hasPrefix("{$"), let end = rest[start...].firstIndex(of: "}") else {
                result += rest[...start]
                rest = rest[rest.index(after: start)...]
                continue
            }
            guard let found = text(value(of: rest[rest.index(after: start)..<end], in: exchange)) else { return nil }
            result += rest[..<start] + found
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The value of an expression without braces; nil if there is none.
    public static func value(of expression: some StringProtocol, in exchange: Exchange) -> JSONValue? {
        switch expression {
        case "$url": return .string(exchange.url)
        case "$method": return .string(exchange.request.method)
        case "$statusCode": return .number(JSONNumber(exchange.answer.status))
        default: break
        }
        let text = String(expression)
        if text.hasPrefix("$request.") {
            let source = text.dropFirst("$request.".count)
            if let name = source.after("query.") {
                let pairs = Echoes.queryValues(exchange.request.query ?? "")
                return pairs.first { $0.name == name }.map { .string($0.value) }
            }
            if let name = source.after("path.") { return exchange.pathValues[name].map(JSONValue.string) }
            return value(of: source, exchange.request.headers, exchange.request.body)
        }
        guard text.hasPrefix("$response.") else { return nil }
        return value(of: text.dropFirst("$response.".count), exchange.answer.headers, exchange.answer.body)
    }

    private static func value(
        of source: Substring, _ headers: [(name: String, value: String)], _ body: [UInt8]
    ) -> JSONValue? {
        if let name = source.after("header.") {
            return headers.first { $0.name.lowercased() == name.lowercased() }.map { .string($0.value) }
        }
        if source == "body" {
            return (try? JSONValue(parsing: body)) ?? .string(String(decoding: body, as: UTF8.self))
        }
        guard let fragment = source.after("body#"), let pointer = JSONPointer(text: fragment) else { return nil }
        return (try? JSONValue(parsing: body))?[pointer]
    }

    private static func text(_ value: JSONValue?) -> String? { value.map { $0.stringValue ?? $0.compactText } }
}

extension Substring {
    /// The text after a prefix; nil if it has another one.
    fileprivate func after(_ beginning: String) -> String? {
        hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
    }
}
