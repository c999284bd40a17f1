import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform

extension ContractCheck {
    /// Checks that the credentials of one of the operation's alternatives are present. Their values are not checked.
    mutating func checkSecurity(_ request: ContractRequest) {
        guard !operation.security.isEmpty else { return }
        var nearest: (missing: [(scheme: String, wanted: String)], count: Int)?
        for alternative in operation.security {
            let missing = alternative.compactMap { scheme in
                self.missing(scheme, request).map { (scheme: scheme, wanted: $0) }
            }
            if missing.isEmpty { return }
            if missing.count < nearest?.count ?? .max { nearest = (missing, missing.count) }
        }
        guard let nearest else { return }
        // If each alternative is a single scheme, all are named.
        let isOneEach = operation.security.allSatisfy { $0.count == 1 }
        let wanted =
            isOneEach
            ? operation.security.joined().compactMap { missing($0, request) } : nearest.missing.map(\.wanted)
        var shown: [String] = []
        for text in wanted where !shown.contains(text) { shown.append(text) }
        let expected = shown.joined(separator: isOneEach ? " or " : " and ")
        let found = request.headers.first { $0.name.lowercased() == "authorization" }.map {
            // Credentials must not be shown. A single word may be the credentials instead of a scheme.
            let parts = $0.value.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? "Authorization: \(parts[0].prefix(20)) …" : "an Authorization without a scheme"
        }
        let isAuthorization = shown.contains { $0.hasPrefix("Authorization") }
        let told = (isAuthorization ? found : nil) ?? "none"
        add(
            Violation(
                .security, name: nearest.missing.first?.scheme, keyword: "security",
                message: "credentials are required: expected \(expected), found \(told)", expected: expected,
                found: told))
    }

    /// The missing credentials of a scheme; nil if they are present.
    private func missing(_ name: String, _ request: ContractRequest) -> String? {
        guard let scheme = contract.description.securitySchemes[name]?.objectValue else { return nil }
        let type = scheme["type"]?.stringValue ?? ""
        switch type.lowercased() {
        case "apikey":
            guard let key = scheme["name"]?.stringValue else { return nil }
            switch scheme["in"]?.stringValue {
            case "query":
                let query = QueryText(Array((request.query ?? "").utf8)[...])
                return query.values(key).contains { !$0.isEmpty } ? nil : "the query parameter \"\(key)\""
            case "cookie":
                return Self.cookies(request).values(key).contains { !$0.isEmpty } ? nil : "the cookie \"\(key)\""
            default:
                let lower = key.lowercased()
                return request.headers.contains { $0.name.lowercased() == lower && !$0.value.isEmpty }
                    ? nil : "the header \"\(key)\""
            }
        case "basic": return missing(authorization: "basic", request)
        case "http": return missing(authorization: (scheme["scheme"]?.stringValue ?? "").lowercased(), request)
        case "oauth2", "openidconnect": return missing(authorization: "bearer", request)
        default: return nil
        }
    }

    private func missing(authorization scheme: String, _ request: ContractRequest) -> String? {
        let values = request.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value)
        let isThere = values.contains { value in
            let parts = value.split(separator: " ", maxSplits: 1)
            return scheme.isEmpty ? !value.isEmpty : parts.count == 2 && parts[0].lowercased() == scheme
        }
        if isThere { return nil }
        let shown = scheme.isEmpty ? "…" : scheme.prefix(1).uppercased() + scheme.dropFirst() + " …"
        return "Authorization: \(shown)"
    }
}
