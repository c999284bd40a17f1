import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Synchronization
import Testing

/// A request with a large body is put together on another thread, and is then like any other.
@Suite struct LargeRequestTests {
    private static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.body = 64 << 20
        return limits
    }

    /// What a handler got: the request, and whether it was called on a loop's thread.
    private struct Seen: Sendable {
        let request: Request
        let thread: UInt
    }

    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
    }

    private func send(_ text: String, _ body: [UInt8], after: String = "", to server: TestServer) throws -> String {
        let client = try server.client()
        try client.send(wire(text) + body + wire(after))
        return String(decoding: client.receiveAll(within: 60_000).bytes, as: UTF8.self)
    }

    @Test(arguments: [4 << 20, (4 << 20) - 1, 9_000_001]) func arrivesWhole(count: Int) throws {
        let body = Self.pattern(count)
        let seen = Mutex<[Seen]>([])
        let server = try TestServer(limits: Self.limits) { request, reply in
            seen.withLock { $0.append(Seen(request: request, thread: ThreadIdentity.current)) }
            answerWithEcho(request, reply)
        }
        let small = try send("GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", [], to: server)
        #expect(small.contains("GET /small"))
        let answer = try send(
            "PUT /a%20b?c=d HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n",
            body, to: server)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        let all = seen.withLock { $0 }
        let request = try #require(all.last?.request)
        #expect(request.method.elementsEqual("PUT".utf8) && request.url.elementsEqual("/a%20b?c=d".utf8))
        #expect(request.header(Array("x-one".utf8))?.elementsEqual("1".utf8) == true)
        #expect(request.peer == "127.0.0.1")
        let isSame = request.body.elementsEqual(body)
        #expect(isSame)
        // However it was made, the handler is called on the loop.
        #expect(all.count == 2 && all[0].thread == all[1].thread)
    }

    @Test func arrivesInChunksWithTrailers() throws {
        let (size, count) = (1 << 20, 6)
        let piece = Self.pattern(size)
        let chunk = wire("\(String(size, radix: 16))\r\n") + piece + wire("\r\n")
        let seen = Mutex<Request?>(nil)
        let server = try TestServer(limits: Self.limits) { request, reply in
            seen.withLock { $0 = request }
            answerWithEcho(request, reply)
        }
        let head = "POST /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        let answer = try send(
            head, Array(repeatElement(chunk, count: count).joined()), after: "0\r\nX-Sum: 7\r\n\r\n", to: server)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        let request = try #require(seen.withLock { $0 })
        let isSame = request.body.elementsEqual(repeatElement(piece, count: count).joined())
        #expect(isSame)
        #expect(request.trailers.map { String(decoding: $0.name, as: UTF8.self) } == ["X-Sum"])
    }

    /// The next request of the pipeline waits until the large one is answered.
    @Test func keepsItsPlaceInAPipeline() throws {
        let server = try TestServer(limits: Self.limits)
        let body = Self.pattern(5 << 20)
        let answer = try send(
            "POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n", body,
            after: "GET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", to: server)
        let answers = answer.split(separator: "HTTP/1.1 200 OK", omittingEmptySubsequences: true)
        #expect(answers.count == 2)
        #expect(answers.first?.contains("POST /first") == true)
        #expect(answers.last?.contains("GET /second") == true)
    }

    @Test func countsAsAnUploadUntilItGoes() throws {
        let memory = MemoryLedger(limit: 64 << 20)
        let kept = Locked<[Request]>([])
        let server = try TestServer(limits: Self.limits, memory: memory) { request, reply in
            kept.withLock { $0.append(request) }
            answerWithEcho(request, reply)
        }
        let count = 6 << 20
        _ = try send(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n", Self.pattern(count),
            to: server)
        let (least, most) = (count, count + 4_096)
        // The block of the loop is freed on the other thread, perhaps after the answer.
        #expect(eventually { (least...most).contains(memory.bytes(of: .uploads)) ? true : nil } == true)
        kept.withLock { $0 = [] }
        #expect(eventually { memory.total == 0 ? true : nil } == true)
    }

    /// Clients that leave at once, and a server that ends, while requests are being made.
    @Test func nobodyNeedsToWaitForIt() throws {
        let body = Self.pattern(6 << 20)
        for _ in 0..<5 {
            let memory = MemoryLedger(limit: 256 << 20)
            defer { #expect(eventually { memory.total == 0 ? true : nil } == true) }
            let server = try TestServer(limits: Self.limits, memory: memory)
            for _ in 0..<3 {
                let client = try server.client()
                try client.send(wire("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n") + body)
            }
        }
    }
}
