import SDHTTPMessages
import SDHTTPTransport
public import SDJournal
package import SDMatching
import SDPlatform
public import SDStubModel

/// The gates of a session, at which responses wait until a caller releases them.
extension AnsweringSession {
    /// The gates with waiters, and the open ones, by name.
    package var gates: [GateStatus] {
        gateTable.all.map { GateStatus($0, now: SystemCalls.monotonicNanoseconds()) }
    }

    package func gate(_ name: String) -> GateStatus {
        GateStatus(gateTable.gate(name), now: SystemCalls.monotonicNanoseconds())
    }

    /// A request that waits at a gate, with its whole body, regardless of the journal's limit; nil if it does not wait
    /// there. A gzip body is decompressed only up to the limit of matchers, or its own size.
    package func request(_ id: StubMapping.ID, waitingAt gate: String) -> LoggedRequest? {
        guard let sequence = eventIDs.sequence(id) else { return nil }
        for waiter in gateTable.gate(gate).waiters {
            guard case .request(let event, let request, _) = waiter.subject, event.sequence == sequence else {
                continue
            }
            return LoggedRequest(request, bodyLimit: max(request.bodyCount, 100 << 20))
        }
        return nil
    }

    /// Releases requests that wait at a gate, in order of arrival.
    /// - Parameters:
    ///   - choice: the requests to release.
    ///   - response: replaces the stubs' responses; nil for those. Streams that have begun cannot be replaced, and go
    ///   on
    ///     waiting.
    /// - Returns: the number of released requests.
    /// - Throws: why the response cannot be served.
    package func releaseGate(
        _ name: String, _ choice: GateChoice, with response: ResponseDefinition?
    ) throws(StubRefusal) -> Int {
        guard let response else { return letGo(at: name, choice, .go) }
        return letGo(at: name, choice, .answer(try ReplacementResponse(response, responseOptions)))
    }

    /// Breaks the connections of requests that wait at a gate, in order of arrival.
    /// - Returns: the number of broken requests.
    package func failGate(_ name: String, _ choice: GateChoice, with fault: Fault) -> Int {
        letGo(at: name, choice, .fail(fault))
    }

    /// Opens a gate: waiters are released, and nothing waits until it is closed.
    /// - Returns: the number of waiters.
    package func openGate(_ name: String) -> Int {
        let waiters = gateTable.open(name)
        activity.note(.gate(.init(name, .opened, count: waiters.count)))
        GateRelease(waiters, .go).begin()
        return waiters.count
    }

    /// Closes an open gate.
    /// - Returns: whether it was open.
    package func closeGate(_ name: String) -> Bool {
        let isClosed = gateTable.close(name)
        if isClosed { activity.note(.gate(.init(name, .closed))) }
        return isClosed
    }

    private func letGo(at name: String, _ choice: GateChoice, _ verdict: GateVerdict) -> Int {
        // An unknown id matches no request, rather than any.
        let sequence = choice.request.map { eventIDs.sequence($0) ?? .max }
        let onlyResponses = if case .answer = verdict { true } else { false }
        let waiters = gateTable.dequeue(at: name, choice.count ?? .max) { waiter in
            switch waiter.subject {
            case .request(let event, _, let isInStream):
                (sequence == nil || event.sequence == sequence) && !(onlyResponses && isInStream)
            case .message(let message):
                !onlyResponses && choice.request.map { $0.lowercasedString == message.id } != false
            }
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

/// A selection of the requests at a gate.
public struct GateChoice: Sendable {
    /// The largest number of requests; nil for all.
    public var count: Int?
    /// The id of the only request; nil for any.
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
    /// The waiting requests, in order of arrival.
    public let waiting: [Waiting]
    /// The waiting messages, in order of sending.
    public let messages: [(message: WaitingMessage, age: UInt64)]

    public var count: Int { waiting.count + messages.count }

    public struct Waiting: Sendable {
        public let event: ServeEvent
        /// Whether a part of the answer was sent.
        public let isInStream: Bool
        /// The start of the wait, in monotonic nanoseconds.
        public let begin: UInt64
        /// The waiting time in nanoseconds.
        public let age: UInt64
    }

    package init(_ gate: GateTable.Shown, now: UInt64) {
        name = gate.name
        isOpen = gate.isOpen
        var (waiting, messages): ([Waiting], [(message: WaitingMessage, age: UInt64)]) = ([], [])
        for waiter in gate.waiters {
            let age = now > waiter.since ? now - waiter.since : 0
            switch waiter.subject {
            case .request(let event, _, let isInStream):
                waiting.append(Waiting(event: event, isInStream: isInStream, begin: waiter.since, age: age))
            case .message(let message): messages.append((message, age))
            }
        }
        self.waiting = waiting
        self.messages = messages
    }
}

/// Releases many requests in batches, so that the loops serve others meanwhile.
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
        first.loop.perform {
            for waiter in left.prefix(Self.most) { waiter.resume(verdict) }
            GateRelease(left.dropFirst(Self.most), verdict).begin()
        }
    }

    private init(_ left: ArraySlice<GateTable.Waiter>, _ verdict: GateVerdict) {
        self.left = left
        self.verdict = verdict
    }
}
