import SDPlatform
package import Synchronization

/// The id of a session in headers, paths and host names: `s7-k2f9qm`, made of lower-case letters, digits and a hyphen.
///
/// The number counts the sessions. The rest is a checksum that only this process, or the replicas that share its key,
/// can compute. It distinguishes the id of an ended session from any other word, without storing the session.
public struct SessionID: Sendable, Hashable {
    public let number: UInt64

    /// Makes the id of the n-th session of this process.
    public init(number: UInt64) {
        self.number = number
    }

    /// Parses an id.
    /// - Parameter text: an id of this process, in any letter case; anything else gives nil.
    public init?(_ text: some Collection<UInt8>) {
        guard text.count <= Self.longest, text.first.map({ $0 | 0x20 }) == UInt8(ascii: "s") else { return nil }
        let parts = text.dropFirst().split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(String(decoding: parts[0], as: UTF8.self)), number > 0 else {
            return nil
        }
        self.number = number
        guard self.text.utf8.elementsEqual(text.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }) else {
            return nil
        }
    }

    /// Finds the id in a host name: `s7-k2f9qm.localhost`, in any letter case; nil for other names below `localhost`.
    public init?(host: some BidirectionalCollection<UInt8>) {
        guard host.count > Self.localhost.count,
            host.suffix(Self.localhost.count).elementsEqual(Self.localhost, by: { $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        self.init(host.dropLast(Self.localhost.count))
    }

    private static let localhost = Array(".localhost".utf8)

    public var text: String {
        "s\(number)-\(check)"
    }

    /// The longest id: an `s`, twenty digits, a hyphen and the check.
    private static let longest = 28

    private var check: String {
        let value = mixed % 2_176_782_336
        let digits = String(value, radix: 36)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private var mixed: UInt64 {
        let key = Self.sharedKey.load(ordering: .relaxed)
        guard key != 0 else {
            // The standard library seeds its hash differently in each process.
            var hasher = Hasher()
            hasher.combine(number)
            return UInt64(UInt(bitPattern: hasher.finalize()))
        }
        return SeededValues.with(seed: key &+ number &* 0x9E37_79B9_7F4A_7C15) { SeededValues.next() ?? 0 }
    }

    /// The key that replicas with common ids share; 0 for a single server.
    package static let sharedKey = Atomic<UInt64>(0)
}
