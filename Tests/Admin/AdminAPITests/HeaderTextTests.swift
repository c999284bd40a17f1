import SDJSON
import SDTestSupport
import Testing

/// Header bytes beyond ASCII are read as UTF-8, and as ISO-8859-1 if they are not valid UTF-8.
@Suite struct HeaderTextTests {
    private func send(_ mock: TestMock, _ path: String, _ header: [UInt8]) throws -> Exchange {
        let client = try RawClient(port: mock.port)
        try client.send(
            Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".utf8) + header
                + Array("\r\n\r\n".utf8))
        return try Exchange(client.receiveAll(within: 20_000), isHead: false)
    }

    private static let latin1: [UInt8] = [0xe9]
    private static let utf8: [UInt8] = [0xc3, 0xa9]

    @Test(arguments: [latin1, utf8]) func matchersAndTheJournalReadBothAsText(accent: [UInt8]) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/h", "headers": {"X": {"equalTo": "caf\u00e9"}}}}"#)
        try mock.add(#"{"request": {"url": "/m", "headers": {"X": {"matches": "caf."}}}}"#)
        try mock.add(#"{"request": {"url": "/c", "cookies": {"c": {"equalTo": "\u00e9"}}}}"#)
        #expect(try send(mock, "/h", Array("X: caf".utf8) + accent).status == 200)
        #expect(try send(mock, "/m", Array("X: caf".utf8) + accent).status == 200)
        #expect(try send(mock, "/c", Array("Cookie: c=".utf8) + accent).status == 200)
        #expect(try send(mock, "/none", Array("X: caf".utf8) + accent).text.contains("\u{fffd}") == false)
        let events = try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]
        #expect(events?[0]?["request"]?["headers"]?["X"] == "caf\u{e9}")
        #expect(events?[1]?["request"]?["cookies"]?["c"] == "\u{e9}")
        let found = try Exchange(
            mock.port, "POST", "/__admin/requests/count", body: #"{"headers": {"X": {"contains": "\u00e9"}}}"#)
        #expect(found.json?["count"] == 3)
    }

    /// WireMock's reading of the header.
    @Test(arguments: [
        ("X: 1", true), ("X-Forwarded-For:", true), ("X-Forwarded-For:  ", true), ("X-Forwarded-For: 1.2.3.4", false),
        ("X-Forwarded-For:\r\nX-Forwarded-For: 1.2.3.4", true), ("X-Forwarded-For: 127.0.0.1, 2.2.2.2", false),
        ("X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-For: 3.3.3.3", true),
    ])
    func anEmptyForwardedAddressIsIgnored(header: String, isLocal: Bool) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/ip", "clientIp": {"equalTo": "127.0.0.1"}}}"#)
        #expect(try send(mock, "/ip", Array(header.utf8)).status == (isLocal ? 200 : 404))
        let event = try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]?[0]
        #expect((event?["request"]?["clientIp"] == "127.0.0.1") == isLocal)
    }
}
