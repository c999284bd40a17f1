import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// What was sent, as the journal knows it.
@Suite struct ServedResponseTests {
    private static let stub =
        #"{"id": "99999999-9999-4999-8999-999999999999", "name": "file", "request": {"url": "/file"}, "#
        + #""response": {"bodyFileName": "a.txt", "headers": {"Content-Type": "text/plain"}}}"#

    private func mock(_ options: SessionOptions = SessionOptions(), _ text: String = "before") throws -> ServedSession {
        let mock = try ServedSession(options, files: ["a.txt": text])
        try mock.add(Self.stub)
        return mock
    }

    private func expectNewest(_ mock: ServedSession, body: String, status: Int = 200) {
        #expect(mock.newest?["response"]?["body"]?.stringValue == body)
        #expect(mock.newest?["response"]?["status"]?.intValue == status)
        #expect(mock.newestInHAR?["content"]?["text"]?.stringValue == body)
        #expect(mock.newestInHAR?["status"]?.intValue == status)
    }

    @Test func changingABodyFileKeepsTheRecordedResponse() throws {
        let mock = try mock()
        #expect(try mock.ask("GET", "/file").text == "before")
        mock.files["a.txt"] = "after"
        expectNewest(mock, body: "before")
        mock.files["a.txt"] = nil
        expectNewest(mock, body: "before")
        #expect(mock.newest?["response"]?["headers"]?["Content-Type"] == "text/plain")
        mock.files["a.txt"] = "at last"
        #expect(try mock.ask("GET", "/file").text == "at last")
        expectNewest(mock, body: "at last")
        #expect(
            mock.session.events.map { $0.response.map { String(decoding: $0.body, as: UTF8.self) } } == [
                "at last", "before",
            ])
    }

    @Test func changingAServedFileKeepsTheRecordedResponse() throws {
        let mock = try ServedSession(files: ["page.txt": "0123456789"])
        #expect(try mock.ask("GET", "/page.txt").text == "0123456789")
        mock.files["page.txt"] = "after"
        expectNewest(mock, body: "0123456789")
        #expect(mock.newest?["response"]?["headers"] == ["Content-Type": "text/plain"])
        #expect(mock.newest?["responseDefinition"] == ["status": 200, "bodyFileName": "page.txt"])
        mock.files["page.txt"] = "0123456789"
        #expect(try mock.ask("GET", "/page.txt", headers: ["Range: bytes=2-4"]).text == "234")
        expectNewest(mock, body: "234", status: 206)
        #expect(mock.newest?["response"]?["headers"]?["Content-Range"] == "bytes 2-4/10")
    }

    @Test(arguments: [
        #""body": "one", "status": 201"#, #""jsonBody": "one", "status": 201"#, #""base64Body": "b25l", "status": 201"#,
        #""bodyFileName": "a.txt", "status": 201"#,
    ])
    func editingAStubKeepsTheRecordedResponse(response: String) throws {
        let mock = try ServedSession(files: ["a.txt": "one"])
        let id = "88888888-8888-4888-8888-888888888888"
        func mapping(_ response: String) throws -> StubMapping {
            try StubMapping(
                json: JSONValue(parsing: #"{"id": "\#(id)", "request": {"url": "/x"}, "response": {\#(response)}}"#))
        }
        let first = try mapping(response)
        try mock.session.add(first)
        let sent = try mock.ask("GET", "/x").text
        #expect(sent.contains("one"))
        #expect(try mock.session.replace(mapping(#""body": "two", "status": 202"#)))
        expectNewest(mock, body: sent, status: 201)
        #expect(try mock.session.remove(first.id))
        expectNewest(mock, body: sent, status: 201)
    }

    @Test func aStubWithoutItsFileFailsAndIsCounted() throws {
        let mock = try mock()
        mock.files["a.txt"] = nil
        let answer = try mock.ask("GET", "/file")
        #expect(answer.status == 500)
        #expect(answer.text == "The body file `a.txt` of the stub cannot be served: no file a.txt\n")
        #expect(mock.session.counts == (1, 0, 1))
        let event = try #require(mock.session.events.first)
        #expect(event.failure == "the body file a.txt cannot be served: no file a.txt")
        expectNewest(mock, body: "", status: 500)
        #expect(mock.log.failures.withLock { $0 } == [event.failure])
        mock.files["a.txt"] = "there"
        #expect(try mock.ask("GET", "/file").text == "there")
        #expect(mock.session.counts == (2, 0, 1))
        #expect(mock.session.events.map(\.status) == [200, 500])
    }

    @Test func anAnswerThatFailsHasNeitherTheDelayNorTheFaultsOfItsStub() throws {
        let mock = try mock()
        let faults = #"[{"delay": "60s"}, {"cutAfter": 1}]"#
        try mock.add(
            #"{"request": {"url": "/slow"}, "response": {"bodyFileName": "none", "fixedDelayMilliseconds": 60000, "fault": \#(faults)}}"#
        )
        #expect(try mock.ask("GET", "/slow").status == 500)
        let event = try #require(mock.session.events.first)
        #expect(event.addedDelay == 0)
        #expect(event.faults.isEmpty, "\(event.faults)")
    }

    // MARK: Limits

    @Test func eventsShareOneResponseForEachContent() throws {
        let mock = try mock(SessionOptions(), String(repeating: "x", count: 50_000))
        for _ in 0..<20 { try mock.ask("GET", "/file") }
        mock.files["a.txt"] = "new"
        for _ in 0..<20 { try mock.ask("GET", "/file", headers: ["Accept-Encoding: gzip"]) }
        let events = mock.session.events
        let responses = events.compactMap(\.response)
        #expect(responses.count == 40)
        #expect(Set(responses.map(ObjectIdentifier.init)).count == 2)
        let own = events.reduce(0) { $0 + $1.byteCount }
        #expect(mock.journalBytes == own + responses[0].byteCount + responses[39].byteCount)
    }

    /// Expects that the events have so many responses, each charged once.
    private func expectResponses(_ count: Int, ofEvents events: Int, _ mock: ServedSession) {
        let kept = mock.session.events
        let responses = kept.compactMap(\.response)
        #expect(responses.count == events)
        var charged: [ObjectIdentifier: Int] = [:]
        for response in responses { charged[ObjectIdentifier(response)] = response.byteCount }
        #expect(charged.count == count)
        let own = kept.reduce(0) { $0 + $1.byteCount }
        #expect(mock.journalBytes == own + charged.values.reduce(0, +))
    }

    /// The whole content of a file or of a body that has ranges, whoever asks for it.
    @Test(arguments: [
        "", #""bodyFileName": "a.txt", "ranges": true"#, #""body": "0123456789", "ranges": true"#,
    ])
    func eventsShareOneResponseForEachWholeContent(response: String) throws {
        let text = String(repeating: "x", count: 500_000)
        let mock = try ServedSession(files: ["a.txt": text])
        if !response.isEmpty { try mock.add(#"{"request": {"url": "/a.txt"}, "response": {\#(response)}}"#) }
        let connection = try PersistentConnection(port: mock.server.port)
        for index in 0..<150 {
            let headers = index % 2 == 0 ? [] : ["Accept-Encoding: gzip"]
            #expect(try connection.request("GET", "/a.txt", headers: headers).status == 200)
        }
        expectResponses(1, ofEvents: 150, mock)
        // Parts are what was sent.
        #expect(try connection.request("GET", "/a.txt", headers: ["Range: bytes=1-2"]).status == 206)
        #expect(try connection.request("GET", "/a.txt", headers: ["Range: bytes=2-3"]).status == 206)
        expectResponses(3, ofEvents: 152, mock)
        let isFile = !response.hasPrefix(#""body":"#)
        mock.files["a.txt"] = "new"
        for _ in 0..<2 { #expect(try connection.request("GET", "/a.txt").status == 200) }
        expectResponses(isFile ? 4 : 3, ofEvents: 154, mock)
        if isFile { #expect(mock.session.events.first?.response?.body == Array("new".utf8)) }
        mock.session.clearJournal()
        #expect(mock.journalBytes == 0)
        #expect(try connection.request("GET", "/a.txt").status == 200)
        expectResponses(1, ofEvents: 1, mock)
    }

    /// The beginning of a file that is too large for memory is read once a version.
    @Test(arguments: ["", #""bodyFileName": "large.txt""#, #""bodyFileName": "large.txt", "ranges": true"#])
    func eventsShareTheBeginningOfALargeFile(response: String) throws {
        let folder = try TemporaryFolder()
        func file(_ character: String, version: UInt64) throws -> BodyFile {
            let size = 200_000
            try folder.write("large.txt", String(repeating: character, count: size))
            let open = OpenFile(try SystemCalls.open(folder.path + "/large.txt", .read), size: size)
            return BodyFile(.file(open, 0..<size), version: version, modified: 1)
        }
        let mock = try ServedSession()
        let path = "/large.txt"
        if !response.isEmpty { try mock.add(#"{"request": {"url": "\#(path)"}, "response": {\#(response)}}"#) }
        let connection = try PersistentConnection(port: mock.server.port)
        for (version, character) in [(1, "a"), (2, "b")] {
            let large = try file(character, version: UInt64(version))
            mock.files.large.withLock { $0["large.txt"] = large }
            for _ in 0..<20 { #expect(try connection.request("GET", path).body.count == 200_000) }
            expectResponses(version, ofEvents: 20 * version, mock)
            let response = try #require(mock.session.events.first?.response)
            let isBeginning = response.body == Array(repeating: Array(character.utf8)[0], count: 65_536)
            #expect(isBeginning && response.wholeBody == 200_000)
        }
    }

    @Test func droppedEventsReleaseTheirBytes() throws {
        var options = SessionOptions()
        options.journalEvents = 3
        let mock = try mock(options, String(repeating: "x", count: 50_000))
        try mock.add(#"{"request": {"url": "/plain"}, "response": {"body": "small"}}"#)
        try mock.ask("GET", "/file")
        try mock.ask("GET", "/file")
        let response = try #require(mock.session.events.first?.response)
        for left in [2, 1, 0] {
            let events = mock.session.events
            let own = events.reduce(0) { $0 + $1.byteCount }
            #expect(events.filter { $0.response === response }.count == left || left == 2)
            #expect(mock.journalBytes == own + (events.contains { $0.response === response } ? response.byteCount : 0))
            try mock.ask("GET", "/plain")
            if left == 2 { try mock.ask("GET", "/plain") }
        }
        #expect(!mock.session.events.contains { $0.response === response })
        #expect(mock.journalBytes == mock.session.events.reduce(0) { $0 + $1.byteCount })

        try mock.ask("GET", "/file")
        let id = try #require(mock.newest?["id"]?.stringValue.flatMap { StubMapping.id(text: $0) })
        mock.session.removeRequest(id)
        #expect(mock.journalBytes == mock.session.events.reduce(0) { $0 + $1.byteCount })
        try mock.ask("GET", "/file")
        mock.session.clearJournal()
        #expect(mock.journalBytes == 0)
    }

    /// Otherwise a journal could hold any amount of file contents that were served once and changed since.
    @Test func contentsCountAgainstTheBytesOfTheJournal() throws {
        var options = SessionOptions()
        options.journalBytes = 100_000
        let mock = try mock(options)
        for number in 0..<10 {
            mock.files["a.txt"] = String(repeating: String(number), count: 30_000)
            try mock.ask("GET", "/file")
        }
        #expect(mock.session.events.count == 3)
        #expect(mock.session.evictedCount == 7)
        #expect(mock.journalBytes <= 100_000)
        expectNewest(mock, body: String(repeating: "9", count: 30_000))
    }

    @Test func aLongBodyIsTruncatedAndMarked() throws {
        var options = SessionOptions()
        options.journalBodyLimit = 1_000
        let mock = try mock(options, String(repeating: "x", count: 5_000))
        #expect(try mock.ask("GET", "/file").text.utf8.count == 5_000)
        expectNewest(mock, body: String(repeating: "x", count: 1_000))
        #expect(mock.newestInHAR?["content"]?["size"] == 5_000)
        #expect(
            mock.newest?["subEvents"] == [
                [
                    "type": "WARNING",
                    "data": [
                        "message":
                            "Only the first 1000 of the response body's 5000 bytes are kept, see --journal-body-limit"
                    ],
                ]
            ])
        mock.files["a.txt"] = String(repeating: "y", count: 1_000)
        try mock.ask("GET", "/file")
        #expect(mock.newest?["subEvents"] == [])
        #expect(mock.newestInHAR?["content"]?["size"] == 1_000)
    }
}
