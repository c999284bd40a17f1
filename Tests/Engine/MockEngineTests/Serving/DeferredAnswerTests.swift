import SDHTTPTransport
import SDJSON
import SDMatching
import SDReports
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Responses that other code makes, at once or later.
@Suite struct DeferredAnswerTests {
    /// Hands each answer that is to be given to the test.
    private final class Later: Responder {
        let answers = Events<DeferredAnswer>()
        let queries = Locked<[[String]]>([])

        func respond(to decision: inout Decision, _ answer: consuming Answer) {
            let query = decision.views.queryParameters() ?? []
            queries.withLock { $0.append(query.map { String(decoding: $0.value, as: UTF8.self) }) }
            answers.tell(answer.deferredAnswer())
        }
    }

    private final class AtOnce: Responder {
        func respond(to decision: inout Decision, _ answer: consuming Answer) {
            var definition = ResponseDefinition(status: 202)
            definition.statusMessage = "Taken"
            answer.send(definition, body: Array(decision.request.path))
        }
    }

    private final class Silent: Responder {
        func respond(to decision: inout Decision, _ answer: consuming Answer) {}
    }

    private final class Reader: EventReader {
        let texts = Events<String>()

        func send(_ events: WireBytes) { texts.tell(String(decoding: events.copy, as: UTF8.self)) }
        func finish() {}
    }

    private func mock(
        _ responder: some Responder, delay: Int? = nil, _ options: SessionOptions = SessionOptions()
    ) throws -> ServedSession {
        let mock = try ServedSession(options)
        var mapping = StubMapping(name: "late")
        mapping.request.url = .urlPath("/late")
        mapping.response.status = 201
        mapping.response.headers = [ResponseHeader("X-Own", ["yes"])]
        mapping.response.fixedDelayMilliseconds = delay
        try mock.session.add(mapping, answeredBy: responder)
        return mock
    }

    @Test func aBodyIsGivenLaterByOtherCode() throws {
        let later = Later()
        let mock = try mock(later)
        let client = try mock.send("/late?a=1")
        let answer = try #require(later.answers.next())
        #expect(later.queries.withLock { $0 } == [["1"]])
        // It is in the journal, and has no response.
        let event = try #require(mock.session.events.first)
        #expect(event.response == nil && event.status == nil && event.end == nil)
        #expect(mock.newest?["wasMatched"] == true)
        #expect(mock.newest?["response"] == nil)
        #expect(mock.newest?["responseDefinition"]?["status"] == 201)
        #expect(mock.newestInHAR?["status"] == 0)
        #expect(mock.session.counts == (1, 0, 0))
        #expect(mock.session.inFlight().slow.first?.state == .waiting)
        #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)

        answer.send(body: Array("given".utf8))
        let received = client.receive(until: "0\r\n\r\n").text
        #expect(received.hasPrefix("HTTP/1.1 201 Created\r\nX-Own: yes\r\n"))
        #expect(received.hasSuffix("\r\n\r\n5\r\ngiven\r\n0\r\n\r\n"))
        #expect(mock.newest?["response"]?["status"] == 201)
        #expect(mock.newest?["response"]?["body"] == "given")
        #expect(mock.newest?["response"]?["headers"]?["X-Own"] == "yes")
        #expect(mock.newestInHAR?["content"]?["text"] == "given")
        #expect(mock.log.ended.next() === event)
        #expect(event.end?.outcome == .sent)
        #expect(mock.session.inFlight().slow.isEmpty && mock.session.inFlight().total == 0)
        // The connection goes on.
        try client.send("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try #require(later.answers.next()).send(body: [])
        #expect(client.receive(until: "0\r\n\r\n").text.hasPrefix("HTTP/1.1 201 "))
    }

    @Test func aBodyIsGivenAtOnceByOtherCode() throws {
        let mock = try mock(AtOnce())
        let answer = try mock.ask("GET", "/late")
        #expect(answer.status == 202 && answer.reason == "Taken" && answer.text == "/late")
        #expect(answer["Matched-Stub-Name"] == "late")
        #expect(mock.newest?["response"]?["body"] == "/late")
        #expect(mock.newestInHAR?["statusText"] == "Taken")
    }

    @Test func readersGetARequestBeforeItsAnswerIsGiven() throws {
        let later = Later()
        let mock = try mock(later)
        let reader = Reader()
        let encoder = EventStreamEncoder(mock.session)
        _ = mock.session.addReader(
            reader, FeedSubscription(types: [.request, .response]), after: nil, encoder: encoder)
        _ = reader.texts.next()
        let client = try mock.send("/late")
        let request = try #require(reader.texts.next())
        #expect(request.contains("event: request\n") && request.contains("\"name\":\"late\""))
        #expect(!request.contains("\"status\""))
        try #require(later.answers.next()).send(body: [])
        let response = try #require(reader.texts.next())
        #expect(response.contains("event: response\n") && response.contains("\"status\":201"))
        _ = client
    }

    @Test func theFirstAnswerCounts() throws {
        let later = Later()
        let mock = try mock(later)
        let client = try mock.send("/late")
        let answer = try #require(later.answers.next())
        answer.send(body: Array("first".utf8))
        answer.send(body: Array("second".utf8))
        #expect(client.receive(until: "0\r\n\r\n").text.contains("first"))
        #expect(mock.newest?["response"]?["body"] == "first")
        #expect(mock.session.counts == (1, 0, 0))
    }

    /// Also while the first one is still to be sent; and the end of one that was given is no failure.
    @Test func aSecondAnswerLeavesNoTrace() throws {
        let later = Later()
        let mock = try mock(later, delay: 3_600_000)
        let client = try mock.send("/late")
        var answer = later.answers.next()
        answer?.send(body: Array("first".utf8))
        let kept = mock.journalBytes
        answer?.send(body: Array("the second".utf8))
        answer = nil
        #expect(mock.journalBytes == kept)
        #expect(mock.newest?["response"]?["body"] == "first")
        #expect(mock.session.counts == (1, 0, 0))
        #expect(mock.log.failures.withLock { $0 }.isEmpty)
        #expect(mock.session.endInFlight() == 1)
        #expect(client.receiveAll() == RawClient.Received([], .fin))
    }

    @Test func anAnswerThatIsNeverGivenIsAFailure() throws {
        let later = Later()
        let mock = try mock(later)
        let client = try mock.send("/late")
        #expect(later.answers.next() != nil)
        let received = client.receive(until: "given for it\n").text
        #expect(received.hasPrefix("HTTP/1.1 500 "))
        try expectFailure(mock)
    }

    @Test func anAnswerThatIsDroppedAtOnceIsAFailure() throws {
        let mock = try mock(Silent())
        #expect(try mock.ask("GET", "/late").status == 500)
        try expectFailure(mock)
    }

    private func expectFailure(_ mock: ServedSession) throws {
        #expect(mock.session.counts == (1, 0, 1))
        let event = try #require(mock.log.ended.next())
        #expect(event.status == 500 && event.failure == "no answer was given for it")
        #expect(mock.log.failures.withLock { $0 } == ["no answer was given for it"])
        #expect(!mock.session.report().report.hasPassed)
        #expect(mock.session.inFlightCount == 0)
    }

    @Test func aResetEndsPendingAnswers() throws {
        let later = Later()
        let mock = try mock(later)
        let client = try mock.send("/late")
        let answer = try #require(later.answers.next())
        let event = try #require(mock.session.events.first)
        mock.session.dropAllButFiles()
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        #expect(mock.log.ended.next()?.end?.outcome == .cancelled)
        answer.send(body: Array("too late".utf8))
        #expect(event.response == nil)
        #expect(mock.journalBytes == 0)
    }

    @Test func aClientThatLeavesEndsItsAnswer() throws {
        let later = Later()
        let mock = try mock(later)
        let client = try mock.send("/late")
        let answer = try #require(later.answers.next())
        client.reset()
        let event = try #require(mock.log.ended.next())
        #expect(event.end?.outcome == .clientDisconnected)
        answer.send(body: Array("too late".utf8))
        #expect(event.response == nil && mock.session.counts.failed == 0)
        #expect(mock.session.inFlightCount == 0)
    }

    @Test func theDelayFollowsTheAnswer() throws {
        let later = Later()
        let mock = try mock(later, delay: 3_600_000)
        let client = try mock.send("/late")
        try #require(later.answers.next()).send(body: Array("given".utf8))
        #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
        #expect(mock.session.inFlight().slow.first?.state == .delayed)
        #expect(mock.newest?["response"]?["body"] == "given")
        #expect(mock.session.endInFlight() == 1)
        #expect(client.receiveAll() == RawClient.Received([], .fin))
    }
}
