package import SDHTTPTransport
import SDPlatform
import SDUpstream

/// How a request says by its fields which session it is for: the header `X-StuntDouble-Session`, the member
/// `stuntdouble-session` of `baggage` (W3C Baggage), which applications pass on to the servers that they call, or a cookie
/// of that name, which browsers send to the application.
package enum SessionIdentity: Sendable {
    case header, baggage, cookie

    package static let headerName = "X-StuntDouble-Session"
    /// The key of the member, and the name of the cookie; its case matters, as in both standards.
    package static let key = "stuntdouble-session"

    /// The member or cookie that names a session.
    package static func pair(_ id: String) -> String { "\(key)=\(id)" }

    /// What a request says of its session, and by what. The header counts before `baggage`, and that before the cookie: what
    /// was said for this one call before what came along with it.
    /// - Returns: nil if it says nothing. The value need not be an id.
    /// - Parameter request: one that may name a session.
    package static func named(by request: Request) -> (name: ArraySlice<UInt8>, by: SessionIdentity)? {
        if let name = request.header(headerField) { return (trimmed(name), .header) }
        if let name = first(in: request, baggageField, Self.value(ofMember:)) { return (name, .baggage) }
        return first(in: request, cookieField, Self.value(ofCookies:)).map { ($0, .cookie) }
    }

    /// Whether a daemon sent the request, which passed its session on with it.
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

    // MARK: - Passing on

    /// The fields of a call to another server, as they name a session in `baggage`: once, with whatever else stands there.
    /// - Parameter id: that of the session that makes the call; nil for the daemon's own, whose calls stay as they are.
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

    /// The fields of a request as they are recorded: a session has ended when they are replayed.
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

    /// A list without some of its parts; nil if none is left. One that has none of them stays as it is written.
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

    /// The value of the first of our members in a `baggage` field. Members that are not well formed are passed over, and so
    /// are those without a value.
    private static func value(ofMember list: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for member in list.split(separator: UInt8(ascii: ",")) where key(ofMember: member) == keyBytes {
            // What follows a semicolon are properties.
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

    /// The value of the first of our cookies in a `Cookie` field; one without a value is passed over, as it is left behind by
    /// pages that clear it.
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
