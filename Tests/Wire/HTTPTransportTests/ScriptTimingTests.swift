import SDHTTPTransport
import SDTestSupport
import Synchronization
import Testing

/// Waits and paces are never shorter than requested.
@Suite struct ScriptTimingTests {
    private let clock = ContinuousClock()

    @Test func aWaitIsNeverTooShort() throws {
        let ends = Events<(UInt64, StreamEnd)>()
        let server = try TestServer(limits: .patient) { request, reply in
            if request.path.elementsEqual(wire("/now")) { return answerWithEcho(request, reply) }
            reply.send(
                script(.wait(nanoseconds: milliseconds(10)), answer("x"), .end(.keepAlive)),
                observer: TimedObserver(from: request.clockTime, ends))
        }
        // Another client keeps the loop awake, so that it checks all the time which waits are over.
        let isDone = Atomic(false)
        try withBackgroundWork {
            let client = try server.client()
            while !isDone.load(ordering: .relaxed) {
                try client.send(get("/now"))
                _ = client.receive(until: "[Host]=[a]")
            }
        } during: {
            defer { isDone.store(true, ordering: .relaxed) }
            let clients = try (1...20).map { _ in try server.client() }
            for _ in 1...10 {
                for client in clients { try client.send(get("/")) }
                for client in clients { expectWire(client.receive(answered("x").count), answered("x"), .open) }
            }
        }
        var early: [UInt64] = []
        for _ in 1...200 {
            let (began, end) = try #require(ends.next())
            let due = began + milliseconds(10)
            if end.firstByteTime < due { early.append(due - end.firstByteTime) }
        }
        #expect(early.isEmpty, "\(early.count) of 200 were early, by up to \(early.max() ?? 0) ns")
    }

    @Test func aTimerOfTheServerIsNeverTooShort() throws {
        let server = try TestServer()
        for _ in 1...20 {
            let fired = Events<ContinuousClock.Instant>()
            let began = clock.now
            server.server.loop().after(nanoseconds: milliseconds(10)) { fired.tell(ContinuousClock.now) }
            let end = try #require(fired.next())
            #expect(end - began >= .milliseconds(10))
        }
    }

    @Test(arguments: [1000, 20_000, 1_000_000])
    func pacedBytesTakeTheirTime(rate: Int) throws {
        let body = [UInt8](repeating: 0x78, count: rate / 5)
        let server = try TestServer(limits: .patient) { _, reply in
            let head = bytes("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            let blob = WireBytes(body)
            reply.send(script(head, .pace(blob, 0..<body.count, bytesPerSecond: UInt64(rate)), .end(.keepAlive)))
        }
        let client = try server.client()
        let began = clock.now
        try client.send(get("/"))
        let expected = plainAnswer(body)
        let received = client.receive(expected.count)
        #expect(clock.now - began >= .milliseconds(199))
        expectWire(received, expected, .open)
    }

    @Test func pacedBytesAreSentInPortions() throws {
        let server = try TestServer(limits: .patient) { _, reply in
            let blob = WireBytes([UInt8](repeating: 0x78, count: 400))
            reply.send(script(.pace(blob, 0..<400, bytesPerSecond: 1000), .end(.close)))
        }
        let client = try server.client()
        let began = clock.now
        try client.send(get("/"))
        var received = 0
        while received < 400 {
            received += client.receive(1).bytes.count
            // Never more than the rate allows so far.
            let allowed = (clock.now - began) / .milliseconds(1)
            #expect(Double(received) <= allowed + 1)
        }
    }

    @Test func hundredsOfWaitsRunSideBySide() throws {
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(.wait(nanoseconds: milliseconds(300)), answer("x"), .end(.keepAlive)))
        }
        let clients = try (1...500).map { _ in try server.client() }
        let began = clock.now
        for client in clients { try client.send(get("/")) }
        for client in clients { expectWire(client.receive(answered("x").count), answered("x"), .open) }
        let passed = clock.now - began
        #expect(passed >= .milliseconds(300))
    }
}

private final class TimedObserver: StreamObserver {
    private let began: UInt64
    private let ends: Events<(UInt64, StreamEnd)>

    init(from began: UInt64, _ ends: Events<(UInt64, StreamEnd)>) {
        self.began = began
        self.ends = ends
    }

    func streamEnded(_ end: StreamEnd) {
        ends.tell((began, end))
    }
}
