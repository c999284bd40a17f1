import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// A request is copied in one of two ways, by its size.
@Suite struct RequestCopyTests {
    @Test func requestsOfEverySizeArriveWhole() throws {
        let requests = Events<Request>()
        let server = try TestServer(limits: .patient) { request, reply in
            requests.tell(request)
            answerWithEcho(request, reply)
        }
        let client = try server.client()
        var storageSizes: Set<Int> = []
        // Head, fields and address take some 150 bytes.
        for count in [0, 1, 7, 100] + Array(820...980) + [1_000, 5_000, 40_000] {
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try client.send(wire("PUT /a/\(count)?b HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n") + body)
            let request = try #require(requests.next(), "\(count)")
            #expect(request.body.elementsEqual(body), "\(count)")
            #expect(request.url.elementsEqual("/a/\(count)?b".utf8))
            let path = request.path
            let hash = PathHash.value(of: path.span)
            #expect(request.pathHash == hash)
            #expect(request.headers.map { String(decoding: $0.name, as: UTF8.self) } == ["Host", "Content-Length"])
            #expect(request.header(wire("content-length")).map { String(decoding: $0, as: UTF8.self) } == "\(count)")
            #expect(request.peer == "127.0.0.1")
            storageSizes.insert(request.byteCount - 192)
        }
        // The size at which the ways part is among them.
        #expect(storageSizes.isSuperset(of: [1_024, 1_025]))
    }
}
