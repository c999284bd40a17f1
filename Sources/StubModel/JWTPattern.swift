public import JSON
import Spelling

/// The operand of `matchesJwt`: what a JSON Web Token (RFC 7519) says, read without verifying it. An addition to
/// WireMock's matchers.
///
/// The value is a token, or a token after `Bearer `. Every named claim must match. A matcher sees a claim that is a text
/// as that text, and any other as JSON; a list also as each of its elements, of which one must match. A claim that is not
/// there is absent.
public struct JWTPattern: Sendable, Hashable {
    /// Of the payload, in the order of the document.
    public var claims: [NamedMatcher] = []
    /// Of the JOSE header, such as `alg`.
    public var header: [NamedMatcher] = []

    /// Reads `{"claims": {"sub": "ada"}, "header": {"alg": {"contains": "256"}}}`; nil for anything else, which is a
    /// problem of the matcher that was reported when it was read.
    public init?(_ operand: JSONValue) {
        var reader = ModelReader()
        guard let pattern = Self.read(operand, &reader), reader.problems.isEmpty else { return nil }
        self = pattern
    }

    private init() {}

    static func read(_ operand: JSONValue, _ reader: inout ModelReader) -> JWTPattern? {
        guard case .object(let object) = operand else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object with claims or header",
                found: operand.shortDescription)
            return nil
        }
        var pattern = JWTPattern()
        for member in object.members {
            reader.key(member, of: ["claims", "header"], otherNames: ["payload": "claims"]) { reader in
                guard case .object(let claims) = member.value else {
                    reader.report(
                        detail: nil, message: "wrong type", expected: "an object of names and values or matchers",
                        found: member.value.shortDescription)
                    return
                }
                let matchers = claims.members.compactMap { claim in
                    reader.within(claim.key) { read(claim, &$0) }
                }
                if member.key == "claims" { pattern.claims = matchers } else { pattern.header = matchers }
            }
        }
        return pattern
    }

    /// A plain value is to be equal; an object with an operator is a matcher, any other object the value itself.
    private static func read(_ claim: JSONObject.Member, _ reader: inout ModelReader) -> NamedMatcher? {
        switch claim.value {
        case .string(let text): return NamedMatcher(claim.key, ValueMatcher(.equalTo, text))
        case .object(let object):
            if ValueMatcher.deciding(object, .single) != nil {
                return ValueMatcher.read(claim.value, .single, &reader).map { NamedMatcher(claim.key, $0) }
            }
            let names = ValueMatcher.Operator.allCases.map(\.rawValue)
            if object.count == 1, let key = object.keys.first, let name = nearestName(to: key, among: names) {
                reader.warn("not a matcher, so the claim must be this object", suggestion: name, name: key)
            }
            return NamedMatcher(claim.key, ValueMatcher(.equalToJson, operand: claim.value))
        case .null, .bool, .number, .array:
            return NamedMatcher(claim.key, ValueMatcher(.equalToJson, operand: claim.value))
        }
    }
}
