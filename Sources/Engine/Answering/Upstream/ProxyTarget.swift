import SDBasics
import SDHTTPTransport
import SDPlatform

/// The URL that a request is sent on to, made as WireMock makes it: the base, and then path and query as they came.
struct ProxyTarget: Sendable, Equatable {
    /// The scheme in lower case.
    let scheme: String
    /// Host and port as the base has them.
    let authority: String
    /// The whole URL.
    let url: String

    /// - Parameters:
    ///   - base: the base URL; its slash at the end is kept, in front of that of the path.
    ///   - prefix: the text that is taken from the beginning of the path; nil for none.
    ///   - target: path and query of the request.
    init?(base: String, removing prefix: String?, _ target: ArraySlice<UInt8>) {
        guard let mark = base.firstRange(ofText: "://") else { return nil }
        scheme = base[..<mark.lowerBound].lowercased()
        let rest = base[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        authority = String(rest[..<end])
        let isScheme = scheme.utf8.first.map { $0 &- 0x61 < 26 } == true && scheme.utf8.allSatisfy(Self.isOfScheme)
        guard isScheme, !authority.isEmpty, base.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7b && $0 != 0x7d })
        else { return nil }
        let path = Self.text(of: target, removing: prefix)
        if let fragment = rest.firstIndex(of: "#") {
            url = String(base[..<fragment])
        } else {
            // What was left of the path may not be taken for a part of the port.
            url = base + (end == rest.endIndex && path.utf8.first != 0x2f ? "/" : "") + path
        }
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2b || byte == 0x2d || byte == 0x2e
    }

    /// Path and query without the prefix.
    static func text(of target: ArraySlice<UInt8>, removing prefix: String?) -> String {
        var rest = target
        if let prefix, !prefix.isEmpty, target.starts(with: prefix.utf8) { rest = target.dropFirst(prefix.utf8.count) }
        if let text = String(validating: rest, as: UTF8.self) { return text }
        // Other bytes are as they are in an escape, and in nothing else that a URL can have.
        return String(
            decoding: rest.flatMap { byte -> [UInt8] in
                byte < 0x80 ? [byte] : [0x25] + String(byte, radix: 16, uppercase: true).utf8
            }, as: UTF8.self)
    }

    /// The host without user and port, in lower case.
    var host: String {
        let bare = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
        guard let colon = bare.lastIndex(of: ":"), !bare[colon...].contains("]") else { return bare.lowercased() }
        return bare[..<colon].lowercased()
    }

    /// `Host` as the target wants it.
    var hostField: String {
        authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
    }

    var isHTTP: Bool { scheme == "http" || scheme == "https" }
}
