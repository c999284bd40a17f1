import SDBasics
import SDJSON
import SDStubModel

/// Makes the example of one request pattern.
struct ExampleMaker {
    private let pattern: RequestPattern
    private let values: [String: String]

    init(_ pattern: RequestPattern, values: [String: String]) {
        self.pattern = pattern
        self.values = values
    }

    func request() throws(NoExample) -> ExampleRequest {
        try refuseOtherConditions()
        var request = ExampleRequest(method: try method(), target: try target())
        request.headers = try headers()
        try addBody(to: &request)
        return request
    }

    /// The request for all of a collection's records.
    func list(of resource: ResourceDefinition) throws(NoExample) -> ExampleRequest {
        ExampleRequest(method: "GET", target: try filled(resource.path))
    }

    private func refuseOtherConditions() throws(NoExample) {
        let others: [(String, Bool)] = [
            ("scheme", pattern.scheme != nil), ("host", pattern.host != nil), ("port", pattern.port != nil),
            ("clientIp", pattern.clientIp != nil), ("clientCertificate", !pattern.clientCertificate.isEmpty),
            ("customMatcher", pattern.customMatcher != nil),
        ]
        if let other = others.first(where: \.1) {
            throw NoExample("it asks for `\(other.0)`, of which no example is made")
        }
    }

    private func method() throws(NoExample) -> String {
        switch pattern.method {
        case .any: return "GET"
        case .exactly(let name): return name
        case .oneOf(let names): return ["GET", "HEAD", "OPTIONS"].first(where: names.contains) ?? names.first ?? "GET"
        case .noneOf(let names):
            guard !names.contains("GET") else {
                throw NoExample("it is for all methods but \(names.joined(separator: ", "))")
            }
            return "GET"
        }
    }

    // MARK: - Target

    private func target() throws(NoExample) -> String {
        var target =
            switch pattern.url {
            case .url(let text), .urlPath(let text): text
            case .urlPathTemplate(let template): try filled(template)
            case .urlPattern(let expression), .urlPathPattern(let expression):
                try url(expression)
            case .any: throw NoExample("it is for any URL")
            }
        var pairs: [String] = []
        for parameter in pattern.queryParameters {
            for value in try examples(of: parameter, as: "query parameter") {
                pairs.append(URLEscaping.component(parameter.name) + "=" + URLEscaping.component(value))
            }
        }
        if !pairs.isEmpty { target += (target.contains("?") ? "&" : "?") + pairs.joined(separator: "&") }
        return target
    }

    /// A template with values for its variables.
    private func filled(_ template: String) throws(NoExample) -> String {
        var filled = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            // The part after a colon is an expression.
            let name = String(rest[rest.index(after: open)..<close].prefix { $0 != ":" })
            let matcher = pattern.pathParameters.first { $0.name == name }?.matcher
            let own = matcher.flatMap { try? ExampleValue($0).text }
            let isOnly = matcher.map(ExampleValue.isOnly) ?? false
            guard let value = isOnly ? own ?? values[name] : values[name] ?? own else {
                throw NoExample("the variable `\(name)` of its path has no example: give one by --param \(name)=VALUE")
            }
            filled += URLEscaping.component(value)
            rest = rest[rest.index(after: close)...]
        }
        filled += rest
        guard let stars = filled.firstRange(ofText: "**") else { return filled }
        guard let value = values["**"] else {
            throw NoExample("`**` of its path has no example: give one by --param '**=VALUE'")
        }
        return filled[..<stars.lowerBound] + value + filled[stars.upperBound...]
    }

    /// A URL that an expression matches.
    private func url(_ expression: String) throws(NoExample) -> String {
        if let text = ExampleValue.literal(expression) { return text }
        guard let text = ExpressionExample(expression)?.text else { throw NoExample("its URL is an expression") }
        let url = text.hasPrefix("/") ? text : "/" + text
        return URLEscaping.escaping(url) { !(0x21...0x7E).contains($0) || "\"<>".utf8.contains($0) }
    }

    // MARK: - Headers

    private func headers() throws(NoExample) -> [ExampleRequest.Field] {
        var fields: [ExampleRequest.Field] = []
        for header in pattern.headers {
            for value in try examples(of: header, as: "header") { fields.append(.init(header.name, value)) }
        }
        var cookies: [String] = []
        for cookie in pattern.cookies {
            for value in try examples(of: cookie, as: "cookie") { cookies.append("\(cookie.name)=\(value)") }
        }
        if !cookies.isEmpty { fields.append(.init("Cookie", cookies.joined(separator: "; "))) }
        if let user = pattern.basicAuth {
            let credentials = Base64.encode("\(user.username):\(user.password)".utf8)
            fields.append(.init("Authorization", "Basic \(credentials)"))
        }
        return fields
    }

    private func examples(of named: NamedMatcher, as kind: String) throws(NoExample) -> [String] {
        // Header names are not case-sensitive.
        let name = named.name.lowercased()
        let given =
            values[named.name] ?? (kind == "header" ? values.first { $0.key.lowercased() == name }?.value : nil)
        do throws(NoExample) {
            let own = try ExampleValue.list(named.matcher)
            // A given value is more likely to be valid for the service than a generated one.
            return given.map { ExampleValue.isOnly(named.matcher) || own.count != 1 ? own : [$0] } ?? own
        } catch {
            if let given { return [given] }
            let meant = "--param \(named.name)=VALUE"
            throw NoExample("the \(kind) `\(named.name)` has no example (\(error)): give one by \(meant)")
        }
    }

    // MARK: - Body

    private func addBody(to request: inout ExampleRequest) throws(NoExample) {
        var type: String?
        if !pattern.formParameters.isEmpty {
            var pairs: [String] = []
            for field in pattern.formParameters {
                for value in try examples(of: field, as: "field") {
                    pairs.append(URLEscaping.component(field.name) + "=" + URLEscaping.component(value))
                }
            }
            request.body = Array(pairs.joined(separator: "&").utf8)
            type = "application/x-www-form-urlencoded"
        } else if !pattern.multipartPatterns.isEmpty {
            (request.body, type) = try ExampleParts.body(pattern.multipartPatterns, values)
        } else if !pattern.bodyPatterns.isEmpty {
            let body = try ExampleBody(pattern.bodyPatterns, values)
            request.body = body.bytes
            request.isQuery = body.isQuery
            type = body.type
        }
        guard let type, !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return }
        request.headers.append(.init("Content-Type", type))
    }
}

extension ExampleRequest {
    init(method: String, target: String) {
        self.method = method
        self.target = target
    }
}
