import SDHTTPMessages
import SDHTTPTransport
public import SDJournal
package import SDMatching
import SDPlatform
public import SDStubModel

/// The gates of a session, at which responses wait until a caller lets them go.
/// The gates, as callers let requests go.
extension AnsweringSession {
    /// The gates at which somebody waits and those that stand open, by name.
    package var gates: [GateStatus] {
        gateTable.all.map { GateStatus($0, now: SystemCalls.monotonicNanoseconds()) }
    }

    package func gate(_ name: String) -> GateStatus {
        GateStatus(gateTable.gate(name), now: SystemCalls.monotonicNanoseconds())
    }

    /// A request that waits at a gate, with its whole body, however little the journal keeps of it; nil if it does not
    /// wait there. Of a gzip body no more is decompressed than for matchers, or than was sent.
    package func request(_ id: StubMapping.ID, waitingAt gate: String) -> LoggedRequest? {
        guard let sequence = eventIDs.sequence(id) else { return nil }
        let waiter = gateTable.gate(gate).waiters.first { $0.event.sequence == sequence }
        return waiter.map { LoggedRequest($0.request, bodyLimit: max($0.request.bodyCount, 100 << 20)) }
    }

    /// Lets requests go that wait at a gate, the first to come first.
    /// - Parameters:
    ///   - choice: which of them.
    ///   - response: the answer in place of their stubs'; nil for those. Streams that have begun cannot be answered
    ///     otherwise, and go on waiting.
    /// - Returns: how many are let go.
    /// - Throws: why the response cannot be served.
    package func releaseGate(
        _ name: String, _ choice: GateChoice, with response: ResponseDefinition?
    ) throws(StubRefusal) -> Int {
        guard let response else { return letGo(at: name, choice, .go) }
        return letGo(at: name, choice, .answer(try ReplacementResponse(response, responseOptions)))
    }

    /// Breaks the connections of requests that wait at a gate, the first to come first.
    /// - Returns: how many.
    package func failGate(_ name: String, _ choice: GateChoice, with fault: Fault) -> Int {
        letGo(at: name, choice, .fail(fault))
    }

    /// Opens a gate: those who wait there go, and nobody waits until it is closed.
    /// - Returns: how many waited.
    package func openGate(_ name: String) -> Int {
        let waiters = gateTable.open(name)
        activity.note(.gate(.init(name, .opened, count: waiters.count)))
        GateRelease(waiters, .go).begin()
        return waiters.count
    }

    /// Closes a gate that stands open.
    /// - Returns: whether it did.
    package func closeGate(_ name: String) -> Bool {
        let isClosed = gateTable.close(name)
        if isClosed { activity.note(.gate(.init(name, .closed))) }
        return isClosed
    }

    private func letGo(at name: String, _ choice: GateChoice, _ verdict: GateVerdict) -> Int {
        // Never a request of the id alone: it may wait no longer.
        let sequence = choice.request.map { eventIDs.sequence($0) ?? .max }
        let onlyResponses = if case .answer = verdict { true } else { false }
        let waiters = gateTable.take(at: name, choice.count ?? .max) { waiter in
            (sequence == nil || waiter.event.sequence == sequence) && !(onlyResponses && waiter.isInStream)
        }
        if !waiters.isEmpty {
            let isFailure = if case .fail = verdict { true } else { false }
            activity.note(
                .gate(.init(name, isFailure ? .failed : .released, count: waiters.count, sequence: sequence)))
        }
        GateRelease(waiters, verdict).begin()
        return waiters.count
    }
}

/// Those of the requests at a gate that a call is about.
public struct GateChoice: Sendable {
    /// The most of them; nil for all.
    public var count: Int?
    /// The id of the only one; nil for any.
    public var request: StubMapping.ID?

    public init(count: Int? = nil, request: StubMapping.ID? = nil) {
        self.count = count
        self.request = request
    }
}

/// A gate as callers see it.
public struct GateStatus: Sendable {
    public let name: String
    public let isOpen: Bool
    /// The requests that wait, the first to come first.
    public let waiting: [Waiting]

    public struct Waiting: Sendable {
        public let event: ServeEvent
        /// Whether a part of the answer has been sent.
        public let isInStream: Bool
        /// The time at which it began to wait, in monotonic nanoseconds.
        public let begin: UInt64
        /// The time since then, in nanoseconds.
        public let age: UInt64
    }

    package init(_ gate: GateTable.Shown, now: UInt64) {
        name = gate.name
        isOpen = gate.isOpen
        waiting = gate.waiters.map {
            Waiting(
                event: $0.event, isInStream: $0.isInStream, begin: $0.since, age: now > $0.since ? now - $0.since : 0)
        }
    }
}

/// Lets many requests go, some at a time, so that the loops serve others meanwhile.
private struct GateRelease: Sendable {
    private static let most = 200
    private var left: ArraySlice<GateTable.Waiter>
    private let verdict: GateVerdict

    init(_ waiters: [GateTable.Waiter], _ verdict: GateVerdict) {
        left = waiters[...]
        self.verdict = verdict
    }

    func begin() {
        guard let first = left.first else { return }
        first.stream.loop.perform {
            for waiter in left.prefix(Self.most) { waiter.pass(verdict) }
            GateRelease(left.dropFirst(Self.most), verdict).begin()
        }
    }

    private init(_ left: ArraySlice<GateTable.Waiter>, _ verdict: GateVerdict) {
        self.left = left
        self.verdict = verdict
    }
}
