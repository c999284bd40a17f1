import SDBasics
package import SDJSON

/// The operand of `matchesJwt`, an addition to WireMock's matchers: the claims and header fields of a JSON Web Token
/// (RFC 7519); the signature is not verified. `{"claims": {"sub": "ada"}, "header": {"alg": {"contains": "256"}}}`; an
/// object with an operator is a matcher, any other value must be equal.
package enum JWTOperand {
    /// Reports the problems of an operand; returns whether there are none.
    @discardableResult
    package static func check(_ operand: JSONValue, _ reader: inout ModelReader) -> Bool {
        let known = reader.problems.count
        guard
            let object = reader.fields(operand, "an object with claims or header", isEmpty: false)
        else { return false }
        for member in object.members {
            reader.key(member, of: ["claims", "header"], otherNames: ["payload": "claims"]) { reader in
                guard case .object(let claims) = member.value else {
                    reader.report(
                        detail: nil, message: "wrong type", expected: "an object of names and values or matchers",
                        found: member.value.shortDescription)
                    return
                }
                for claim in claims.members { reader.within(claim.key) { checkClaim(claim.value, &$0) } }
            }
        }
        return reader.problems.count == known
    }

    private static func checkClaim(_ value: JSONValue, _ reader: inout ModelReader) {
        guard case .object(let object) = value else { return }
        if object.keys.contains(where: { ValueMatcher.Operator(rawValue: $0) != nil }) {
            _ = ValueMatcher.read(value, .single, &reader)
            return
        }
        let names = ValueMatcher.Operator.allCases.map(\.rawValue)
        if object.count == 1, let key = object.keys.first, let name = nearestName(to: key, among: names) {
            reader.warn("not a matcher, so the claim must be this object", suggestion: name, name: key)
        }
    }
}
