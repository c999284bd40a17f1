import SDHTTPTransport
import SDPlatform
import SDStubModel

/// Replaces another server's name by this one's in its answers: WireMock 4's `proxied-hostname-rewrite`.
package struct HostRewrite: Sendable {
    /// The origins to replace and their replacements, plain and as escaped in JSON.
    private let pairs: [(from: [UInt8], to: [UInt8])]
    /// The first byte of all of them.
    private let first: UInt8
    /// Bytes that may still become a match.
    private var rest: [UInt8] = []

    /// - Parameter request: a request whose `Host` is this server's name.
    init?(_ target: ProxyBase, for request: Request) {
        guard let host = request.header(Self.host) ?? request.authority, !host.isEmpty else { return nil }
        let scheme = request.isSecure ? "https" : "http"
        let name = String(decoding: host, as: UTF8.self)
        pairs = ["://", ":\\/\\/"].map { slashes in
            (Array("\(target.scheme)\(slashes)\(target.hostField)".utf8), Array("\(scheme)\(slashes)\(name)".utf8))
        }
        first = target.scheme.utf8.first ?? 0
    }

    private static let host = Array("host".utf8)

    /// Whether the body is text that may contain server names, by its headers.
    package static func applies(to fields: AnsweredFields) -> Bool {
        guard fields.value("content-encoding") == nil, let value = fields.value("content-type") else { return false }
        let type = value.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded"].contains(where: type.hasSuffix)
    }

    func text(_ value: String) -> String {
        var (copy, result) = (self, [UInt8]())
        var value = value
        value.withUTF8 { bytes in copy.pass(bytes, isLast: true) { result += $0 } }
        return String(decoding: result, as: UTF8.self)
    }

    /// Passes bytes on, rewritten as far as they are decided. Bytes without a match are passed without a copy.
    /// - Parameter isLast: whether these are the last bytes.
    package mutating func pass(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, to next: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard !rest.isEmpty else { return passDecided(bytes, isLast, to: next) }
        let all = rest + bytes
        all.withUnsafeBufferPointer { passDecided($0, isLast, to: next) }
    }

    private mutating func passDecided(
        _ all: UnsafeBufferPointer<UInt8>, _ isLast: Bool, to next: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var result: [UInt8] = []
        // The start of the bytes that are neither passed on nor in the result.
        var start = 0
        var index = 0
        rest.removeAll()
        search: while let place = all[index...].firstIndex(of: first) {
            switch match(all, place, isLast) {
            case .none: index = place + 1
            case .pair(let from, let to):
                result += all[start..<place]
                result += to
                index = place + from.count
                start = index
            case .undecided:
                rest = Array(all[place...])
                break search
            }
        }
        let decided = all[start..<(all.count - rest.count)]
        guard !result.isEmpty else { return decided.isEmpty ? () : next(UnsafeBufferPointer(rebasing: decided)) }
        result += decided
        result.withUnsafeBufferPointer(next)
    }

    private enum Match {
        case none, undecided
        case pair(from: [UInt8], to: [UInt8])
    }

    private func match(_ all: UnsafeBufferPointer<UInt8>, _ place: Int, _ isLast: Bool) -> Match {
        var match = Match.none
        for (from, to) in pairs {
            let there = all[place...].prefix(from.count)
            guard from.starts(with: there) else { continue }
            // The next byte also decides: `real.example` must not match in `real.example.org`.
            if place + from.count >= all.count {
                guard isLast else { return .undecided }
                if there.count == from.count { return .pair(from: from, to: to) }
            } else if !Self.isOfName(all[place + from.count]) {
                match = .pair(from: from, to: to)
            }
        }
        return match
    }

    /// Whether a byte may continue a host or a port.
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2d || byte == 0x2e || byte == 0x3a
    }
}
