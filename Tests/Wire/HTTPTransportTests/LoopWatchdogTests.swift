import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Calls that hold a loop are named, by the processor time of its thread and not by the clock.
@Suite struct LoopWatchdogTests {
    /// Ten times what anything here takes that does not mean to.
    private static let limit = milliseconds(100)

    /// Holds the thread for more processor time than the limit.
    private static func work() {
        let begin = SystemCalls.threadProcessorNanoseconds()
        while SystemCalls.threadProcessorNanoseconds() - begin < 2 * limit {}
    }

    /// Takes no processor time, however long it takes.
    private static func wait() {
        SystemCalls.pause(milliseconds: 150)
    }

    private static let answer = WireScript([.raw(WireBytes(plainAnswer([0x78]))), .end(.keepAlive)])

    @Test func whatHoldsALoopIsNamed() throws {
        let calls = Events<LoopWatchdog.LongCall>()
        let watchdog = LoopWatchdog(limit: Self.limit) { calls.tell($0) }
        let server = try TestServer(limits: .patient, watchdog: watchdog) { request, reply in
            if request.path.elementsEqual("/work".utf8) { Self.work() } else { Self.wait() }
            reply.send(Self.answer)
        }
        func next() throws -> String {
            let call = try #require(calls.next())
            #expect(call.nanoseconds > Self.limit)
            return call.name
        }
        let client = try PersistentConnection(port: server.port)
        #expect(try client.request("GET", "/wait").text == "x")
        #expect(try client.request("POST", "/work?a=1").text == "x")
        #expect(try next() == "POST /work?a=1")
        let loop = server.server.loop()
        loop.perform { Self.wait() }
        loop.perform { Self.work() }
        #expect(try next() == "HTTPTransportTests/LoopWatchdogTests.swift:\(#line - 1)")
        loop.after(nanoseconds: 0) { Self.work() }
        #expect(try next() == "HTTPTransportTests/LoopWatchdogTests.swift:\(#line - 1)")
        let pair = try SocketPair()
        pair.sendFromFar()
        loop.perform {
            _ = try? loop.watch(descriptor: pair.near, for: .readable) { _ in
                _ = pair.receive()
                Self.work()
            }
        }
        #expect(try next() == "HTTPTransportTests/LoopWatchdogTests.swift:\(#line - 5)")
        // The watch is dropped before its descriptor is closed.
        server.server.stopAndWait()
        #expect(calls.next(within: 0)?.description == nil)
    }

    @Test func theEndOfAnAnswerIsNamed() throws {
        let calls = Events<LoopWatchdog.LongCall>()
        let watchdog = LoopWatchdog(limit: Self.limit) { calls.tell($0) }
        let server = try TestServer(limits: .patient, watchdog: watchdog) { _, reply in
            reply.send(Self.answer.delayed(byNanoseconds: milliseconds(1)), observer: Slow())
        }
        #expect(try PersistentConnection(port: server.port).request("GET", "/").text == "x")
        #expect(calls.next()?.name == "the end of an answer")
    }

    private final class Slow: StreamObserver {
        func streamEnded(_ end: StreamEnd) { LoopWatchdogTests.work() }
    }
}
