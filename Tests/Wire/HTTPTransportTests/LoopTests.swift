import SDHTTPTransport
import SDTestSupport
import Testing

/// The loop of a request, for whoever answers it by something outside.
@Suite struct LoopTests {
    /// What a library asks of the loop that drives it, as `curl_multi` does: descriptors watched for what it says, which
    /// changes at will, and one timer, which each setting replaces. Touched on the loop's thread alone.
    private final class Driver: @unchecked Sendable {
        let loop: Loop
        /// Called for a descriptor that is ready, and with nil when the time is over.
        let act: (Driver, (descriptor: Int32, what: Readiness)?) -> Void
        private var watches: [Int32: DescriptorWatch] = [:]
        private var timer: ScheduledWork?

        init(_ loop: Loop, _ act: @escaping (Driver, (descriptor: Int32, what: Readiness)?) -> Void) {
            self.loop = loop
            self.act = act
        }

        /// `CURLMOPT_SOCKETFUNCTION`; nil for CURL_POLL_REMOVE.
        func socket(_ descriptor: Int32, _ interest: Readiness?) throws {
            guard let interest else {
                watches.removeValue(forKey: descriptor)?.stop()
                return
            }
            if let watch = watches[descriptor] { return try watch.change(to: interest) }
            watches[descriptor] = try loop.watch(descriptor: descriptor, for: interest) { [weak self] what in
                if let self { act(self, (descriptor, what)) }
            }
        }

        /// `CURLMOPT_TIMERFUNCTION`; nil for -1.
        func timer(milliseconds count: UInt64?) {
            timer?.cancel()
            timer = count.map { count in
                loop.after(nanoseconds: milliseconds(count)) { [weak self] in
                    if let self { act(self, nil) }
                }
            }
        }
    }

    private static let answer = WireScript([.raw(WireBytes(plainAnswer(wire("late")))), .end(.keepAlive)])

    @Test(arguments: [1, 3]) func aRequestIsAnsweredFromAWatchOnItsLoop(workers: Int) throws {
        let pair = try SocketPair()
        let threads = Events<UInt>()
        let kept = Locked<DescriptorWatch?>(nil)
        let server = try TestServer(workers: workers, limits: .patient) { _, reply in
            let loop = reply.loop
            let waiting = ReplyBox(reply)
            threads.tell(ThreadIdentity.current)
            let watch = try? loop.watch(descriptor: pair.near, for: .readable) { _ in
                _ = pair.receive()
                kept.withLock { $0.take() }?.stop()
                threads.tell(loop.isCurrent ? ThreadIdentity.current : 0)
                waiting.take()?.send(Self.answer)
            }
            kept.withLock { $0 = watch }
            loop.after(nanoseconds: milliseconds(50)) { pair.sendFromFar() }
        }
        let client = try server.client()
        for _ in 1...2 {
            let begin = ContinuousClock.now
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.receive(until: "late").text.hasSuffix("late"))
            #expect(ContinuousClock.now - begin >= .milliseconds(50))
            #expect([threads.next()] == [threads.next()])
        }
    }

    @Test func workAfterTheEndOfAnExchangeHasItsLoop() throws {
        let done = Events<Bool>()
        let server = try TestServer(limits: .patient) { _, reply in
            let loop = reply.loop
            let held = reply.hold { end in
                loop.after(nanoseconds: milliseconds(1)) { done.tell(loop.isCurrent && end.outcome == .sent) }
            }
            held.finish(Self.answer)
            #expect(held.loop === loop)
        }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "late").text.hasSuffix("late"))
        #expect(done.next() == true)
    }

    @Test func aLibraryIsDriven() throws {
        let server = try TestServer()
        let loop = server.server.loop()
        let (first, second) = (try SocketPair(), try SocketPair())
        let told = Events<String>()
        let driver = Driver(loop) { driver, ready in
            guard let ready else {
                told.tell("timer")
                // What comes in its place is not told inside of this call.
                try? driver.socket(first.near, .writable)
                return told.tell("set")
            }
            if ready.what == .writable {
                told.tell("writable")
                try? driver.socket(first.near, .readable)
                try? driver.socket(second.near, .readable)
                // Each replaces the one before, and the last one takes it away.
                for count: UInt64 in [0, 0, 3_600_000] { driver.timer(milliseconds: count) }
                driver.timer(milliseconds: nil)
                return first.sendFromFar()
            }
            let isFirst = ready.descriptor == first.near
            told.tell(isFirst ? "first" : "second")
            try? driver.socket(ready.descriptor, nil)
            if isFirst { second.sendFromFar() } else { told.tell("end") }
        }
        loop.perform { driver.timer(milliseconds: 0) }
        for expected in ["timer", "set", "writable", "first", "second", "end"] { #expect(told.next() == expected) }
        server.settle()
        #expect(told.next(within: 0) == nil)
    }

    /// On its loop a timer that was cancelled does not fire, even if its time was over.
    @Test func aTimerIsCancelledAtOnceOnItsLoop() throws {
        let server = try TestServer()
        let loop = server.server.loop()
        let fired = Events<String>()
        loop.perform {
            weak var seen: EndObserver?
            let works = (0..<3).map { _ in
                let captured = EndObserver()
                seen = captured
                return loop.after(nanoseconds: 0) { withExtendedLifetime(captured) { fired.tell("fired") } }
            }
            // Long enough for the timers to be due, and for what was posted to wait.
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .milliseconds(2) {}
            for work in works { work.cancel() }
            fired.tell(seen == nil ? "freed" : "kept")
        }
        #expect(fired.next() == "freed")
        server.settle()
        #expect(fired.next(within: 0) == nil)
    }

    @Test func theEndOfALoopFreesWhatItWatches() throws {
        var server: TestServer? = try TestServer(workers: 2)
        let loop = try #require(server?.server.loop(1))
        let pair = try SocketPair()
        let ready = Events<Void>()
        weak var seen: Driver?
        do {
            // It stops another watch when it is freed, as a library that is closed does.
            let driver = Driver(loop) { _, _ in ready.tell(()) }
            seen = driver
            loop.perform {
                try? driver.socket(pair.near, .readable)
                driver.timer(milliseconds: 3_600_000)
                // Keeps the driver until the loop ends.
                loop.after(nanoseconds: milliseconds(3_600_000)) { withExtendedLifetime(driver) {} }
                ready.tell(())
            }
        }
        #expect(ready.next() != nil)
        #expect(seen != nil)
        server = nil
        #expect(seen == nil)
        // The handle is still there.
        #expect(!loop.isCurrent)
        #expect(!loop.perform { ready.tell(()) })
        loop.after(nanoseconds: 0) { ready.tell(()) }.cancel()
        let error = #expect(throws: TransportError.self) {
            try loop.watch(descriptor: pair.near, for: .readable) { _ in }
        }
        #expect(error?.reason == "Operation canceled")
        #expect(ready.next(within: 20) == nil)
    }
}
