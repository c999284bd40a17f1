import SDBasics

/// The problem with a server's address.
public struct RedisAddressProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that says what was found and what is expected, without the password.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The address and credentials for a Redis or Valkey server: `redis://user:password@host:6379/0`, `rediss://` over TLS,
/// `valkey://`, `valkeys://`, `redis+unix:///path/to/socket?db=0`, `unix:///path/to/socket`.
public struct RedisAddress: Sendable, Equatable, CustomStringConvertible {
    public enum Place: Sendable, Equatable {
        /// A name or address, without brackets.
        case server(host: String, port: Int)
        case unixSocket(path: String)
    }

    public var scheme: String
    public var place: Place
    public var isSecure: Bool
    public var user: String?
    public var password: String?
    public var database = 0

    static let schemes = ["redis", "rediss", "valkey", "valkeys", "redis+unix", "unix"]
    public static let form = "redis://user:password@host:6379/0, or unix:///path/to/socket"

    /// Parses an address; its parts are percent-decoded.
    public init(_ text: String) throws(RedisAddressProblem) {
        guard let colon = text.firstRange(ofText: "://") else {
            throw RedisAddressProblem("the address of the server has no scheme; expected is \(Self.form)")
        }
        scheme = text[..<colon.lowerBound].lowercased()
        guard Self.schemes.contains(scheme) else {
            // An invalid scheme may be a part of a password.
            let isOne = scheme.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 == 0x2B }
            let nearest = nearestName(to: scheme, among: Self.schemes).map { "; did you mean \($0)://?" } ?? ""
            throw RedisAddressProblem(
                "the address of the server begins with \(isOne ? "\(scheme)://" : "no known scheme"); known are "
                    + Self.schemes.map { $0 + "://" }.joined(separator: ", ") + nearest)
        }
        isSecure = scheme == "rediss" || scheme == "valkeys"
        var rest = text[colon.upperBound...]
        var query: Substring?
        if let fragment = rest.firstIndex(of: "#") {
            throw RedisAddressProblem(
                "the address of the server has a # in it (\(rest[fragment...].count) characters from there on); "
                    + "in a password it is written %23")
        }
        if let at = rest.lastIndex(of: "@") {
            let login = rest[..<at]
            rest = rest[rest.index(after: at)...]
            let colon = login.firstIndex(of: ":")
            let name = try Self.decoded(login[..<(colon ?? login.endIndex)], "the user")
            user = name.isEmpty ? nil : name
            password = try colon.map { colon throws(RedisAddressProblem) in
                try Self.decoded(login[login.index(after: colon)...], "the password")
            }
            if password?.isEmpty == true { password = nil }
            if user != nil, password == nil {
                throw RedisAddressProblem(
                    "the address of the server has a user without a password; expected is user:password@, or :password@"
                )
            }
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if scheme.hasSuffix("unix") {
            place = .unixSocket(path: try Self.path(rest))
        } else {
            let slash = rest.firstIndex(of: "/")
            place = try Self.server(rest[..<(slash ?? rest.endIndex)])
            if let slash, rest.index(after: slash) != rest.endIndex {
                database = try Self.database(rest[rest.index(after: slash)...])
            }
        }
        if let query { try read(query: query) }
    }

    private mutating func read(query: Substring) throws(RedisAddressProblem) {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair[0] == "db", pair.count == 2 else {
                throw RedisAddressProblem("the address of the server has ?\(pair[0]) in it; known is ?db=0")
            }
            database = try Self.database(pair[1])
        }
    }

    private static func path(_ text: Substring) throws(RedisAddressProblem) -> String {
        let path = try decoded(text, "the path of the socket")
        guard path.hasPrefix("/") else {
            throw RedisAddressProblem(
                "the path of the server's socket is \(path); expected is an absolute one: \(form)")
        }
        // The system's limit, with the NUL.
        guard path.utf8.count < 104 else {
            throw RedisAddressProblem(
                "the path of the server's socket has \(path.utf8.count) bytes; at most 103 are possible")
        }
        return path
    }

    private static func server(_ text: Substring) throws(RedisAddressProblem) -> Place {
        var host = text
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw RedisAddressProblem("the address of the server has a [ without ]; expected is [::1]:6379")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else {
                throw RedisAddressProblem(
                    "the address of the server has more behind the ] than a port; expected is [::1]:6379")
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
            if host.contains(":") {
                throw RedisAddressProblem(
                    "the host of the server has a colon in it; an address of IPv6 stands in brackets: [::1]:6379")
            }
        }
        let name = try decoded(host, "the host")
        guard !name.isEmpty else {
            throw RedisAddressProblem("the address of the server has no host; expected is \(form)")
        }
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x2F }), name.utf8.count < 254 else {
            throw RedisAddressProblem("the host of the server is none; expected is \(form)")
        }
        guard let port, !port.isEmpty else { return .server(host: name, port: 6379) }
        guard let number = Int(port), (1...65_535).contains(number), port.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            // The text after a colon may be a password, if the host was forgotten.
            let found = port.utf8.allSatisfy { $0 &- 0x30 < 10 } && port.utf8.count < 12 ? String(port) : "no number"
            throw RedisAddressProblem("the port of the server is \(found); expected is a number from 1 to 65535")
        }
        return .server(host: name, port: number)
    }

    private static func database(_ text: Substring) throws(RedisAddressProblem) -> Int {
        guard let number = Int(text), (0...1_000_000).contains(number), text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            throw RedisAddressProblem("the database of the server is \(text); expected is a number, such as 0")
        }
        return number
    }

    private static func decoded(_ text: Substring, _ what: String) throws(RedisAddressProblem) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else {
                throw RedisAddressProblem(
                    "\(what) in the address of the server has a % that begins no escape; it is written %25")
            }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw RedisAddressProblem("\(what) in the address of the server is no UTF-8")
        }
        return decoded
    }

    /// The address without the password: `redis://user:***@host:6379/0`.
    public var description: String {
        let login = password == nil ? "" : "\(user ?? ""):***@"
        switch place {
        case .server(let host, let port):
            return "\(scheme)://\(login)\(host.utf8.contains(0x3A) ? "[\(host)]" : host):\(port)/\(database)"
        case .unixSocket(let path): return "\(scheme)://\(login)\(path)\(database == 0 ? "" : "?db=\(database)")"
        }
    }
}
