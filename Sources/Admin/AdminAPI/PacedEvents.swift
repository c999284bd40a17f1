import SDHTTPTransport
import SDJournal
import SDMockEngine

/// Reports to a reader once a second how many requests were left out.
enum PacedEvents {
    private static let interval: UInt64 = 1_000_000_000

    /// - Parameter rate: the maximum number of ordinary requests per second.
    static func pace(_ rate: Int, _ connection: EventStreamConnection, _ daemon: any DaemonControl) -> FeedPace {
        FeedPace(rate: rate) { [weak connection] pace in
            daemon.after(nanoseconds: interval) { [weak connection] in
                let count = pace.take()
                guard count > 0 else { return }
                connection?.send(WireBytes(Array("event: dropped\ndata: {\"count\":\(count)}\n\n".utf8)))
            }
        }
    }
}
