import SDHTTPTransport

/// A request whose body was passed on while it came, as its event shows it: with the beginning of the body.
package final class StreamedRequest: Sendable {
    private let head: Request
    private let beginning: BodyBeginning
    private let announced: Int?
    private let limit: Int

    /// Keeps the beginning of the body from now on; nil if it cannot be kept.
    /// - Parameter limit: the number of bytes that an event may keep of a body.
    init?(_ head: Request, _ stream: any BodyStream, limit: Int) {
        guard let beginning = stream.beginning else { return nil }
        self.head = head
        self.beginning = beginning
        announced = stream.count
        // An event without a limit is in no journal.
        self.limit = limit == .max ? 0 : limit
        beginning.keep(self.limit)
    }

    /// The request with what has come of its body.
    var request: Request {
        let state = beginning.state
        return state.bytes.isEmpty ? head : head.with(body: state.bytes)
    }

    /// The size of the body, of which not all is kept or has come; nil if it is whole.
    var wholeBody: Int? {
        let state = beginning.state
        if state.hasEnded, state.bytes.count == state.count { return nil }
        return max(state.count, announced ?? 0)
    }

    /// The most bytes that are kept.
    var byteCount: Int { min(announced ?? limit, limit) + 128 }
}
