import SDTestSupport
import Testing

/// The replay of missed events over a connection that its client reads now and then.
@Suite struct EventReplayTests {
    /// More than the system buffers: the daemon has to wait for the client, and goes on whenever that has read.
    @Test func aSlowClientGetsEverythingInOrder() throws {
        let mock = try TestMock()
        let client = try PersistentConnection(port: mock.port)
        let body = String(repeating: "x", count: 8_000)
        for _ in 0..<200 { _ = try client.request("POST", "/a", body: body) }
        let stream = try EventStreamClient(mock.port, "?after=0")
        stream.client.shrinkReceiveBuffer(to: 65_536)
        #expect(stream.words(2) == ["request #1", "response #1"])
        // These come while most of the others wait.
        for _ in 0..<50 { _ = try client.request("POST", "/a", body: body) }
        for number in 2...250 { #expect(stream.words(2) == ["request #\(number)", "response #\(number)"]) }
        _ = try client.request("POST", "/a", body: body)
        #expect(stream.words(2) == ["request #251", "response #251"])
    }

    @Test func aClientThatLeavesInTheMiddleIsForgotten() throws {
        let mock = try TestMock()
        let client = try PersistentConnection(port: mock.port)
        for _ in 0..<200 { _ = try client.request("POST", "/a", body: String(repeating: "x", count: 8_000)) }
        let stream = try EventStreamClient(mock.port, "?after=0")
        #expect(stream.words(1) == ["request #1"])
        stream.client.reset()
        try mock.waitUntil(listeners: 0)
    }
}
