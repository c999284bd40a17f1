import SDHTTPTransport

/// A request with a streamed body, as its event shows it: with the beginning of the body.
package final class StreamedRequest: Sendable {
    private let head: Request
    private let beginning: BodyPrefix
    private let announced: Int?
    private let limit: Int

    /// Starts to store the beginning of the body; nil if that is impossible.
    /// - Parameter limit: the event's limit of stored body bytes.
    init?(_ head: Request, _ stream: any BodyStream, limit: Int) {
        guard let beginning = stream.beginning else { return nil }
        self.head = head
        self.beginning = beginning
        announced = stream.count
        // An event without a limit is in no journal.
        self.limit = limit == .max ? 0 : limit
        beginning.keep(self.limit)
    }

    /// The request with the body received so far.
    var request: Request {
        let state = beginning.state
        return state.bytes.isEmpty ? head : head.with(body: state.bytes)
    }

    /// The full size of a body that is incomplete or truncated; nil if it is whole.
    var wholeBody: Int? {
        let state = beginning.state
        if state.hasEnded, state.bytes.count == state.count { return nil }
        return max(state.count, announced ?? 0)
    }

    /// The largest size that is stored, in bytes.
    var byteCount: Int { min(announced ?? limit, limit) + 128 }
}
