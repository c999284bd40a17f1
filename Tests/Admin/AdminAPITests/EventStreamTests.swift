import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `events`: the changes and requests of a session as server-sent events.
@Suite struct EventStreamTests {
    @Test func aRequestIsReportedBeforeItsResponse() throws {
        let mock = try TestMock()
        try mock.add(#"{"id": "11111111-1111-4111-8111-111111111111", "name": "a", "request": {"url": "/a"}}"#)
        let stream = try EventStreamClient(mock.port)
        #expect(stream.head.header("Content-Type") == "text/event-stream")
        #expect(stream.head.header("Cache-Control") == "no-store")
        #expect(stream.head.header("Transfer-Encoding") == "chunked")
        #expect(stream.head.header("Vary") == "Origin")
        _ = try Exchange(mock.port, "POST", "/a?x=1", body: "hello")
        let request = try #require(stream.next())
        #expect(request.type == "request")
        let data = try #require(request.data)
        #expect(data["sequence"] == 1)
        #expect(data["wasMatched"] == false)
        #expect(data["stub"] == nil)
        #expect(data["status"] == 404)
        #expect(data["request"]?["body"] == "hello")
        let list = try mock.admin("GET", "/requests")
        #expect(data["id"] == list["requests"]?[0]?["id"])
        #expect(data["request"] == list["requests"]?[0]?["request"])
        let response = try #require(stream.next()?.data)
        #expect(response["end"] == "sent")
        #expect(response["id"] == data["id"])
        #expect(try #require(response["bytesSent"]?.intValue) > 100)
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(
            stream.next()?.data?["stub"] == [
                "id": "11111111-1111-4111-8111-111111111111", "name": "a", "key": "ANY /a",
            ])
        #expect(stream.next()?.data?["status"] == 200)
    }

    @Test func changesAreReported() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port)
        let id = "11111111-1111-4111-8111-111111111111"
        let stub =
            #"{"id": "\#(id)", "name": "s", "request": {"url": "/a"}, "scenarioName": "n", "newScenarioState": "two"}"#
        _ = try mock.admin("POST", "/mappings", stub, status: 201)
        let added = stream.next()
        #expect(added?.type == "stub")
        #expect(added?.data == ["change": "added", "id": .string(id), "name": "s", "key": "ANY /a"])
        _ = try mock.admin("PUT", "/mappings/\(id)", stub)
        _ = try mock.admin("POST", "/mappings", stub, status: 422)
        _ = try mock.admin("PUT", "/scenarios/n/state", #"{"state": "two"}"#)
        _ = try mock.admin("PUT", "/scenarios/n/state")
        _ = try mock.admin("POST", "/scenarios/reset")
        _ = try mock.admin("DELETE", "/mappings/\(id)")
        _ = try mock.admin("DELETE", "/mappings/\(id)", status: 404)
        _ = try mock.admin("POST", "/mappings/import", #"{"mappings": [\#(stub)]}"#)
        _ = try mock.admin("POST", "/mappings/remove", stub)
        _ = try mock.admin("POST", "/mappings", stub, status: 201)
        _ = try mock.admin("DELETE", "/mappings/unmatched")
        _ = try mock.admin("DELETE", "/mappings")
        _ = try mock.admin("DELETE", "/requests")
        _ = try Exchange(mock.port, "POST", "/__admin/reset")
        mock.session.reloaded(
            FileReload(files: ["a.json"], problems: [.init(isError: true, text: "a.json:1:1: no JSON")]))
        #expect(
            stream.words(13) == [
                "stub edited", "scenario two", "scenario Started", "reset scenarios", "stub removed", "stub imported",
                "stub removed", "stub added", "stub removed", "stub allRemoved", "reset requests", "reset all",
                "reload ",
            ])
        // The words above left out the details of a reload.
        let again = try EventStreamClient(mock.port, "?after=0&types=reload")
        #expect(
            again.next()?.data == [
                "files": ["a.json"], "problems": [["severity": "error", "message": "a.json:1:1: no JSON"]],
            ])
    }

    @Test func onlyTheRequestedTypesAreSent() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?types=response,reset")
        _ = try Exchange(mock.port, "GET", "/a")
        try mock.add(#"{"request": {"url": "/a"}}"#)
        _ = try mock.admin("DELETE", "/requests")
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(stream.words(3) == ["response #1", "reset requests", "response #2"])
        let answer = try Exchange(mock.port, "GET", "/__admin/events?types=request,stubs")
        #expect(answer.status == 400)
        #expect(answer.json?["errors"]?[0]?["source"]?["pointer"] == "types")
    }

    /// A file may add names while somebody follows.
    @Test func whatIsHiddenLaterIsHidden() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "a?latename=hush1", "request": {"urlPath": "/a"}}"#)
        for query in ["", "?view=row"] {
            let stream = try EventStreamClient(mock.port, query)
            _ = try Exchange(mock.port, "GET", "/a?latename=hush1")
            let open = try (0..<2).map { _ in try #require(stream.next()).description }
            #expect(open[0].contains("hush1"), "\(open)")
            mock.session.replaceRedacted(["latename"], of: "a.yaml")
            _ = try Exchange(mock.port, "GET", "/a?latename=hush1")
            let hidden = try (0..<2).map { _ in try #require(stream.next()).description }
            #expect(!hidden.joined().contains("hush1"), "\(hidden)")
            mock.session.replaceRedacted([], of: "a.yaml")
        }
    }

    // MARK: Resuming

    @Test func aReaderResumesWhereItStopped() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port)
        _ = try Exchange(mock.port, "GET", "/1")
        #expect(stream.words(2) == ["request #1", "response #1"])
        stream.client.close()
        try mock.waitUntil(listeners: 0)
        try mock.add(#"{"request": {"url": "/a"}}"#)
        _ = try Exchange(mock.port, "GET", "/2")
        _ = try mock.admin("PUT", "/mappings/\(try #require(mock.session.stubs.first?.id.lowercasedString))", "{}")
        _ = try Exchange(mock.port, "GET", "/3")
        let resumed = try EventStreamClient(mock.port, lastEventID: stream.lastID)
        #expect(
            resumed.words(6) == [
                "stub added", "request #2", "response #2", "stub edited", "request #3", "response #3",
            ])
        _ = try Exchange(mock.port, "GET", "/4")
        #expect(resumed.words(2) == ["request #4", "response #4"])
        // A client can resume from any id, even from one in a repeated part.
        let half = try EventStreamClient(mock.port, lastEventID: stream.lastID)
        #expect(half.words(2) == ["stub added", "request #2"])
        let other = try EventStreamClient(mock.port, lastEventID: half.lastID)
        #expect(other.words(3) == ["response #2", "stub edited", "request #3"])
    }

    @Test func aResponseDuringADisconnectionIsReportedOnce() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let stream = try EventStreamClient(mock.port)
        let slow = try RawClient(port: mock.port)
        try slow.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.words(1) == ["request #1"])
        _ = try Exchange(mock.port, "GET", "/2")
        #expect(stream.words(2) == ["request #2", "response #2"])
        stream.client.close()
        try mock.waitUntil(listeners: 0)
        // Still in flight: its end will be reported.
        let early = try EventStreamClient(mock.port, lastEventID: stream.lastID)
        slow.reset()
        // Events after it may be repeated.
        #expect(early.words(2) == ["response #2", "response #1"])
        let late = try EventStreamClient(mock.port, lastEventID: stream.lastID)
        #expect(late.words(2) == ["response #1", "response #2"])
        let all = try EventStreamClient(mock.port, lastEventID: early.lastID)
        _ = try Exchange(mock.port, "GET", "/3")
        #expect(all.words(2) == ["request #3", "response #3"])
    }

    @Test(arguments: ["0", "?", "00000000.1.2.3", "9999"]) func eventsThatAreNoLongerKeptAreReportedAsAGap(
        position: String
    ) throws {
        var options = SessionOptions()
        options.journalEvents = 2
        let mock = try TestMock(session: options)
        for number in 1...4 { _ = try Exchange(mock.port, "GET", "/\(number)") }
        let stream = try EventStreamClient(mock.port, "?after=\(position)")
        let gap = try #require(stream.next())
        #expect(gap.type == "gap")
        #expect(gap.data?["reason"] == (position == "0" ? "no longer kept" : "another run"))
        #expect(gap.data?["requestsUpTo"] == 2)
        #expect(stream.words(4) == ["request #3", "response #3", "request #4", "response #4"])
        let behind = try EventStreamClient(mock.port, "?after=3")
        #expect(behind.words(2) == ["request #4", "response #4"])
    }

    @Test func moreChangesThanAreKeptAreReportedAsAGap() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?types=reset")
        mock.session.clearJournal()
        #expect(stream.words(1) == ["reset requests"])
        for _ in 0..<600 { mock.session.clearJournal() }
        let words = try EventStreamClient(mock.port, "?types=reset", lastEventID: stream.lastID).words(2)
        #expect(words == ["gap no longer kept", "reset requests"])
    }

    @Test func withoutAJournalMissedEventsAreReportedAsAGap() throws {
        var options = SessionOptions()
        options.keepsJournal = false
        let mock = try TestMock(session: options)
        let stream = try EventStreamClient(mock.port)
        _ = try Exchange(mock.port, "GET", "/1")
        #expect(stream.words(2) == ["request #1", "response #1"])
        stream.client.close()
        try mock.waitUntil(listeners: 0)
        _ = try Exchange(mock.port, "GET", "/2")
        let resumed = try EventStreamClient(mock.port, lastEventID: stream.lastID)
        _ = try Exchange(mock.port, "GET", "/3")
        #expect(resumed.words(3) == ["gap no longer kept", "request #3", "response #3"])
    }

    // MARK: What is shown

    @Test func secretsAreNotShown() throws {
        var options = SessionOptions()
        options.redaction = Redaction(["token"])
        let mock = try TestMock(session: options)
        let stream = try EventStreamClient(mock.port)
        _ = try Exchange(
            mock.port, "GET", "/a?token=s3cret&b=c", headers: [("Authorization", "s3cret"), ("Cookie", "a=s3cret")])
        let event = try #require(stream.next()?.data)
        #expect(!event.compactText.contains("s3cret"))
        #expect(event["url"] == "/a?token=(redacted)&b=c")
        #expect(event["request"]?["headers"]?["Authorization"] == "(redacted)")
        #expect(event["request"]?["cookies"]?["a"] == "(redacted)")
        #expect(event["request"]?["queryParams"]?["b"]?["values"] == ["c"])
        #expect(stream.next()?.data?["url"] == "/a?token=(redacted)&b=c")
    }

    @Test func aFailureSaysWhy() throws {
        var options = SessionOptions()
        options.matchBudget = 1_000_000
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"url": "/file"}, "response": {"bodyFileName": "none.html"}}"#)
        try mock.add(#"{"request": {"url": "/dear", "bodyPatterns": [{"matches": "(a+)+$"}]}}"#)
        let stream = try EventStreamClient(mock.port, "?types=response")
        _ = try Exchange(mock.port, "GET", "/file")
        let file = try #require(stream.next()?.data)
        #expect(file["status"] == 500)
        #expect(file["failure"]?.stringValue?.hasPrefix("the body file none.html cannot be served") == true)
        _ = try Exchange(mock.port, "POST", "/dear", body: String(repeating: "a", count: 40) + "b")
        let dear = try #require(stream.next()?.data)
        #expect(dear["failure"]?.stringValue?.contains("--match-budget") == true, "\(dear.compactText)")
        _ = try Exchange(mock.port, "GET", "/none")
        #expect(try #require(stream.next()?.data)["failure"] == nil)
    }

    @Test func aLongBodyIsTruncated() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port)
        _ = try Exchange(mock.port, "POST", "/a", body: String(repeating: "x", count: 9_000))
        let request = try #require(stream.next()?.data?["request"])
        #expect(request["body"]?.stringValue?.count == 8_192)
        #expect(request["bodyTruncatedFrom"] == 9_000)
    }

    // MARK: Readers

    @Test func aClientWithoutChunksReadsToTheEnd() throws {
        let mock = try TestMock()
        let client = try RawClient(port: mock.port)
        try client.send("GET /__admin/events?types=reset HTTP/1.0\r\nHost: localhost\r\n\r\n")
        try mock.waitUntil(listeners: 1)
        mock.session.clearJournal()
        mock.endWaiting()
        let received = client.receiveAll()
        #expect(received.ending == .fin)
        #expect(!received.text.contains("chunked"))
        #expect(received.text.hasSuffix("data: {\"what\":\"requests\"}\n\n"), "\(received)")
    }

    @Test func aStreamEndsInOrderWithTheDaemon() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port)
        mock.endWaiting()
        #expect(stream.client.receive(5).text == "0\r\n\r\n")
        try mock.waitUntil(listeners: 0)
    }

    @Test func manyReadersGetTheSameOrder() throws {
        var options = SessionOptions()
        options.workers = 3
        let mock = try TestMock(session: options)
        let streams = try (0..<20).map { _ in try EventStreamClient(mock.port) }
        #expect(mock.session.listenerCount == 1)
        let client = try RawClient(port: mock.port)
        for number in 1...30 {
            try client.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try Exchange(mock.port, "GET", "/\(number)")
        }
        let events = streams.map { stream in (0..<120).map { _ in stream.next() } }
        for one in events.dropFirst() { #expect(one == events[0]) }
        let requests = events[0].compactMap { $0 }.filter { $0.type == "request" }
        #expect(requests.map { $0.data?["sequence"]?.intValue } == (1...60).map { $0 })
        for stream in streams { stream.client.reset() }
        try mock.waitUntil(listeners: 0)
    }

    /// A large backlog is sent at once, and is no reason to cut the reader off.
    @Test func manyMissedEventsAreReplayed() throws {
        let mock = try TestMock()
        let client = try RawClient(port: mock.port)
        let body = String(repeating: "x", count: 8_000)
        for _ in 0..<150 {
            try client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n" + body)
            _ = client.receive(until: "HTTP/1.1 404")
        }
        let stream = try EventStreamClient(mock.port, "?after=0")
        _ = try Exchange(mock.port, "GET", "/b")
        for number in 1...151 { #expect(stream.words(2) == ["request #\(number)", "response #\(number)"]) }
    }

    /// A reader that does not read does not make the daemon's memory grow.
    @Test func aReaderThatDoesNotReadIsDisconnected() throws {
        let mock = try TestMock()
        let lazy = try EventStreamClient(mock.port)
        lazy.client.shrinkReceiveBuffer(to: 4_096)
        try mock.waitUntil(listeners: 1)
        let body = String(repeating: "x", count: 8_000)
        let client = try RawClient(port: mock.port)
        let request = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        var sent = 0
        while mock.session.listenerCount > 0, sent < 2_000 {
            try client.send(request)
            _ = client.receive(until: "HTTP/1.1 404")
            sent += 1
        }
        #expect(sent < 2_000)
        #expect(lazy.client.receiveAll().ending == .rst)
    }
}
