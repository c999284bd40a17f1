import SDBasics
import SDHTTPTransport
import SDPlatform
import SDStubModel
import SDUpstream

/// The base URL of a proxy, parsed once: when its stub is compiled, unless it is a template.
package struct ProxyBase: Sendable {
    /// The scheme in lower case.
    let scheme: String
    /// Host and port as written.
    let authority: String
    /// The `Host` for the server: without user information.
    package let hostField: String
    /// `Authorization` for the user information in the URL; nil for none.
    let authorization: String?
    /// The original URL.
    let given: String
    /// The URL without a fragment.
    fileprivate let text: String
    /// The length of the part before the path, in bytes.
    fileprivate let rootCount: Int
    /// Whether it has a fragment, so that an appended path would belong to that.
    let hasFragment: Bool
    /// The server; nil if it cannot be called.
    fileprivate let server: UpstreamTarget?

    /// - Parameter base: the base URL; a trailing slash is kept, before that of the path.
    /// - Returns: nil if it is not absolute.
    init?(_ base: String) {
        // WebSocket's own schemes (RFC 6455, section 3) name HTTP servers.
        let isOfWebSocket = ["ws://", "wss://"].contains { base.lowercased().hasPrefix($0) }
        let base = isOfWebSocket ? "http" + base.dropFirst(2) : base
        guard let mark = base.firstRange(ofText: "://") else { return nil }
        scheme = base[..<mark.lowerBound].lowercased()
        let rest = base[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = String(rest[..<end])
        self.authority = authority
        let isScheme = scheme.utf8.first.map { $0 &- 0x61 < 26 } == true && scheme.utf8.allSatisfy(Self.isOfScheme)
        guard isScheme, !authority.isEmpty, base.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7b && $0 != 0x7d })
        else { return nil }
        hostField = authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
        authorization = URLUser.authorization(of: base)
        given = base
        let fragment = rest.firstIndex(of: "#")
        hasFragment = fragment != nil
        text = String(base[..<(fragment ?? base.endIndex)])
        rootCount = base.utf8.distance(from: base.startIndex, to: end)
        server = try? UpstreamTarget(text)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2b || byte == 0x2d || byte == 0x2e
    }

    /// The host without user information and port, in lower case.
    var host: String {
        guard let colon = hostField.lastIndex(of: ":"), !hostField[colon...].contains("]") else {
            return hostField.lowercased()
        }
        return hostField[..<colon].lowercased()
    }

    var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Whether the server is always called over HTTP/2, by the settings.
    func speaksHTTP2(by settings: UpstreamSettings) -> Bool { server.map(settings.speaksHTTP2) ?? false }
}

/// The URL of a proxied request, built as in WireMock: the base, followed by the original path and query.
package struct ProxyTarget: Sendable {
    package let base: ProxyBase
    /// The whole URL.
    package let url: String

    /// - Parameters:
    ///   - prefix: the text to remove from the start of the path; nil for none.
    ///   - target: path and query of the request.
    init(_ base: ProxyBase, removing prefix: String?, _ target: ArraySlice<UInt8>) {
        self.base = base
        guard !base.hasFragment else {
            url = base.text
            return
        }
        let path = Self.text(of: target, removing: prefix)
        // The rest of the path must not be taken for a part of the port.
        let isBare = base.rootCount == base.text.utf8.count
        url = base.text + (isBare && path.utf8.first != 0x2f ? "/" : "") + path
    }

    /// The URL to call; nil if it cannot be called, for the reason that a call reports.
    var upstream: UpstreamTarget? { base.server?.with(path: url.utf8.dropFirst(base.rootCount)) }

    /// Path and query without the prefix.
    static func text(of target: ArraySlice<UInt8>, removing prefix: String?) -> String {
        var rest = target
        if let prefix, !prefix.isEmpty, target.starts(with: prefix.utf8) { rest = target.dropFirst(prefix.utf8.count) }
        if let text = String(validating: rest, as: UTF8.self) { return text }
        // Bytes that are not valid UTF-8 are percent-encoded, as required in URLs.
        return String(
            decoding: rest.flatMap { byte -> [UInt8] in
                byte < 0x80 ? [byte] : [0x25] + String(byte, radix: 16, uppercase: true).utf8
            }, as: UTF8.self)
    }
}
