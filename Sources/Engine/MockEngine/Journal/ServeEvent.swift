public import HTTPTransport
import Matching
public import StubModel
import Synchronization

/// One request and what became of it. Made when its response was chosen, given what was sent before the first byte of it, and
/// completed at its end.
public final class ServeEvent: Sendable, StreamObserver {
    /// The place in the order of the session's decisions, from 1.
    public let sequence: UInt64
    /// The request; a long body is truncated.
    public let request: Request
    /// The stub that answered; nil if none matched.
    public var stub: StubMapping? { matched?.mapping }
    /// The status that was sent; nil as long as the response is not made.
    public var status: Int? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matched?.status
        case .own: own?.status
        }
    }
    /// The stub as its author finds it again.
    public var stubReference: StubReference? { (extras?.owner ?? matched).map(StubReference.init) }
    /// Why the stub that matched could not be served, which its client got a 500 for; nil where it was.
    public var failure: String? { sentKind == .own ? own?.failure : nil }
    public var fault: Fault? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matched?.response.fault
        case .own: own?.fault
        }
    }
    /// The id of the session that answered; nil for the first.
    public var session: String? { activity.label }
    /// The delay added before the first byte, in nanoseconds.
    public let addedDelay: UInt64

    let matched: CompiledStub?
    /// The data that only a few events have.
    let extras: EventExtras?
    /// The session's activity, which is told the end.
    private let activity: SessionActivity

    /// What was sent where that is not all said by the stub. Written once, by whoever took `sent` from `nothing` to `making`;
    /// read only by those who saw `own`.
    private nonisolated(unsafe) var own: ServedResponse?

    // The end is written by the loop, once, and read by anyone: the outcome last, so that who sees it sees the rest.
    private let bytesSent = Atomic<UInt64>(0)
    private let firstByteTime = Atomic<UInt64>(0)
    private let endTime = Atomic<UInt64>(0)
    private let outcome = Atomic<UInt8>(0)
    private let sent = Atomic(SentKind.nothing)

    // Beside the other bytes, so that an event keeps its size.
    /// Nothing was there to answer it: neither a stub nor a file under `__files`.
    public let isUnmatched: Bool

    private enum SentKind: UInt8, AtomicRepresentable {
        /// The response is still to be made.
        case nothing
        /// About to become `own`.
        case making
        /// All that the stub says, which never changes.
        case constant
        case own
    }

    /// - Parameters:
    ///   - matched: the stub whose response was chosen.
    ///   - file: the file under `__files` that was chosen where no stub matched; nil for none.
    ///   - isUnmatched: nothing was there.
    ///   - owner: the stub that was matched, where it has several responses and `matched` is one of them.
    ///   - bodyLimit: the number of bytes of the request's body that are kept.
    init(
        sequence: UInt64, request: Request, matched: CompiledStub?, addedDelay: UInt64, notes: [MatchNote] = [],
        file: String? = nil, isUnmatched: Bool, owner: CompiledStub? = nil, bodyLimit: Int = .max,
        activity: SessionActivity
    ) {
        // For most requests, the first comparison decides.
        let isCut = request.byteCount > bodyLimit && request.body.count > bodyLimit
        self.sequence = sequence
        self.request = isCut ? request.cut(bodyTo: bodyLimit) : request
        self.matched = matched
        self.addedDelay = addedDelay
        self.isUnmatched = isUnmatched
        extras =
            matched == nil || isCut || !notes.isEmpty || owner != nil
            ? EventExtras(notes, wholeBody: isCut ? request.body.count : nil, file: file, owner: owner) : nil
        self.activity = activity
    }

    // MARK: Response

    private var sentKind: SentKind { sent.load(ordering: .acquiring) }

    /// What was sent, or is to be sent as soon as its delay has passed; nil as long as it is not made. Any thread.
    public var response: ServedResponse? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matched?.response.served
        case .own: own
        }
    }

    /// Notes that all of the stub's constant response is sent. Before the first byte; what was noted first counts.
    func sends() {
        _ = sent.compareExchange(expected: .nothing, desired: .constant, ordering: .releasing)
    }

    /// Notes what is sent. Before the first byte; what was noted first counts.
    func sends(_ response: ServedResponse) {
        let (isFirst, _) = sent.compareExchange(expected: .nothing, desired: .making, ordering: .relaxed)
        guard isFirst else { return }
        own = response
        sent.store(.own, ordering: .releasing)
    }

    // MARK: End

    /// How it ended; nil while it is under way.
    public var end: ServeEnd? {
        guard let outcome = ServeEnd.Outcome(rawValue: outcome.load(ordering: .acquiring)) else { return nil }
        return ServeEnd(
            outcome: outcome,
            bytesSent: bytesSent.load(ordering: .relaxed),
            firstByteTime: firstByteTime.load(ordering: .relaxed),
            endTime: endTime.load(ordering: .relaxed))
    }

    public func streamEnded(_ end: StreamEnd) {
        bytesSent.store(end.bytesSent, ordering: .relaxed)
        firstByteTime.store(end.firstByteTime, ordering: .relaxed)
        endTime.store(end.endTime, ordering: .relaxed)
        outcome.store(ServeEnd.Outcome(end.outcome).rawValue, ordering: .releasing)
        activity.ended(self, at: end.endTime)
    }

    /// The approximate size in memory of the request and the event, in bytes.
    var byteCount: Int { request.byteCount + 192 + (extras?.byteCount ?? 0) }
}

/// The end of an exchange. Times are in monotonic nanoseconds.
public struct ServeEnd: Sendable, Equatable {
    public enum Outcome: UInt8, Sendable {
        case sent = 1
        case faultApplied, clientGone, clientStalled, stopped, cancelled

        init(_ outcome: StreamEnd.Outcome) {
            switch outcome {
            case .sent: self = .sent
            case .aborted: self = .faultApplied
            case .clientGone: self = .clientGone
            case .clientStalled: self = .clientStalled
            case .stopped: self = .stopped
            case .cancelled: self = .cancelled
            }
        }
    }

    public let outcome: Outcome
    public let bytesSent: UInt64
    public let firstByteTime: UInt64
    public let endTime: UInt64
}

/// A log with a line for each request. Called on the loop when the response has ended.
public protocol RequestLog: AnyObject, Sendable {
    func served(_ event: ServeEvent)
}

/// A log of problems that a response does not show, or shows only to its client. Called on the loop.
public protocol EngineLog: AnyObject, Sendable {
    /// A matcher could not check a request, for example because an expression backtracks without end; that counts as no
    /// match.
    func warned(_ message: String, by request: Request)
    /// No stub and no file answered a request.
    func missed(_ request: UnmatchedRequest)
    /// A stub matched and could not be served: the event's `failure`.
    func failed(_ event: ServeEvent)
    /// A stub that was added or edited can be served only in part.
    func warned(_ message: String, of stub: StubReference)
    /// The stubs as a whole cannot be served as they say.
    func warned(_ message: String)
    /// What was told of a stub holds no longer.
    func noticed(_ message: String, of stub: StubReference)
}
