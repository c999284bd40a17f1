public import SDJSON
import SDStubModel

/// A JSON Web Token (RFC 7519) in the compact form of a signed one (RFC 7515, section 3.1). The signature is not
/// verified: a mock server has no keys, and tests make their own tokens.
public struct JWTToken: Sendable {
    /// The JOSE header, an object.
    public let header: JSONValue
    /// The claims, an object.
    public let claims: JSONValue

    /// The maximum number of ways tried to split a name at its dots.
    private static let lookupLimit = 1_000

    /// Parses `Bearer a.b.c` (the word in any case) or the token alone. Nil if the text is not a token: three parts in
    /// base64url without padding, the first two of them JSON objects. The signature may be empty and is ignored.
    public init?(_ text: ArraySlice<UInt8>) {
        let parts = Self.withoutScheme(text).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            parts[2].allSatisfy(Self.isBase64URL)
        else { return nil }
        self.header = header
        self.claims = claims
    }

    /// The claim `name`; nil if there is none. A name with dots is first taken literally, as in
    /// `https://example.com/roles`, and then as a path, as in `realm_access.roles`.
    public func claim(_ name: String) -> JSONValue? {
        Self.member(name, of: claims)
    }

    /// The header field `name`, found like a claim.
    public func headerField(_ name: String) -> JSONValue? {
        Self.member(name, of: header)
    }

    private static func member(_ name: String, of json: JSONValue) -> JSONValue? {
        var tries = lookupLimit
        return member(name[...], of: json, &tries)
    }

    private static func member(_ name: Substring, of json: JSONValue, _ tries: inout Int) -> JSONValue? {
        guard tries > 0, case .object(let object) = json else { return nil }
        tries -= 1
        if let value = object[String(name)] { return value }
        for dot in name.indices where name[dot] == "." {
            guard let value = object[String(name[..<dot])] else { continue }
            if let found = member(name[name.index(after: dot)...], of: value, &tries) { return found }
        }
        return nil
    }

    private static func withoutScheme(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        let scheme = Array("bearer".utf8)
        guard text.prefix(scheme.count).map({ $0 | 0x20 }) == scheme else { return text }
        let rest = text.dropFirst(scheme.count)
        guard let next = rest.first, isBlank(next) else { return text }
        return rest.drop(while: isBlank)
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
        guard !part.isEmpty, part.allSatisfy(isBase64URL) else { return nil }
        let standard = part.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        guard let bytes = try? Base64.decode(String(decoding: standard, as: UTF8.self)),
            let json = try? JSONValue(parsing: bytes), case .object = json
        else { return nil }
        return json
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
