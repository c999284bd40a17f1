import Foundation
import SDStubModel
import StuntDoubleClient
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every property of an answer acts, whether a stub gives it or a handler.
@Suite struct HandledAnswerTests {
    /// Who gives the answer.
    enum Giver: CaseIterable {
        case stub, handler, release

        func give(_ answer: Stub.Answer, by mock: MockServer) async throws {
            switch self {
            case .stub: try await mock.stub(.get("/x"), answer)
            case .handler: try await mock.handle(.get("/x")) { _ in answer }
            case .release: try await mock.stub(.get("/x"), .status(500).hold("g"))
            }
        }
    }

    /// What the client under test sees of an answer.
    struct Seen: Equatable, Sendable {
        var status: Int?
        var body = ""
        /// Whether it ended as it should.
        var isWhole = true
        var took: Duration = .zero
    }

    private func ask(
        _ giver: Giver, _ answer: Stub.Answer, timeout: TimeInterval = 120
    ) async throws -> Seen {
        try await withSession { mock in
            try await giver.give(answer, by: mock)
            let url = mock.url.appendingPathComponent("x")
            let client = Collector.get(url, timeout: timeout)
            if giver == .release { try await mock.gate("g").release(with: answer, within: .seconds(300)) }
            let seen = await client.value
            #expect(mock.handlerFailures.isEmpty)
            return seen
        }
    }

    @Test(arguments: Giver.allCases) func aCutEndsBehindBytesOfTheBody(giver: Giver) async throws {
        let seen = try await ask(giver, .text("0123456789").cut(after: 4))
        #expect(seen.status == 200 && seen.body == "0123" && !seen.isWhole, "\(seen)")
    }

    @Test(arguments: Giver.allCases) func aWrongLengthIsThatOfTheBody(giver: Giver) async throws {
        let short = try await ask(giver, .text("0123456789").fault(.wrongLength(by: -4)))
        #expect(short.body == "012345" && short.isWhole)
        let long = try await ask(giver, .text("0123456789").fault(.wrongLength(by: 4)))
        #expect(!long.isWhole)
    }

    @Test(
        arguments: Giver.allCases,
        [
            Stub.Answer.text("x").delay(.milliseconds(60)), .text("x").delay(.fixed(.milliseconds(60))),
            .text("x").delay(.uniform(.milliseconds(60) ... .milliseconds(70))),
            .text("x").delay(template: "{{math 50 '+' 10}}"),
            .text("x").delays(firstByte: .fixed(.milliseconds(60))), .text("x").fault(.delay(.milliseconds(60))),
            .text("x").dribble(chunks: 1, over: .milliseconds(60)), .text("x").bandwidth(.bytes(16)),
            .text("x").fault(.stall(after: 0, for: .milliseconds(60))),
            .stream(.chunk("x").after(.milliseconds(60))),
        ])
    func aWaitPasses(giver: Giver, answer: Stub.Answer) async throws {
        let seen = try await ask(giver, answer)
        #expect(seen.status == 200 && seen.body == "x" && seen.isWhole)
        #expect(seen.took >= .milliseconds(60))
    }

    @Test(arguments: Giver.allCases) func aFaultTakesThePlaceOfTheAnswer(giver: Giver) async throws {
        let refused = try await ask(giver, .text("x").fault(.status(503)))
        #expect(refused.status == 503 && refused.body.contains("503"))
        let reset = try await ask(giver, .fault(.connectionReset))
        #expect(reset.status == nil)
        let silent = try await ask(giver, .text("x").fault(.neverAnswer), timeout: 15)
        #expect(silent.status == nil && !silent.isWhole)
    }

    /// Foundation's own client on Linux ends the process on informational responses.
    @Test(arguments: Giver.allCases) func anEarlyResponseATemplateAndATrailerAreSent(giver: Giver) async throws {
        try await withSession { mock in
            let answer = Stub.Answer.template("{{request.path}}").early(103, headers: ["Link": "</a>"])
                .trailer("X-End", "1")
            try await giver.give(answer, by: mock)
            async let seen = get("/x", of: mock)
            if giver == .release { try await mock.gate("g").release(with: answer, within: .seconds(300)) }
            let received = try await seen
            #expect(received.text.hasSuffix("/x") && received.status == 200)
        }
    }

    // MARK: What cannot act

    @Test(arguments: [
        (Stub.Answer.status(199), ".status(199)"), (.status(200).header("X Y", "z"), "did you mean"),
        (.status(200).times(2), ".times(2)"), (.status(200).weight(2), ".weight(2)"),
        (.status(200).named("x"), ".named"), (.status(200).capture(["a": "b"]), ".capture"),
        (.status(200).onEnd(.loop), ".onEnd(.loop)"), (.status(200).per(.path("id")), ".per of path.id"),
        (.fault(.status(503).first(2)), ".first(2)"),
        (.fault(.quota(2, per: .seconds(1))), ".quota(2, per:)"), (.fault(.concurrency(2)), ".concurrency(2)"),
        (.file("a.txt").fallThrough(), ".fallThrough()"),
    ])
    func whatCannotActIsAFailureOfTheHandler(answer: Stub.Answer, words: String) async throws {
        try await withSession { mock in
            let line = #line + 1
            try await mock.handle(.get("/x")) { _ in answer }
            let received = try await get("/x", of: mock)
            #expect(received.status == 500)
            #expect(received.text.contains("returned what cannot be sent") && received.text.contains(words))
            let failure = try #require(mock.handlerFailures.first)
            #expect(failure.message.contains(words))
            #expect(failure.callSite.line == line)
        }
    }

    @Test func whatCannotActIsAProblemOfTheRelease() async throws {
        try await withSession { mock in
            let gate = mock.gate("g")
            await #expect(throws: Stub.Problem.self) {
                try await gate.release(with: .status(200).times(2), within: .zero)
            }
            await #expect(throws: Stub.Problem.self) { try await gate.release(with: .status(0), within: .zero) }
        }
    }
}

/// Takes what comes of an answer, even of one that breaks.
private final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Touched only on the session's serial queue, and read once that has told of the end.
    private var seen = HandledAnswerTests.Seen()
    private let begin = ContinuousClock.now
    private let end = Promise<HandledAnswerTests.Seen>()

    /// Begins to ask.
    static func get(_ url: URL, timeout: TimeInterval) -> Promise<HandledAnswerTests.Seen> {
        let collector = Collector()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        let session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: url).resume()
        return collector.end
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        seen.status = (response as? HTTPURLResponse)?.statusCode
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        seen.body += String(decoding: data, as: UTF8.self)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        seen.isWhole = error == nil
        seen.took = ContinuousClock.now - begin
        end.fulfil(seen)
    }
}
