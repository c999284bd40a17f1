import SDBasics
import SDHTTPTransport
import SDPlatform
import SDStubModel
import SDUpstream

/// The base of the URLs that requests are sent on to, read once: when its stub is compiled, unless it is a template.
package struct ProxyBase: Sendable {
    /// The scheme in lower case.
    let scheme: String
    /// Host and port as they stand there.
    let authority: String
    /// `Host` as the server wants it: without a user.
    package let hostField: String
    /// `Authorization` for the user in the URL; nil for no user.
    let authorization: String?
    /// The URL as it was given.
    let given: String
    /// The URL without a fragment.
    fileprivate let text: String
    /// What stands in front of the path in it, in bytes.
    fileprivate let rootCount: Int
    /// Whether it has a fragment, where what follows would belong to that.
    let hasFragment: Bool
    /// The server; nil if it cannot be called.
    fileprivate let server: UpstreamTarget?

    /// - Parameter base: the base URL; its slash at the end is kept, in front of that of the path.
    /// - Returns: nil if it is not absolute.
    init?(_ base: String) {
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

    /// The host without user and port, in lower case.
    var host: String {
        guard let colon = hostField.lastIndex(of: ":"), !hostField[colon...].contains("]") else {
            return hostField.lowercased()
        }
        return hostField[..<colon].lowercased()
    }

    var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Whether the server is called in HTTP/2, whoever calls it.
    func speaksHTTP2(by settings: UpstreamSettings) -> Bool { server.map(settings.speaksHTTP2) ?? false }
}

/// The URL that a request is sent on to, made as WireMock makes it: the base, and then path and query as they came.
package struct ProxyTarget: Sendable {
    package let base: ProxyBase
    /// The whole URL.
    package let url: String

    /// - Parameters:
    ///   - prefix: the text that is taken from the beginning of the path; nil for none.
    ///   - target: path and query of the request.
    init(_ base: ProxyBase, removing prefix: String?, _ target: ArraySlice<UInt8>) {
        self.base = base
        guard !base.hasFragment else {
            url = base.text
            return
        }
        let path = Self.text(of: target, removing: prefix)
        // What was left of the path may not be taken for a part of the port.
        let isBare = base.rootCount == base.text.utf8.count
        url = base.text + (isBare && path.utf8.first != 0x2f ? "/" : "") + path
    }

    /// The URL as it is called; nil if it cannot be, for the reason that a call gives.
    var upstream: UpstreamTarget? { base.server?.with(path: url.utf8.dropFirst(base.rootCount)) }

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
}
