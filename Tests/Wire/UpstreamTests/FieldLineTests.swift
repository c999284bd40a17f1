import SDUpstream
import Testing

/// The fields of calls, as they are written and compared.
@Suite struct FieldLineTests {
    @Test(arguments: [
        ("X-A", "b", "X-A: b\r\n"), ("X-A", "", "X-A:\r\n"), ("X-A", " \t", "X-A:\r\n"), ("", "b", ""),
        ("X A:B;", "b", "X?A?B?: b\r\n"), ("X", "a\r\nEvil: 1\0", "X: a  Evil: 1 \r\n"), ("X\r\nY", "1", "X??Y: 1\r\n"),
    ])
    func aFieldIsOneLine(name: String, value: String, line: String) {
        var text = FieldLines()
        text.add(name, value)
        #expect(String(decoding: text.bytes, as: UTF8.self) == line)
        var bytes = FieldLines()
        bytes.add(Array(name.utf8)[...], Array(value.utf8)[...])
        #expect(bytes.bytes == text.bytes)
    }

    /// Bytes stay what they are; text is ISO-8859-1 as far as it can be.
    @Test func otherCharactersAreSentOn() {
        var lines = FieldLines()
        lines.add(Array("A".utf8)[...], [0xFF, 0x80])
        lines.add("B", "\u{FF}")
        lines.add("C", "\u{FF}\u{100}")
        #expect(
            lines.bytes == Array("A: ".utf8) + [0xFF, 0x80] + Array("\r\nB: ".utf8) + [0xFF]
                + Array("\r\nC: ÿĀ\r\n".utf8))
    }

    @Test(arguments: [
        ("TE", true), ("keep-Alive", true), ("Upgrade", true), ("HTTP2-Settings", true), ("Proxy-Connection", true),
        ("Transfer-Encoding", true), ("Trailer", true), ("Connection", true), ("Proxy-Authenticate", true),
        ("Proxy-Authentication-Info", true), ("Proxy-Authorization", true), ("X-ONE", true), ("x-two", true),
        ("X-Three", true), ("x-four", false), ("", false), ("Content-Length", false), ("close", false),
    ])
    func aConnectionHasFieldsOfItsOwn(name: String, isOfConnection: Bool) {
        let fields = ConnectionFields(of: [
            ("connection", "close, x-one ,\tX-Two"), ("X-Four", "4"), ("CONNECTION", "keep-alive,,X-three"),
        ])
        #expect(fields.contains(name) == isOfConnection)
        #expect(fields.contains(Array(name.utf8)[...]) == isOfConnection)
    }
}
