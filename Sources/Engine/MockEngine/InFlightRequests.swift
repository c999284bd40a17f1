import SDAnswering
import SDHTTPTransport
public import SDJournal
import SDOutgoingCalls

/// The requests that were decided and whose answers have not ended.
public struct InFlightRequests: Sendable {
    /// The number of requests in flight.
    public let total: Int
    /// The requests whose answers are delayed or paced, oldest first.
    public let slow: [InFlightRequest]
    /// The number of webhooks that have started and not ended.
    public let webhooks: Int
}

/// A request whose answer is delayed or paced.
public struct InFlightRequest: Sendable {
    public enum State: String, Sendable {
        /// The response is not made yet.
        case waiting
        /// The response, or the rest of it, waits at a gate.
        case held
        /// The delay has not passed.
        case delayed
        case sending
    }

    public let event: ServeEvent
    public let state: State
    /// The gate at which the request waits; nil for none.
    public let gate: String?
    /// The time since the request came, in nanoseconds.
    public let age: UInt64

    init(_ event: ServeEvent, gate: String?, now: UInt64) {
        let begin = event.request.clockTime
        let age = now > begin ? now - begin : 0
        self.event = event
        self.age = age
        self.gate = gate
        if gate != nil {
            state = .held
        } else {
            state = event.status == nil ? .waiting : age < event.addedDelay ? .delayed : .sending
        }
    }
}

extension SessionRegistry {
    /// The number of webhooks of the process that have not ended, including those of ended sessions. Once the loops
    /// have ended, those webhooks are lost.
    public var webhooksInFlight: Int { base.webhooks.pending + base.webhooks.lost }

    /// The requests in flight of all sessions.
    public func inFlight() -> InFlightRequests {
        let each = allSessions.map { $0.inFlight() }
        return InFlightRequests(
            total: each.reduce(0) { $0 + $1.total }, slow: each.flatMap(\.slow).sorted { $0.age > $1.age },
            webhooks: webhooksInFlight)
    }
}
