import SDBasics
import SDJSON

/// Helpers for JSON Web Token claims: `claims` and `claimsObject` of WireMock's extension, which make values for `jwt`,
/// and `jwtClaim`, which reads a claim.
enum TokenHelpers {
    static let table: [String: Helper] = [
        "claims": { call throws(RenderError) in .list(call.parameters) },
        "claimsObject": { call throws(RenderError) in .map(TemplateMap(call.hash.map { ($0.name, $0.value) })) },
        "jwtClaim": jwtClaim,
    ]

    /// `{{jwtClaim 'sub'}}` reads the request's own token, `{{jwtClaim request.cookies.token '$.realm.roles'}}` another
    /// one. The signature is not verified.
    private static let jwtClaim: Helper = { call throws(RenderError) in
        guard let name = call.parameters.last, !name.text.isEmpty else {
            return call.error("jwtClaim needs the name of a claim, or a token and the name: jwtClaim 'sub'")
        }
        let token =
            call.parameters.count > 1
            ? call.parameter(0)
            : call.renderer.environment.model.value(atPath: ["request", "headers", "authorization"]) ?? .null
        let text = token.text
        try call.renderer.afford(RenderEnvironment.Cost.treeOfByte * text.utf8.count)
        let nothing = call.option("default") ?? call.nothing
        guard let content = content(of: text) else { return nothing }
        if name.text.hasPrefix("$") {
            return try JSONHelpers.found(name.text, in: .tree(content), isSmart: true, call) ?? nothing
        }
        switch content[name.text] {
        case nil, .null?: return nothing
        case .object(let object)?: return .json(.object(object))
        case let value?: return TemplateValue(value)
        }
    }

    /// The claims of a token, with or without `Bearer `; nil if it is not a token.
    private static func content(of token: String) -> JSONValue? {
        let parts = (token.split(separator: " ").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let bytes = EncodingHelpers.decoded(String(parts[1])) else { return nil }
        return try? JSONValue(parsing: bytes)
    }
}
