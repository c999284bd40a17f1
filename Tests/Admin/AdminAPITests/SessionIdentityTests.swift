import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// A session is named by what applications and browsers send along, and calls to other servers pass that on.
@Suite struct SessionIdentityTests {
    private let mock: TestMock
    private let id: String

    init() throws {
        mock = try TestMock()
        try mock.add(#"{"request": {"urlPath": "/x"}, "response": {"body": "base"}}"#)
        id = try Self.begin(mock, "mine")
    }

    /// Begins a session whose `/x` answers with a body.
    private static func begin(_ mock: TestMock, _ body: String) throws -> String {
        let session = try mock.admin("POST", "/sessions", status: 201)
        let id = try #require(session["id"]?.stringValue)
        #expect(session["baggage"]?.stringValue == "stuntdouble-session=\(id)")
        #expect(session["cookie"]?.stringValue == "stuntdouble-session=\(id)")
        try add(mock, id, #"{"request": {"urlPath": "/x"}, "response": {"body": "\#(body)"}}"#)
        return id
    }

    private static func add(_ mock: TestMock, _ id: String, _ stub: String) throws {
        let answer = try Exchange(mock.port, "POST", "/__session/\(id)/__admin/mappings", body: stub)
        try #require(answer.status == 201, "\(answer.text)")
    }

    private func ask(_ headers: [(String, String)]) throws -> String {
        let answer = try Exchange(mock.port, "GET", "/x", headers: headers)
        return answer.status == 200 ? answer.text : String(answer.status)
    }

    // MARK: - Naming

    @Test(arguments: [
        ("stuntdouble-session=ID", "mine"), ("user=1, stuntdouble-session=ID", "mine"),
        ("user=1;p=2 , \t stuntdouble-session \t = \t ID ;p;q=\"1\",x=y", "mine"),
        ("a=1,,stuntdouble-session=ID", "mine"), ("stuntdouble-session=%49D", "404"),
        // As it is escaped by those who escape all.
        ("stuntdouble-session=PERCENT", "mine"),
        // The case of keys matters.
        ("StuntDouble-Session=ID", "base"), ("x-stuntdouble-session=ID", "base"),
        ("user=stuntdouble-session=ID", "base"),
        // Not well formed, so passed over.
        ("stuntdouble-session", "base"), ("stuntdouble-session=", "base"), ("stuntdouble-session=I D", "base"),
        ("stuntdouble-session=\"ID\"", "base"), ("stuntdouble-session;p=ID", "base"), ("=ID", "base"), ("", "base"),
        ("stuntdouble-session=a b,stuntdouble-session=ID", "mine"),
        // The first one counts.
        ("stuntdouble-session=ID,stuntdouble-session=s1-aaaaaa", "mine"),
        ("stuntdouble-session=s1-aaaaaa,stuntdouble-session=ID", "404"), ("stuntdouble-session=nobody", "404"),
        ("user=1;stuntdouble-session=ID", "base"),
    ]) func aMemberOfBaggageNamesIt(baggage: String, answer: String) throws {
        let escaped = id.utf8.map { "%" + String($0, radix: 16) }.joined()
        let value = baggage.replacing("PERCENT", with: escaped).replacing("ID", with: id)
        #expect(try ask([("Baggage", value)]) == answer)
        #expect(try ask([("Cookie", "user=1"), ("baggage", "a=b"), ("BAGGAGE", value)]) == answer)
    }

    /// What came along with the call of a daemon does not lead away from where the call goes.
    @Test func whatADaemonPassesOnIsNotMeantForAnAddressOfAnotherSession() throws {
        let other = try Self.begin(mock, "other")
        let hop = ("Stunt-Double-Hop", "another")
        let host = ("Host", "\(other).localhost")
        let baggage = ("baggage", "stuntdouble-session=\(id)")
        #expect(try ask([baggage, host]) == "mine")
        #expect(try ask([baggage, host, hop]) == "other")
        #expect(try ask([baggage, hop]) == "mine")
        #expect(try ask([("baggage", "stuntdouble-session=s99-aaaaaa"), hop]) == "base")
        #expect(try ask([("Cookie", "stuntdouble-session=\(id)"), host, hop]) == "other")
    }

    @Test(arguments: [
        ("stuntdouble-session=ID", "mine"), ("a=b; stuntdouble-session=ID; c=d", "mine"),
        ("a=b;stuntdouble-session=\"ID\"", "mine"), ("stuntdouble-session=; stuntdouble-session=ID", "mine"),
        ("stuntdouble-session=", "base"), ("Stuntdouble-Session=ID", "base"), ("stuntdouble-session", "base"),
        ("astuntdouble-session=ID", "base"), ("a=stuntdouble-session=ID", "base"),
        ("stuntdouble-session=nobody", "404"), ("stuntdouble-session=nobody; stuntdouble-session=ID", "404"),
    ]) func aCookieNamesIt(cookie: String, answer: String) throws {
        #expect(try ask([("Cookie", cookie.replacing("ID", with: id))]) == answer)
        #expect(try ask([("cookie", "a=b"), ("COOKIE", cookie.replacing("ID", with: id))]) == answer)
    }

    @Test func whatIsSaidForOneCallCountsBeforeWhatComesAlong() throws {
        let ids = try (0..<4).map { try Self.begin(mock, String($0)) }
        let names = [
            ("X-StuntDouble-Session", ids[0]), ("baggage", "stuntdouble-session=\(ids[1])"),
            ("Cookie", "stuntdouble-session=\(ids[2])"), ("Host", "\(ids[3]).localhost"),
        ]
        for first in names.indices { #expect(try ask(names[first...].reversed()) == String(first)) }
        let answer = try Exchange(mock.port, "GET", "/__session/\(id)/x", headers: names)
        #expect(answer.text == "mine")
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings", headers: [names[2]]).json?["meta"]?["total"] == 2)
    }

    @Test func anEndedSessionIsNotServedByAnother() throws {
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        for (header, value) in [("baggage", "a=b,stuntdouble-session=\(id)"), ("Cookie", "stuntdouble-session=\(id)")] {
            let answer = try Exchange(mock.port, "GET", "/x", headers: [(header, value)])
            #expect(answer.status == 410)
            #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains(header.lowercased()) == true)
        }
    }

    /// Stubs and the journal see what was sent.
    @Test func theFieldsAreSeen() throws {
        try Self.add(
            mock, id,
            #"""
            {"priority": 1,
             "request": {"urlPath": "/x", "cookies": {"user": {"equalTo": "1"}}, "headers": {"baggage": {"contains": "a=b"}}},
             "response": {"body": "{{request.headers.baggage}}", "transformers": ["response-template"]}}
            """#)
        let baggage = "a=b,stuntdouble-session=\(id)"
        #expect(try ask([("baggage", baggage), ("Cookie", "user=1; stuntdouble-session=\(id)")]) == baggage)
        let journal = try Exchange(mock.port, "GET", "/__session/\(id)/__admin/requests").json
        #expect(journal?["requests"]?[0]?["request"]?["cookies"]?["stuntdouble-session"]?.stringValue == id)
    }

    // MARK: - Passing on

    /// A server that keeps the heads of the requests that it gets.
    private func target(_ heads: Events<String>) throws -> RawServer {
        try RawServer { client, _ in
            let head = client.receive(until: "\r\n\r\n").text
            guard head.hasSuffix("\r\n\r\n") else { return }
            heads.tell(head)
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
    }

    private func baggage(_ head: String?) throws -> [String] {
        try #require(head).split(separator: "\r\n").filter { $0.lowercased().hasPrefix("baggage:") }
            .map { $0.dropFirst(8).trimmingPrefix(" ").description }
    }

    @Test(arguments: [
        ([], ["stuntdouble-session=ID"]), (["a=b"], ["a=b,stuntdouble-session=ID"]),
        (["a=b ;p, c=d"], ["a=b ;p, c=d,stuntdouble-session=ID"]),
        (["stuntdouble-session=s1-aaaaaa", "a=b"], ["a=b,stuntdouble-session=ID"]),
        (["a=b, stuntdouble-session=ID;p=1, c=d"], ["a=b, c=d,stuntdouble-session=ID"]),
        (["stuntdouble-session=ID", "stuntdouble-session=ID"], ["stuntdouble-session=ID"]),
    ]) func aProxiedCallNamesIt(sent: [String], expected: [String]) throws {
        let heads = Events<String>()
        let server = try target(heads)
        for (path, rest) in [("/p", ""), ("/q", #", "removeProxyRequestHeaders": ["Baggage"]"#)] {
            let stub =
                #"{"request": {"urlPath": "\#(path)"}, "#
                + #""response": {"proxyBaseUrl": "http://localhost:\#(server.port)"\#(rest)}}"#
            try Self.add(mock, id, stub)
            try mock.add(stub)
        }
        let fields = sent.map { ("Baggage", $0.replacing("ID", with: id)) }
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/p", headers: fields).text == "ok")
        #expect(try baggage(heads.next()) == expected.map { $0.replacing("ID", with: id) })
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/q", headers: fields).text == "ok")
        #expect(try baggage(heads.next()) == [])
    }

    /// What the daemon itself sends on is as WireMock sends it.
    @Test func theDaemonsOwnCallsStayAsTheyAre() throws {
        let heads = Events<String>()
        let server = try target(heads)
        try mock.add(
            #"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "http://localhost:\#(server.port)"}}"#)
        for sent in [[], ["a=b , c=d", "e=f"]] {
            #expect(try Exchange(mock.port, "GET", "/p", headers: sent.map { ("baggage", $0) }).text == "ok")
            #expect(try baggage(heads.next()) == sent)
        }
    }

    @Test func theSecondHopReachesTheSameSession() throws {
        let base = "http://localhost:\(mock.port)/x"
        try Self.add(
            mock, id,
            #"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "\#(base)", "proxyUrlPrefixToRemove": "/p"}}"#
        )
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/p").text == "mine")
    }

    @Test func aWebhookNamesIt() throws {
        let heads = Events<String>()
        let server = try target(heads)
        try Self.add(
            mock, id,
            #"""
            {"request": {"urlPath": "/w"}, "response": {},
             "serveEventListeners": [{"name": "webhook", "parameters":
                {"method": "GET", "url": "http://localhost:\#(server.port)/", "headers": {"Baggage": "a=b"}}}]}
            """#)
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/w").status == 200)
        #expect(try baggage(heads.next()) == ["a=b,stuntdouble-session=\(id)"])
    }

    // MARK: - Recording

    @Test(arguments: [
        ("Baggage", "stuntdouble-session=ID", nil), ("baggage", "a=b,stuntdouble-session=ID", "a=b"),
        ("baggage", "a=b , c", "a=b , c"), ("Cookie", "a=b; stuntdouble-session=ID; c=d", "a=b; c=d"),
        ("Cookie", "stuntdouble-session=ID", nil), ("X-StuntDouble-Session", "ID", nil), ("X-Other", "ID", "ID"),
    ]) func aRecordingDoesNotKeepIt(name: String, value: String, kept: String?) throws {
        let server = try target(Events())
        try Self.add(
            mock, id,
            #"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "http://localhost:\#(server.port)"}}"#
        )
        let headers = [(name, value.replacing("ID", with: id))]
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/p", headers: headers).text == "ok")
        let spec = #"{"captureHeaders": {"\#(name)": {}}, "persist": false}"#
        let answer = try Exchange(
            mock.port, "POST", "/__session/\(id)/__admin/recordings/snapshot", body: spec)
        let pattern = answer.json?["mappings"]?[0]?["request"]
        try #require(pattern != nil, "\(answer.text)")
        #expect(pattern?["headers"]?[name]?["equalTo"]?.stringValue == kept?.replacing("ID", with: id))
    }
}
