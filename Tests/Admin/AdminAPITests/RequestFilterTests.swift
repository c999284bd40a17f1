import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `requests?view=row&q=`: the filter of a list of requests, and the pages of one.
@Suite struct RequestFilterTests {
    /// A mock with one request of each kind; their sequences are those of the comments. The ids of the stubs are given:
    /// a text is searched in them, too, and a random one may hold any digits.
    private func mock() throws -> TestMock {
        let mock = try TestMock()
        for (index, stub) in [
            #"""
            "name": "Dog pictures", "request": {"urlPath": "/api/dog"},
            "response": {"body": "A Bone", "headers": {"Content-Type": "application/json", "X-Kind": "Hound"}}
            """#,
            #""request": {"url": "/down"}, "response": {"status": 503, "body": "0123456789"}"#,
            #""request": {"url": "/file"}, "response": {"bodyFileName": "none.txt"}"#,
            #""request": {"url": "/cut"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}"#,
            #""request": {"url": "/held"}, "response": {"hold": {"gate": "pay"}}"#,
        ].enumerated() { try mock.add(#"{"id": "00000000-0000-4000-8000-00000000000\#(index)", \#(stub)}"#) }
        _ = try Exchange(mock.port, "GET", "/api/dog?x=1", headers: [("X-ID", "Seven 7")])  // 1
        _ = try Exchange(mock.port, "POST", "/none", body: "Rex and Ada")  // 2
        _ = try Exchange(mock.port, "GET", "/down")  // 3
        _ = try Exchange(mock.port, "GET", "/file")  // 4
        _ = try mock.raw("GET /cut HTTP/1.1\r\nHost: localhost\r\n\r\n")  // 5
        return mock
    }

    private static let cases: [(String, [Int])] = [
        ("", [5, 4, 3, 2, 1]), ("   ", [5, 4, 3, 2, 1]),
        // Texts.
        ("DOG", [1]), ("pictures", [1]), ("\"dog pictures\"", [1]), ("\"dog pictures", [1]), ("down|none", [3, 2]),
        ("dog down", []), ("-dog", [5, 4, 3, 2]), ("post", [2]), ("*", [5, 4, 3, 2, 1]),
        // Methods and statuses.
        ("POST", [2]), ("GET", [5, 4, 3, 1]), ("POST|PUT", [2]), ("-GET", [2]), ("\"GET\"", [5, 4, 3, 1]),
        ("404", [2]), ("\"404\"", []), ("5xx", [4, 3]), ("4xx", [2]), ("404|503", [3, 2]), ("99999", []),
        ("status:404", [2]), ("status:4xx|503", [3, 2]), ("status:400-499", [2]), ("status:>=500", [4, 3]),
        ("status:>500", [3]), ("status:<300", [1]), ("-status:200", [5, 4, 3, 2]), ("status:reset", [5]),
        ("method:post", [2]),
        // What happened.
        ("is:unmatched", [2]), ("is:failed", [4]), ("is:fault", [5]), ("is:open", []), ("is:proxied", []),
        ("is:unmatched|fault", [5, 2]), ("-is:unmatched", [5, 4, 3, 1]), ("is:nothing", []), ("is:", [5, 4, 3, 2, 1]),
        // Fields.
        ("path:/api/*", [1]), ("path:/api", [1]), ("path:*g", [1]), ("path:/*o*", [3, 2, 1]),
        ("-path:/api/*", [5, 4, 3, 2]),
        ("path:/api/dog*1", []), ("host:localhost", [5, 4, 3, 2, 1]), ("host:example", []), ("stub:dog", [1]),
        ("stub:\"dog pictures\"", [1]), ("file:a.yaml", []), ("session:a", []), ("proto:h2", []),
        ("proto:http/1.1 dog", [1]),
        ("type:json", [1]),
        // Numbers.
        ("time:<1h", [5, 4, 3, 2, 1]), ("time:>1h", []), ("size:<1", [5]), ("last:9999999999999999999999s", []),
        ("last:5m", [5, 4, 3, 2, 1]),
        ("time:soon", []),
        // Headers and bodies.
        ("header:x-id=seven", [1]), ("header:x-id=sev*7", [1]), ("header:x-id=8", []), ("header:X-ID", [1]),
        ("header:x-kind=hound", [1]), ("body:rex", [2]), ("body:bone", [1]), ("body:rex|bone", [2, 1]),
        ("body:\"rex and\"", [2]), ("-body:rex GET dog", [1]),
        // What is no filter is a text.
        ("stauts:404", []), ("-", [5, 4, 3, 1]), (":", []), ("\"", [5, 4, 3, 2, 1]), ("http://", []), ("x=1", [1]),
        ("||", []),
    ]

    @Test func wordsChooseRequests() throws {
        let mock = try mock()
        for (words, sequences) in Self.cases {
            let query = words.utf8.map { "%" + String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
            let answer = try mock.admin("GET", "/requests?view=row&q=\(query)")
            let found = answer["requests"]?.arrayValue?.compactMap { $0["sequence"]?.intValue }
            #expect(found == sequences, "\(words)")
            #expect(answer["meta"] == ["total": 5, "searched": 5, "complete": true])
        }
    }

    @Test func aRequestInFlightIsOpenAndMayBeHeld() throws {
        let mock = try mock()
        let held = try RawClient(port: mock.port)
        try held.send("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try mock.waitUntil(inFlight: 1)
        for words in ["is:open", "is:held", "is:held -is:fault"] {
            let query = words.split(separator: " ").joined(separator: "%20")
            let answer = try mock.admin("GET", "/requests?view=row&q=\(query)")
            #expect(answer["requests"]?.arrayValue?.map { $0["gate"] } == ["pay"], "\(words)")
        }
    }

    @Test func aRowTellsTheAnswerToo() throws {
        let mock = try mock()
        let rows = try #require(try mock.admin("GET", "/requests?view=row")["requests"]?.arrayValue)
        #expect(rows[4]["end"] == "sent")
        #expect(rows[4]["durationUs"] != nil)
        #expect(rows[4]["request"] == nil)
        #expect(rows[0]["fault"] == "CONNECTION_RESET_BY_PEER")
        #expect(rows[1]["failure"]?.stringValue?.contains("none.txt") == true)
    }

    // MARK: Pages

    private func page(_ mock: TestMock, _ query: String) throws -> (rows: [JSONValue], meta: JSONValue?) {
        let answer = try mock.admin("GET", "/requests?view=row&" + query)
        return (answer["requests"]?.arrayValue ?? [], answer["meta"])
    }

    @Test func aListGoesOnWhereAnotherStopped() throws {
        let mock = try mock()
        let first = try page(mock, "limit=2")
        #expect(first.rows.map { $0["sequence"] } == [5, 4])
        #expect(first.meta?["complete"] == false)
        let next = try #require(first.meta?["next"]?.stringValue)
        #expect(try page(mock, "limit=2&before=\(next)").rows.map { $0["sequence"] } == [3, 2])
        let last = try page(mock, "before=3")
        #expect(last.rows.map { $0["sequence"] } == [2, 1])
        #expect(last.meta == ["total": 5, "searched": 2, "complete": true])
        let gone = "11111111-1111-4111-8111-111111111111"
        #expect(try page(mock, "before=\(gone)").rows.isEmpty)
        #expect(try Exchange(mock.port, "GET", "/__admin/requests?view=row&before=x").status == 400)
    }

    @Test func theRequestsOfAllSessionsAreInOneList() throws {
        let mock = try TestMock()
        let session = try mock.admin("POST", "/sessions", #"{"name": "login"}"#, status: 201)
        let id = try #require(session["id"]?.stringValue)
        for path in ["/1", "/__session/\(id)/2", "/3", "/__session/\(id)/4"] {
            _ = try Exchange(mock.port, "GET", path)
        }
        let all = try page(mock, "sessions=all")
        #expect(Set(all.rows.map { $0["url"]?.stringValue }) == ["/1", "/2", "/3", "/4"])
        #expect(all.rows.filter { $0["session"]?["name"] == "login" }.count == 2)
        #expect(all.rows.filter { $0["session"] == .null }.count == 2)
        #expect(all.meta?["total"] == 4)
        #expect(try page(mock, "sessions=all&q=session:login").rows.count == 2)
        #expect(try page(mock, "").rows.count == 2)
        var (seen, next): ([String], String?) = ([], nil)
        for _ in 0..<4 {
            let one = try page(mock, "sessions=all&limit=1" + (next.map { "&before=\($0)" } ?? ""))
            seen += one.rows.compactMap { $0["url"]?.stringValue }
            next = one.meta?["next"]?.stringValue
        }
        #expect(seen == all.rows.compactMap { $0["url"]?.stringValue })
        #expect(next == nil)
    }

    @Test func whatIsForRowsNeedsRows() throws {
        let mock = try TestMock()
        for query in ["q=a", "before=1", "sessions=all"] {
            #expect(try Exchange(mock.port, "GET", "/__admin/requests?\(query)").status == 400)
        }
        #expect(try Exchange(mock.port, "GET", "/__admin/requests?view=row&after=1").status == 400)
    }
}
