/// A server that is called by others, and counts what it gets: requests as they come over the wire, whether they are
/// answered or not.
public final class CountingTarget: Sendable {
    /// What is done once a connection has brought a request.
    /// - Parameters:
    ///   - client: the connection, which is closed where this returns false.
    ///   - request: the request, whole.
    ///   - count: its number on the connection, from 1 on.
    public typealias Serve = @Sendable (_ client: RawClient, _ request: ReceivedRequest, _ count: Int) throws -> Bool

    public static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private let server: RawServer
    private let got = Locked<[ReceivedRequest]>([])

    public var port: UInt16 { server.port }
    public var origin: String { "http://127.0.0.1:\(port)" }
    public var connections: Int { server.connections }
    /// The requests so far, in their order.
    public var requests: [ReceivedRequest] { got.withLock { $0 } }
    /// Their methods and targets.
    public var calls: [String] { requests.map(\.call) }

    public init(_ serve: @escaping Serve) throws {
        server = try RawServer { [got] client, _ in
            var count = 0
            while let request = client.receiveRequest(within: 30_000) {
                count += 1
                got.withLock { $0.append(request) }
                guard try serve(client, request, count) else { return }
            }
        }
    }

    /// The number of times that each call came.
    public func counts() -> [String: Int] { calls.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
