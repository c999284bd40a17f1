import HTTPTransport
import JSON
import StubModel
import TestSupport
import Testing

@testable import MockEngine

/// What was sent, as the journal knows it.
@Suite struct ServedResponseTests {
    private static let stub =
        #"{"id": "99999999-9999-4999-8999-999999999999", "name": "file", "request": {"url": "/file"}, "#
        + #""response": {"bodyFileName": "a.txt", "headers": {"Content-Type": "text/plain"}}}"#

    private func house(_ options: SessionOptions = SessionOptions(), _ text: String = "before") throws -> ServedSession
    {
        let house = try ServedSession(options, files: ["a.txt": text])
        try house.add(Self.stub)
        return house
    }

    private func expectNewest(_ house: ServedSession, body: String, status: Int = 200) {
        #expect(house.newest?["response"]?["body"]?.stringValue == body)
        #expect(house.newest?["response"]?["status"]?.intValue == status)
        #expect(house.newestInHAR?["content"]?["text"]?.stringValue == body)
        #expect(house.newestInHAR?["status"]?.intValue == status)
    }

    @Test func changingABodyFileKeepsTheRecordedResponse() throws {
        let house = try house()
        #expect(try house.ask("GET", "/file").text == "before")
        house.files["a.txt"] = "after"
        expectNewest(house, body: "before")
        house.files["a.txt"] = nil
        expectNewest(house, body: "before")
        #expect(house.newest?["response"]?["headers"]?["Content-Type"] == "text/plain")
        house.files["a.txt"] = "at last"
        #expect(try house.ask("GET", "/file").text == "at last")
        expectNewest(house, body: "at last")
        #expect(
            house.session.events.map { $0.response.map { String(decoding: $0.body, as: UTF8.self) } } == [
                "at last", "before",
            ])
    }

    @Test func changingAServedFileKeepsTheRecordedResponse() throws {
        let house = try ServedSession(files: ["page.txt": "0123456789"])
        #expect(try house.ask("GET", "/page.txt").text == "0123456789")
        house.files["page.txt"] = "after"
        expectNewest(house, body: "0123456789")
        #expect(house.newest?["response"]?["headers"] == ["Content-Type": "text/plain"])
        #expect(house.newest?["responseDefinition"] == ["status": 200, "bodyFileName": "page.txt"])
        house.files["page.txt"] = "0123456789"
        #expect(try house.ask("GET", "/page.txt", headers: ["Range: bytes=2-4"]).text == "234")
        expectNewest(house, body: "234", status: 206)
        #expect(house.newest?["response"]?["headers"]?["Content-Range"] == "bytes 2-4/10")
    }

    @Test(arguments: [
        #""body": "one", "status": 201"#, #""jsonBody": "one", "status": 201"#, #""base64Body": "b25l", "status": 201"#,
        #""bodyFileName": "a.txt", "status": 201"#,
    ])
    func editingAStubKeepsTheRecordedResponse(response: String) throws {
        let house = try ServedSession(files: ["a.txt": "one"])
        let id = "88888888-8888-4888-8888-888888888888"
        func mapping(_ response: String) throws -> StubMapping {
            try StubMapping(
                json: JSONValue(parsing: #"{"id": "\#(id)", "request": {"url": "/x"}, "response": {\#(response)}}"#))
        }
        let first = try mapping(response)
        try house.session.add(first)
        let sent = try house.ask("GET", "/x").text
        #expect(sent.contains("one"))
        #expect(try house.session.replace(mapping(#""body": "two", "status": 202"#)))
        expectNewest(house, body: sent, status: 201)
        #expect(try house.session.remove(first.id))
        expectNewest(house, body: sent, status: 201)
    }

    @Test func aStubWithoutItsFileFailsAndIsCounted() throws {
        let house = try house()
        house.files["a.txt"] = nil
        let answer = try house.ask("GET", "/file")
        #expect(answer.status == 500)
        #expect(answer.text == "The body file `a.txt` of the stub cannot be served: no file a.txt\n")
        #expect(house.session.counts == (1, 0, 1))
        let event = try #require(house.session.events.first)
        #expect(event.failure == "the body file a.txt cannot be served: no file a.txt")
        expectNewest(house, body: "", status: 500)
        #expect(house.log.failures.withLock { $0 } == [event.failure])
        house.files["a.txt"] = "there"
        #expect(try house.ask("GET", "/file").text == "there")
        #expect(house.session.counts == (2, 0, 1))
        #expect(house.session.events.map(\.status) == [200, 500])
    }

    // MARK: Limits

    @Test func eventsShareOneResponseForEachContent() throws {
        let house = try house(SessionOptions(), String(repeating: "x", count: 50_000))
        for _ in 0..<20 { try house.ask("GET", "/file") }
        house.files["a.txt"] = "new"
        for _ in 0..<20 { try house.ask("GET", "/file", headers: ["Accept-Encoding: gzip"]) }
        let events = house.session.events
        let responses = events.compactMap(\.response)
        #expect(responses.count == 40)
        #expect(Set(responses.map(ObjectIdentifier.init)).count == 2)
        let own = events.reduce(0) { $0 + $1.byteCount }
        #expect(house.journalBytes == own + responses[0].byteCount + responses[39].byteCount)
    }

    @Test func droppedEventsReleaseTheirBytes() throws {
        var options = SessionOptions()
        options.journalEvents = 3
        let house = try house(options, String(repeating: "x", count: 50_000))
        try house.add(#"{"request": {"url": "/plain"}, "response": {"body": "small"}}"#)
        try house.ask("GET", "/file")
        try house.ask("GET", "/file")
        let response = try #require(house.session.events.first?.response)
        for left in [2, 1, 0] {
            let events = house.session.events
            let own = events.reduce(0) { $0 + $1.byteCount }
            #expect(events.filter { $0.response === response }.count == left || left == 2)
            #expect(house.journalBytes == own + (events.contains { $0.response === response } ? response.byteCount : 0))
            try house.ask("GET", "/plain")
            if left == 2 { try house.ask("GET", "/plain") }
        }
        #expect(!house.session.events.contains { $0.response === response })
        #expect(house.journalBytes == house.session.events.reduce(0) { $0 + $1.byteCount })

        try house.ask("GET", "/file")
        let id = try #require(house.newest?["id"]?.stringValue.flatMap { StubMapping.id(text: $0) })
        house.session.removeRequest(id)
        #expect(house.journalBytes == house.session.events.reduce(0) { $0 + $1.byteCount })
        try house.ask("GET", "/file")
        house.session.clearJournal()
        #expect(house.journalBytes == 0)
    }

    /// Contents that come and go are what a journal could hold without end.
    @Test func contentsCountAgainstTheBytesOfTheJournal() throws {
        var options = SessionOptions()
        options.journalBytes = 100_000
        let house = try house(options)
        for number in 0..<10 {
            house.files["a.txt"] = String(repeating: String(number), count: 30_000)
            try house.ask("GET", "/file")
        }
        #expect(house.session.events.count == 3)
        #expect(house.session.evictedCount == 7)
        #expect(house.journalBytes <= 100_000)
        expectNewest(house, body: String(repeating: "9", count: 30_000))
    }

    @Test func aLongBodyIsTruncatedAndMarked() throws {
        var options = SessionOptions()
        options.journalBodyLimit = 1_000
        let house = try house(options, String(repeating: "x", count: 5_000))
        #expect(try house.ask("GET", "/file").text.utf8.count == 5_000)
        expectNewest(house, body: String(repeating: "x", count: 1_000))
        #expect(house.newestInHAR?["content"]?["size"] == 5_000)
        #expect(
            house.newest?["subEvents"] == [
                [
                    "type": "WARNING",
                    "data": [
                        "message":
                            "Only the first 1000 of the response body's 5000 bytes are kept, see --journal-body-limit"
                    ],
                ]
            ])
        house.files["a.txt"] = String(repeating: "y", count: 1_000)
        try house.ask("GET", "/file")
        #expect(house.newest?["subEvents"] == [])
        #expect(house.newestInHAR?["content"]?["size"] == 1_000)
    }
}
