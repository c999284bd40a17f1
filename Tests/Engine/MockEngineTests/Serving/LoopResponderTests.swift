import SDHTTPTransport
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Responses that wait for something outside, on the loop of their request.
@Suite struct LoopResponderTests {
    /// Answers once its descriptor is readable.
    private final class Waiting: Responder {
        let pair: SocketPair
        /// Whether something was done on the loop: the answer, the end of the wait.
        let onLoop = Events<(what: String, isOnLoop: Bool)>()
        private let writes: Bool

        init(writes: Bool = true) throws {
            pair = try SocketPair()
            self.writes = writes
        }

        func respond(to decision: inout Decision, _ answer: consuming Answer) {
            let answer = answer.deferredAnswer()
            let (loop, path) = (answer.loop, Array(decision.request.path))
            // It may be asked on another thread.
            loop.perform { [self] in
                let kept = Locked<DescriptorWatch?>(nil)
                let watch = try? loop.watch(descriptor: pair.near, for: .readable) { [self] _ in
                    _ = pair.receive()
                    onLoop.tell(("answer", loop.isCurrent))
                    kept.withLock { $0.take() }?.stop()
                    answer.send(body: path)
                }
                kept.withLock { $0 = watch }
                answer.whenEnded { [self] in
                    onLoop.tell(("end", loop.isCurrent))
                    kept.withLock { $0.take() }?.stop()
                }
            }
            if writes { loop.after(nanoseconds: 50_000_000) { [pair] in pair.sendFromFar() } }
        }
    }

    private func mock(_ responder: Waiting, workers: Int = 1) throws -> ServedSession {
        var options = SessionOptions()
        options.workers = workers
        let mock = try ServedSession(options)
        var mapping = StubMapping(name: "waits")
        mapping.request.url = .urlPath("/late")
        try mock.session.add(mapping, answeredBy: responder)
        return mock
    }

    @Test(arguments: [1, 3]) func aRequestIsAnsweredFromAWatchOnItsLoop(workers: Int) throws {
        let responder = try Waiting()
        let mock = try mock(responder, workers: workers)
        let begin = ContinuousClock.now
        let answer = try mock.ask("GET", "/late")
        #expect(ContinuousClock.now - begin >= .milliseconds(50))
        #expect(answer.status == 200 && answer.text == "/late")
        for what in ["answer", "end"] {
            let told = try #require(responder.onLoop.next())
            #expect(told.what == what && told.isOnLoop)
        }
        #expect(mock.log.ended.next()?.end?.outcome == .sent)
    }

    @Test func aClientThatLeavesEndsTheWait() throws {
        let responder = try Waiting(writes: false)
        let mock = try mock(responder)
        let client = try mock.send("/late")
        #expect(eventually { mock.session.inFlightCount == 1 ? true : nil } == true)
        client.reset()
        let told = try #require(responder.onLoop.next())
        #expect(told.what == "end" && told.isOnLoop)
        responder.pair.sendFromFar()
        #expect(responder.onLoop.next(within: 20) == nil)
    }

    @Test func aServerThatEndsEndsTheWait() throws {
        let responder = try Waiting(writes: false)
        let mock = try mock(responder)
        let client = try mock.send("/late")
        #expect(eventually { mock.session.inFlightCount == 1 ? true : nil } == true)
        mock.server.server.stopAndWait()
        #expect(responder.onLoop.next()?.what == "end")
        _ = client
    }
}
