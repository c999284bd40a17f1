import Foundation
import SDAdminAPI
import SDJSON
import SDPlatform
import SDTestSupport
import Testing

/// Admin call bodies with content codings and charsets other than UTF-8.
@Suite struct AdminContentTests {
    private func send(
        _ port: UInt16, _ method: String, _ path: String, _ headers: [(String, String)], _ body: [UInt8]
    ) throws -> Exchange {
        var head = "\(method) /__admin\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let client = try RawClient(port: port)
        try client.send(Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
        return try Exchange(client.receiveAll(within: 20_000), isHead: false)
    }

    private static let mapping = #"{"name": "caf\#u{e9}", "request": {"url": "/x"}, "response": {"body": "\#u{fc}"}}"#

    @Test(
        arguments: [
            ("application/json", .utf8), ("application/json;charset=UTF-8", .utf8),
            ("application/json; charset=ISO-8859-1", .isoLatin1), ("text/plain; charset=\"latin1\"", .isoLatin1),
            ("application/json;charset=windows-1252", .windowsCP1252), ("application/json; charset=UTF-16", .utf16),
            ("application/json;charset=utf-16be", .utf16BigEndian),
            ("application/json;charset=UTF-16LE", .utf16LittleEndian),
        ] as [(String, String.Encoding)])
    func aCharsetIsDecoded(type: String, encoding: String.Encoding) throws {
        let mock = try TestMock()
        let body = try #require(Self.mapping.data(using: encoding))
        let answer = try send(mock.port, "POST", "/mappings", [("Content-Type", type)], Array(body))
        #expect(answer.status == 201, "\(answer)")
        #expect(answer.json?["name"] == "caf\u{e9}")
        #expect(try Exchange(mock.port, "GET", "/x").body == Array("\u{fc}".utf8))
    }

    @Test(
        arguments: [
            ("iso-8859-15", Self.latin9("{\"response\": {\"body\": \"\u{A4}\u{BD}\"}}"), "\u{20AC}\u{153}"),
            ("UTF-32", Self.wide("{\"response\": {\"body\": \"\u{20AC}\u{1F600}\"}}", .utf32), "\u{20AC}\u{1F600}"),
            (
                "utf-32be", Self.wide("{\"response\": {\"body\": \"\u{20AC}\u{1F600}\"}}", .utf32BigEndian),
                "\u{20AC}\u{1F600}"
            ),
            (
                "utf-32le", Self.wide("{\"response\": {\"body\": \"\u{20AC}\u{1F600}\"}}", .utf32LittleEndian),
                "\u{20AC}\u{1F600}"
            ),
        ] as [(String, [UInt8], String)])
    func aRarerCharsetIsDecoded(charset: String, body: [UInt8], text: String) throws {
        let mock = try TestMock()
        let type = [("Content-Type", "application/json;charset=\(charset)")]
        let answer = try send(mock.port, "POST", "/mappings", type, body)
        #expect(answer.status == 201, "\(answer)")
        #expect(answer.json?["response"]?["body"]?.stringValue == text)
    }

    /// The bytes of a text, one byte per letter.
    private static func latin9(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    private static func wide(_ text: String, _ encoding: String.Encoding) -> [UInt8] {
        Array(text.data(using: encoding) ?? Data())
    }

    @Test func anUnknownCharsetIsRefused() throws {
        let mock = try TestMock()
        let type = [("Content-Type", "application/json;charset=nope")]
        let answer = try send(mock.port, "POST", "/mappings", type, Array("{}".utf8))
        #expect(answer.status == 415)
        #expect(answer.text.contains("charset=nope"))
    }

    @Test(arguments: ["gzip", "GZIP", "x-gzip", ""]) func aCompressedBodyIsDecompressed(coding: String) throws {
        let mock = try TestMock()
        let latin1 = try #require(Self.mapping.data(using: .isoLatin1))
        let body = try #require(gzipped(Array(latin1)[...]))
        let headers = [("Content-Type", "application/json;charset=latin1"), ("Content-Encoding", coding)]
        let answer = try send(mock.port, "POST", "/mappings", headers, body)
        #expect(answer.status == 201, "\(answer)")
        #expect(answer.json?["name"] == "caf\u{e9}")
    }

    @Test func aBodyFileIsStoredDecompressed() throws {
        let daemon = try RunningDaemon(files: [:])
        let body = try #require(gzipped(Array("hello".utf8)[...]))
        let coded = try send(daemon.port, "PUT", "/files/a.txt", [("Content-Encoding", "gzip")], body)
        #expect(coded.text == "\"aGVsbG8=\"")
        #expect(try Exchange(daemon.port, "GET", "/__admin/files/a.txt").text == "hello")
        // A file that is itself gzip is stored unchanged.
        #expect(try send(daemon.port, "PUT", "/files/a.gz", [], body).status == 200)
        #expect(try Exchange(daemon.port, "GET", "/__admin/files/a.gz").body == body)
    }

    @Test func aBodyThatCannotBeDecompressedIsRefused() throws {
        let mock = try TestMock()
        let body = try #require(gzipped(Array(Self.mapping.utf8)[...]))
        for (coding, bytes, status) in [
            ("gzip", Array(Self.mapping.utf8), 400), ("gzip", Array(body.dropLast(6)), 400), ("br", body, 415),
            ("gzip, gzip", body, 415), ("gzip", [], 422),
        ] {
            let answer = try send(mock.port, "POST", "/mappings", [("Content-Encoding", coding)], bytes)
            #expect(answer.status == status, "\(coding) \(answer)")
            #expect(answer.json?["errors"]?[0]?["code"] == 10)
        }
    }

    @Test func aBombIsTooLarge() throws {
        var options = AdminOptions()
        options.largestBody = 1_000_000
        let mock = try TestMock(admin: options)
        let bomb = try #require(gzipped([UInt8](repeating: 0x20, count: 1_000_001)[...]))
        #expect(bomb.count < 10_000)
        for (method, path) in [("POST", "/mappings"), ("PUT", "/files/bomb")] {
            let answer = try send(mock.port, method, path, [("Content-Encoding", "gzip")], bomb)
            #expect(answer.status == 413, "\(answer)")
        }
    }
}
