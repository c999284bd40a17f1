import SDHTTPTransport
import SDPlatform
import SDStubModel

/// Makes answers of another server name this one where they name that: WireMock 4's `proxied-hostname-rewrite`.
struct HostRewrite: Sendable {
    /// What is looked for, and what is written in its place: an origin, plain and as JSON may have it.
    private let pairs: [(from: [UInt8], to: [UInt8])]
    private let longest: Int
    /// What may still become a match.
    private var rest: [UInt8] = []

    /// - Parameter request: the request, which names this server.
    init?(_ target: ProxyTarget, for request: Request) {
        guard let host = request.header(Self.host) ?? request.authority, !host.isEmpty else { return nil }
        let scheme = request.isSecure ? "https" : "http"
        let name = String(decoding: host, as: UTF8.self)
        pairs = ["://", ":\\/\\/"].map { slashes in
            (Array("\(target.scheme)\(slashes)\(target.hostField)".utf8), Array("\(scheme)\(slashes)\(name)".utf8))
        }
        longest = pairs.map(\.from.count).max() ?? 0
    }

    private static let host = Array("host".utf8)

    /// Whether a body of a type is a text that may name servers.
    static func applies(to fields: AnsweredFields) -> Bool {
        guard fields.value("content-encoding") == nil, let value = fields.value("content-type") else { return false }
        let type = value.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded"].contains(where: type.hasSuffix)
    }

    func text(_ value: String) -> String {
        var copy = self
        return String(decoding: copy.next(Array(value.utf8), isLast: true), as: UTF8.self)
    }

    /// The next bytes, rewritten as far as they are decided.
    mutating func next(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        let all = rest + bytes
        var result: [UInt8] = []
        result.reserveCapacity(all.count)
        var index = 0
        // The byte behind a match decides about it.
        let end = isLast ? all.count : max(all.count - longest, 0)
        while index < end {
            if let pair = pairs.first(where: { Self.isMatch($0.from, in: all, at: index) }) {
                result += pair.to
                index += pair.from.count
            } else {
                result.append(all[index])
                index += 1
            }
        }
        rest = index < all.count ? Array(all[index...]) : []
        return result
    }

    private static func isMatch(_ text: [UInt8], in all: [UInt8], at index: Int) -> Bool {
        guard all[index] == text[0], index + text.count <= all.count, all[index...].starts(with: text) else {
            return false
        }
        guard index + text.count < all.count else { return true }
        let next = all[index + text.count]
        // `real.example` is not the beginning of `real.example.org` or `real.example:8443`.
        return !(next &- 0x30 < 10 || (next | 0x20) &- 0x61 < 26 || next == 0x2d || next == 0x2e || next == 0x3a)
    }
}
