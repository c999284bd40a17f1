import SDHTTPTransport
import SDTestSupport
import Testing

/// Work that a server does later, and work that is cancelled.
@Suite struct ScheduledWorkTests {
    @Test func cancelledWorkIsNotDoneAndFreesItsClosure() throws {
        let server = try TestServer()
        weak var seen: EndObserver?
        let done = Events<Int>()
        let work: ScheduledWork
        do {
            let captured = EndObserver()
            seen = captured
            work = server.server.loop().after(nanoseconds: milliseconds(60_000)) {
                withExtendedLifetime(captured) { done.tell(1) }
            }
        }
        server.settle()
        #expect(seen != nil)
        work.cancel()
        work.cancel()
        server.settle()
        #expect(seen == nil)
        server.server.loop().after(nanoseconds: milliseconds(100)) { done.tell(2) }
        #expect(done.next() == 2)
        #expect(done.next(within: 0) == nil)
    }

    @Test func workThatWasDoneCannotBeCancelled() throws {
        let server = try TestServer()
        let done = Events<Void>()
        let work = server.server.loop().after(nanoseconds: 0) { done.tell(()) }
        #expect(done.next() != nil)
        work.cancel()
        server.settle()
        #expect(done.next(within: 0) == nil)
    }

    @Test func workMayCancelItself() throws {
        let server = try TestServer()
        let done = Events<Void>()
        let own = Locked<ScheduledWork?>(nil)
        server.server.post {
            let work = server.server.loop().after(nanoseconds: 1000) {
                own.withLock { $0 }?.cancel()
                done.tell(())
            }
            own.withLock { $0 = work }
        }
        #expect(done.next() != nil)
        server.settle()
    }

    @Test func cancellingAfterTheEndOfTheServerIsHarmless() throws {
        var server: TestServer? = try TestServer()
        weak var seen: EndObserver?
        weak let inner = server?.server
        let work: ScheduledWork?
        do {
            let captured = EndObserver()
            seen = captured
            let owner = server?.server
            work = owner?.loop().after(nanoseconds: milliseconds(3_600_000)) {
                // The work keeps its own server alive, like the timers of sessions.
                withExtendedLifetime((captured, owner)) {}
            }
        }
        server?.settle()
        server = nil
        #expect(seen == nil)
        #expect(inner == nil)
        work?.cancel()
    }

    @Test func workForAServerThatHasEndedIsNeverDone() throws {
        let server = try TestServer()
        let inner = server.server
        inner.stopAndWait()
        let done = Events<Void>()
        weak var seen: EndObserver?
        do {
            let captured = EndObserver()
            seen = captured
            inner.loop().after(nanoseconds: 0) { withExtendedLifetime(captured) { done.tell(()) } }.cancel()
        }
        #expect(seen == nil)
        #expect(done.next(within: 20) == nil)
    }

    @Test func workThatIsScheduledBeforeTheServerRunsIsDone() throws {
        let server = try Server(limits: .patient, handler: SilentHandler())
        let done = Events<Int>()
        server.loop().after(nanoseconds: 1000) { done.tell(1) }
        server.loop().after(nanoseconds: 1000) { done.tell(2) }.cancel()
        try server.start()
        defer { server.stopAndWait() }
        #expect(done.next() == 1)
        #expect(done.next(within: 50) == nil)
    }

    @Test func tensOfThousandsAtOnceAreCheap() throws {
        let server = try TestServer()
        let done = Events<Int>()
        let count = 50_000
        let inner = server.server
        let fired = Locked(0)
        let works = (0..<count).map { _ in
            inner.loop().after(nanoseconds: milliseconds(600_000)) { fired.withLock { $0 += 1 } }
        }
        for work in works { work.cancel() }
        server.settle()
        inner.post { done.tell(fired.withLock { $0 }) }
        #expect(done.next() == 0)
    }
}

private final class SilentHandler: RequestHandler {
    func serve(_ request: Request, reply: consuming Reply) {}
}
