package import SDHTTPTransport
import SDPlatform
import SDUpstream

/// How a request's fields name its session: by the header `X-StuntDouble-Session`, by the member `stuntdouble-session`
/// of `baggage` (W3C Baggage), which applications propagate to the servers that they call, or by a cookie of that name,
/// which browsers send to the application.
package enum SessionPropagation: Sendable {
    case header, baggage, cookie

    package static let headerName = "X-StuntDouble-Session"
    /// The key of the member, and the name of the cookie; case-sensitive, as in both standards.
    package static let key = "stuntdouble-session"

    /// The member or cookie for a session.
    package static func pair(_ id: String) -> String { "\(key)=\(id)" }

    /// The session that a request names, and the field. The header takes precedence over `baggage`, and that over the
    /// cookie: a field set for this call wins over propagated ones.
    /// - Returns: nil if it names none. The value need not be an id.
    /// - Parameter request: the request to read.
    package static func named(by request: Request) -> (name: ArraySlice<UInt8>, by: SessionPropagation)? {
        if let name = request.header(headerField) { return (trimmed(name), .header) }
        if let name = first(in: request, baggageField, Self.value(ofMember:)) { return (name, .baggage) }
        return first(in: request, cookieField, Self.value(ofCookies:)).map { ($0, .cookie) }
    }

    /// Whether another daemon sent the request, and propagated its session.
    package static func isPassedOn(_ request: Request) -> Bool { request.header(hopField) != nil }

    private static func first(
        in request: Request, _ field: [UInt8], _ read: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
    ) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        request.forEachHeaderValue(field) { value in
            found = read(value)
            return found == nil
        }
        return found
    }

    // MARK: - Propagation

    /// The fields of a call to another server, with the session in `baggage` exactly once, besides all other members.
    /// - Parameter id: the id of the calling session; nil for the default session, whose fields are unchanged.
    static func passing(_ id: String?, in fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        guard let id else { return fields }
        var fields = withoutMember(fields)
        if let last = fields.lastIndex(where: { $0.name.lowercased() == "baggage" }) {
            fields[last].value += "," + pair(id)
        } else {
            fields.append(("baggage", pair(id)))
        }
        return fields
    }

    /// The fields of a request for recordings, without a session: it will have ended at the replay.
    package static func removed(from fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        withoutMember(fields).compactMap { field in
            switch field.name.lowercased() {
            case "x-stuntdouble-session": nil
            case "cookie": without(field, ";") { value(ofCookies: $0) != nil }
            default: field
            }
        }
    }

    private static func withoutMember(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields.compactMap { field in
            field.name.lowercased() == "baggage" ? without(field, ",") { key(ofMember: $0) == keyBytes } : field
        }
    }

    /// A list without some of its parts; nil if none is left. A list without such parts is unchanged.
    private static func without(
        _ field: (name: String, value: String), _ separator: Unicode.Scalar, _ isLeftOut: (ArraySlice<UInt8>) -> Bool
    ) -> (name: String, value: String)? {
        let parts = Array(field.value.utf8).split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
        let kept = parts.filter { !isLeftOut($0) }
        guard kept.count < parts.count else { return field }
        guard let first = kept.first else { return nil }
        let text = kept.dropFirst().reduce(first) { $0 + [UInt8(ascii: separator)] + $1 }
        return (field.name, String(decoding: trimmed(text), as: UTF8.self))
    }

    // MARK: - Reading

    /// The value of our first member in a `baggage` field. Malformed members and those without a value are skipped.
    private static func value(ofMember list: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for member in list.split(separator: UInt8(ascii: ",")) where key(ofMember: member) == keyBytes {
            // Properties follow a semicolon.
            let pair = member.prefix { $0 != UInt8(ascii: ";") }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = trimmed(pair[(equals + 1)...])
            guard !value.isEmpty, value.allSatisfy(isBaggageOctet) else { continue }
            return PercentEncoding.decodeLeniently(value)[...]
        }
        return nil
    }

    private static func key(ofMember member: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        trimmed(member.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") })
    }

    private static func isBaggageOctet(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The value of our first cookie in a `Cookie` field; a cookie without a value is skipped: pages that clear it
    /// leave one.
    private static func value(ofCookies list: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for cookie in list.split(separator: UInt8(ascii: ";")) {
            guard let equals = cookie.firstIndex(of: UInt8(ascii: "=")), trimmed(cookie[..<equals]) == keyBytes else {
                continue
            }
            var value = trimmed(cookie[(equals + 1)...])
            if value.count > 1, value.first == quote, value.last == quote { value = value.dropFirst().dropLast() }
            if !value.isEmpty { return value }
        }
        return nil
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static let hopField = Array(Upstream.hopHeader.lowercased().utf8)
    private static let headerField = Array("x-stuntdouble-session".utf8)
    private static let baggageField = Array("baggage".utf8)
    private static let cookieField = Array("cookie".utf8)
    private static let keyBytes = Array(key.utf8)[...]
    private static let quote = UInt8(ascii: "\"")
}
