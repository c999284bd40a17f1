import SDRedis
import Testing

@Suite struct AddressTests {
    struct Row: Sendable {
        let text: String
        let place: RedisAddress.Place
        var secure = false
        var user: String?
        var password: String?
        var database = 0
        let shown: String
    }

    static let good = [
        Row(text: "redis://h", place: .server(host: "h", port: 6379), shown: "redis://h:6379/0"),
        Row(text: "REDIS://h:1/", place: .server(host: "h", port: 1), shown: "redis://h:1/0"),
        Row(text: "valkey://h/3", place: .server(host: "h", port: 6379), database: 3, shown: "valkey://h:6379/3"),
        Row(
            text: "rediss://h:6380", place: .server(host: "h", port: 6380), secure: true, shown: "rediss://h:6380/0"),
        Row(
            text: "valkeys://u:p@h", place: .server(host: "h", port: 6379), secure: true, user: "u", password: "p",
            shown: "valkeys://u:***@h:6379/0"),
        Row(
            text: "redis://:pa%73s%40%2F@h/1", place: .server(host: "h", port: 6379), password: "pass@/", database: 1,
            shown: "redis://:***@h:6379/1"),
        Row(
            text: "redis://u%3A:a@b@h", place: .server(host: "h", port: 6379), user: "u:", password: "a@b",
            shown: "redis://u:***@h:6379/0".replacingOccurrences("u:", "u::")),
        Row(
            text: "redis://:a/b?c@h?db=2", place: .server(host: "h", port: 6379), password: "a/b?c", database: 2,
            shown: "redis://:***@h:6379/2"),
        Row(text: "redis://[::1]:7", place: .server(host: "::1", port: 7), shown: "redis://[::1]:7/0"),
        Row(text: "redis://[fe80::1]", place: .server(host: "fe80::1", port: 6379), shown: "redis://[fe80::1]:6379/0"),
        Row(text: "unix:///run/r.sock", place: .unixSocket(path: "/run/r.sock"), shown: "unix:///run/r.sock"),
        Row(
            text: "redis+unix://u:p@/run/a%20b.sock?db=4", place: .unixSocket(path: "/run/a b.sock"), user: "u",
            password: "p", database: 4, shown: "redis+unix://u:***@/run/a b.sock?db=4"),
    ]

    @Test(arguments: good) func anAddressIsRead(_ row: Row) throws {
        let address = try RedisAddress(row.text)
        #expect(address.place == row.place)
        #expect(address.isSecure == row.secure)
        #expect(address.user == row.user)
        #expect(address.password == row.password)
        #expect(address.database == row.database)
        #expect(address.description == row.shown)
    }

    static let bad: [(String, String)] = [
        ("localhost:6379", "has no scheme; expected is redis://user:password@host:6379/0"),
        ("reddis://h", "begins with reddis://; known are redis://, rediss://"),
        ("reddis://h", "did you mean redis"),
        ("http://h", "begins with http://; known are"),
        ("redis://", "has no host"),
        ("redis:///0", "has no host"),
        ("redis://h:0", "the port of the server is 0; expected is a number from 1 to 65535"),
        ("redis://h:65536", "the port of the server is 65536"),
        ("redis://:secret", "has no host"),
        ("redis://user:secret", "the port of the server is no number"),
        ("redis://::1", "has a colon in it; an address of IPv6 stands in brackets: [::1]:6379"),
        ("redis://[::1", "has a [ without ]"),
        ("redis://[::1]x", "has more behind the ] than a port"),
        ("redis://h/x", "the database of the server is x; expected is a number"),
        ("redis://h/-1", "the database of the server is -1"),
        ("redis://h?timeout=3", "has ?timeout in it; known is ?db=0"),
        ("redis://secret@h", "has a user without a password"),
        ("redis://:secret%@h", "the password in the address of the server has a % that begins no escape"),
        ("redis://:secret%ff@h", "the password in the address of the server is no UTF-8"),
        ("redis://:secret#1@h", "in a password it is written %23"),
        ("unix://run/r.sock", "the path of the server's socket is run/r.sock; expected is an absolute one"),
        ("unix:///" + String(repeating: "a", count: 200), "has 201 bytes; at most 103 are possible"),
        ("secret://redis://x", "begins with secret://"),
        ("redis://h x", "the host of the server is none"),
    ]

    @Test(arguments: bad) func whatIsWrongIsSaid(_ text: String, _ words: String) {
        #expect { try RedisAddress(text) } throws: { error in
            let said = "\(error)"
            #expect(said.contains(words), "\(said)")
            #expect(!said.contains("secret") || text.hasPrefix("secret"), "\(said)")
            return true
        }
    }
}

extension String {
    fileprivate func replacingOccurrences(_ text: String, _ other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}
