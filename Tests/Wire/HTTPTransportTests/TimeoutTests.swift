import SDHTTPTransport
import SDTestSupport
import Testing

/// Clients that are slow or silent.
@Suite struct TimeoutTests {
    private let clock = ContinuousClock()

    @Test func aSlowHeadIsNotRefusedTooEarly() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        let began = clock.now
        try client.send("GET / HT")
        expectWire(client.receiveAll(), refusal(408), .fin)
        #expect(clock.now - began >= .milliseconds(400))
    }

    @Test func bytesThatTrickleInDoNotProlongTheHead() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        var sent = 0
        var received = RawClient.Received([], .open)
        while received.bytes.isEmpty, received.ending == .open, sent < 200 {
            try client.send("x")
            sent += 1
            received = client.receiveUntilQuiet(milliseconds: 50)
        }
        #expect(received.bytes.starts(with: wire("HTTP/1.1 408 ")))
        #expect(server.refusals.map(\.status) == [408])
    }

    @Test func aSlowBodyIsRefused() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345")
        expectWire(client.receiveAll(), refusal(408, "body"), .fin)
    }

    @Test func aSlowChunkedBodyIsRefused() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123")
        expectWire(client.receiveAll(), refusal(408, "body"), .fin)
    }

    @Test func aSlowTrailerIsRefused() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n")
        expectWire(client.receiveAll(), refusal(408, "body"), .fin)
    }

    @Test func aLargeUploadDoesNotProlongSlowBodiesAfterIt() throws {
        let server = try TestServer(limits: .short)
        let large = try server.client()
        // 32 KiB extend its deadline by 32 seconds.
        try large.send(
            wire("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
                + [UInt8](repeating: 0x61, count: 32_768))
        let slow = try (1...3).map { _ in
            let client = try server.client()
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1")
            #expect(client.receiveAll(within: 20_000).bytes.starts(with: wire("HTTP/1.1 408 ")))
            return client
        }
        #expect(slow.count == 3)
        try large.send([UInt8](repeating: 0x61, count: 60_000 - 32_768))
        #expect(large.receive(15).bytes.starts(with: wire("HTTP/1.1 200 OK")))
    }

    /// Limits with which a body earns more time by what has come than the `silence` that it may keep.
    private func patientLimits(silence: Int) -> ServerLimits {
        var limits = ServerLimits.short
        limits.body = 1 << 24
        limits.bodyTimeout = 200
        limits.bodyIdleTimeout = silence
        return limits
    }

    private let upload = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n"
    private let chunks = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    /// Little enough to be sent without waiting, and worth 32 seconds.
    private let piece = String(repeating: "x", count: 0x8000)

    @Test func aLargeBodyThatFallsSilentIsRefused() throws {
        let server = try TestServer(limits: patientLimits(silence: 300))
        for start in [upload + piece, chunks + "8000\r\n" + piece, chunks + "8001\r\n" + piece] {
            let client = try server.client()
            try client.send(start)
            expectWire(client.receiveAll(), refusal(408, "body"), .fin)
        }
    }

    @Test func bytesThatTrickleInDoNotProlongALargeBody() throws {
        let server = try TestServer(limits: patientLimits(silence: 300))
        let client = try server.client()
        try client.send(upload + piece)
        var received = RawClient.Received([], .open)
        var sent = 0
        while received.bytes.isEmpty, received.ending == .open, sent < 400 {
            try client.send("x")
            sent += 1
            received = client.receiveUntilQuiet(milliseconds: 25)
        }
        #expect(received.bytes.starts(with: wire("HTTP/1.1 408 ")))
    }

    @Test func aBodyThatKeepsComingHasAllTheTimeThatItEarns() throws {
        let server = try TestServer(limits: patientLimits(silence: 5000))
        let client = try server.client()
        let part = String(repeating: "x", count: 8192)
        // With a first part that earns more than the 200 ms: a busy machine may stop between two sends.
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90112\r\n\r\n" + part)
        let began = clock.now
        for _ in 1...9 {
            try client.send(part)
            #expect(client.receiveUntilQuiet(milliseconds: 60) == RawClient.Received([], .open))
            if clock.now - began > .seconds(4) { break }
        }
        #expect(clock.now - began > .milliseconds(400))
        #expect(server.refusals.isEmpty)
    }

    @Test func anIdleConnectionIsClosedWithoutAResponse() throws {
        let server = try TestServer(limits: .short)
        let began = clock.now
        let client = try server.client()
        expectWire(client.receiveAll(), "", .fin)
        #expect(clock.now - began >= .milliseconds(790))
        #expect(server.refusals.isEmpty)
    }

    @Test func anIdleConnectionIsClosedAfterItsLastAnswer() throws {
        let server = try TestServer(limits: .short)
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receiveAll(), plainAnswer(wire("GET / HTTP/1.1 keep\n[Host]=[a]")), .fin)
    }

    private func refusal(_ status: Int, _ part: String = "head") -> String {
        let text = "the request \(part) did not arrive in time\n"
        return
            "HTTP/1.1 \(status) Request Timeout\r\nContent-Type: text/plain;charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(text)"
    }
}
