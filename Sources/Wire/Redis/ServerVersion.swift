/// A server's name and version (INFO).
struct ServerVersion: CustomStringConvertible {
    let name: String
    let number: String

    /// - Returns: nil if there is no version.
    init?(info: String) {
        var fields: [Substring: Substring] = [:]
        for line in info.split(whereSeparator: \.isNewline) {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        if let number = fields["valkey_version"] {
            // Valkey also claims to be the Redis version from which it was forked.
            (name, self.number) = ("Valkey", String(number.prefix(40)))
        } else if let number = fields["redis_version"] {
            (name, self.number) = ("Redis", String(number.prefix(40)))
        } else {
            return nil
        }
    }

    /// Whether it is Valkey, or Redis 6 or later.
    var isSupported: Bool { name == "Valkey" || (number.split(separator: ".").first.flatMap { Int($0) } ?? 0) >= 6 }
    var description: String { "\(name) \(number)" }
}
