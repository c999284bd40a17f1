import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// Rows of `events?view=row`: requests as lines of a list.
@Suite struct EventRowTests {
    @Test func aRowHasNoRequestButWhatALineShows() throws {
        let mock = try TestMock()
        try mock.add(
            #"""
            {"id": "11111111-1111-4111-8111-111111111111", "name": "a", "request": {"urlPath": "/a"},
             "response": {"body": "hi", "headers": {"Content-Type": "text/plain"}}}
            """#)
        let stream = try EventStreamClient(mock.port, "?view=row")
        _ = try Exchange(mock.port, "POST", "/a?x=1", body: "hello")
        let row = try #require(stream.next()?.data?.objectValue)
        #expect(
            row.members.map(\.key) == [
                "sequence", "id", "method", "url", "at", "wasMatched", "status", "stub", "delayMs", "protocol", "host",
                "clientIp", "type",
            ])
        #expect(row["url"] == "/a?x=1")
        #expect(row["stub"]?["name"] == "a")
        #expect(row["protocol"] == "HTTP/1.1")
        #expect(row["host"] == "localhost")
        #expect(row["clientIp"] == "127.0.0.1")
        #expect(row["type"] == "text/plain")
        #expect(try #require(row["at"]?.intValue) > 1_700_000_000_000)
        let response = try #require(stream.next()?.data)
        #expect(response["end"] == "sent")
        let (milliseconds, microseconds) = (response["durationMs"]?.intValue, response["durationUs"]?.intValue)
        #expect(try #require(microseconds) / 1_000 == milliseconds)
    }

    @Test func aRowNamesTheGateAndTheServerBehind() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/held"}, "response": {"hold": {"gate": "pay"}}}"#)
        try mock.add(#"{"request": {"url": "/far"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}}"#)
        let stream = try EventStreamClient(mock.port, "?view=row&types=request")
        let held = try RawClient(port: mock.port)
        try held.send("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.next()?.data?["gate"] == "pay")
        _ = try Exchange(mock.port, "GET", "/far")
        #expect(stream.next()?.data?["proxied"] == true)
    }

    @Test func aRowHidesSecretsAndCutsLongURLs() throws {
        var options = SessionOptions()
        options.redaction = Redaction(["token"])
        let mock = try TestMock(session: options)
        let stream = try EventStreamClient(mock.port, "?view=row&types=request")
        _ = try Exchange(mock.port, "GET", "/a?token=s3cret&b=c")
        #expect(stream.next()?.data?["url"] == "/a?token=(redacted)&b=c")
        _ = try Exchange(mock.port, "GET", "/" + String(repeating: "x", count: 3_000))
        #expect(stream.next()?.data?["url"]?.stringValue?.count == 2_000)
    }

    @Test func readersOfBothViewsGetTheirOwn() throws {
        let mock = try TestMock()
        let whole = try EventStreamClient(mock.port, "?types=request")
        let row = try EventStreamClient(mock.port, "?types=request&view=row")
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(whole.next()?.data?["request"]?["url"] == "/a")
        #expect(row.next()?.data?["request"] == nil)
        let later = try EventStreamClient(mock.port, "?types=request&view=row&after=0")
        #expect(later.next()?.data?["at"] != nil)
        let refused = try Exchange(mock.port, "GET", "/__admin/events?view=rows")
        #expect(refused.status == 400)
    }

    /// The stream writes text and the list values, of one description.
    @Test func aRowIsTheSameInStreamAndList() throws {
        let mock = try TestMock()
        try mock.add(
            #"""
            {"name": "a \"quoted\" name", "request": {"urlPath": "/a"},
             "response": {"body": "hi", "headers": {"Content-Type": "text/plain"}, "fixedDelayMilliseconds": 1}}
            """#)
        try mock.add(#"{"request": {"url": "/cut"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#)
        try mock.add(#"{"request": {"url": "/file"}, "response": {"bodyFileName": "none.txt"}}"#)
        let stream = try EventStreamClient(mock.port, "?view=row")
        for path in ["/a?q=%22%5C", "/none", "/file"] { _ = try Exchange(mock.port, "GET", path) }
        _ = try mock.raw("GET /cut HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var rows: [JSONValue?: JSONObject] = [:]
        for _ in 0..<8 {
            let data = try #require(stream.next()?.data?.objectValue)
            var row = rows[data["id"]] ?? [:]
            for member in data.members { row[member.key] = member.value }
            rows[data["id"]] = row
        }
        let list = try mock.admin("GET", "/requests?view=row")["requests"]?.arrayValue ?? []
        #expect(list.count == 4)
        for row in list {
            // What is known only later is in the list alone or in the answer's event.
            #expect(row.objectValue == rows[row["id"]], "\(row)")
        }
    }

    @Test func manyRowsComeInOrderWhateverIsGathered() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?view=row")
        let client = try RawClient(port: mock.port)
        let count = 400
        for _ in 0..<count / 16 {
            try client.send(String(repeating: "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 16))
        }
        var told: [Int] = []
        while told.count < count {
            let event = try #require(stream.next())
            if event.type == "request" { told.append(try #require(event.data?["sequence"]?.intValue)) }
        }
        #expect(told == Array(1...count))
    }

    @Test func aSessionsEventsNameIt() throws {
        let mock = try TestMock()
        let session = try mock.admin("POST", "/sessions", #"{"name": "login"}"#, status: 201)
        let id = try #require(session["id"]?.stringValue)
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/a")
        let client = try RawClient(port: mock.port)
        try client.send("GET /__session/\(id)/__admin/events?after=0&view=row HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let text = client.receive(until: "event: response").text + client.receive(until: "}}\n\n").text
        #expect(text.components(of: #""session":{"id":"\#(id)","name":"login"}"#) == 2, "\(text)")
    }
}

extension String {
    /// How often a text is in it.
    func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let place = rest.firstRange(of: text) {
            count += 1
            rest = rest[place.upperBound...]
        }
        return count
    }
}
