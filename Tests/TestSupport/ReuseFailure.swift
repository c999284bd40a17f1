public import Testing

/// A way in which a server fails the second request of a connection.
public struct ReuseFailure: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    public let serve: CountingTarget.Serve

    private init(_ name: String, _ serve: @escaping CountingTarget.Serve) {
        (testDescription, self.serve) = (name, serve)
    }

    /// The first request of a connection is answered.
    private init(_ name: String, second: @escaping @Sendable (RawClient) throws -> Void) {
        self.init(name) { client, _, count in
            if count == 1 {
                try client.send(CountingTarget.ok)
            } else {
                try second(client)
            }
            return count == 1
        }
    }

    /// A 408 that closes the connection.
    public static let timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlate"

    public static let all: [ReuseFailure] = [
        ReuseFailure("the second request is read, then it closes") { _ in },
        ReuseFailure("the second request is read, then it resets") { $0.reset() },
        ReuseFailure("half a status line") { try $0.send("HTTP/1.1 2") },
        ReuseFailure("half a head") { try $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
        ReuseFailure("half a body") { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabcde") },
        ReuseFailure("it closes at once") { client, _, _ in
            try client.send(CountingTarget.ok)
            return false
        },
        ReuseFailure("it resets at once") { client, _, _ in
            try client.send(CountingTarget.ok)
            client.reset()
            return false
        },
        ReuseFailure("a 408 right behind the answer") { client, _, _ in
            try client.send(CountingTarget.ok + timeout)
            return true
        },
        ReuseFailure("a 408 for an answer") { try $0.send(timeout) },
        ReuseFailure("a 408 for an answer, and it stays") { client, _, count in
            try client.send(count == 1 ? CountingTarget.ok : "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n")
            return true
        },
        ReuseFailure("a 408 in chunks for an answer") {
            try $0.send("HTTP/1.1 408 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
        },
    ]
}
