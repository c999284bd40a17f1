public import HTTPTransport
import Matching
public import StubModel
import Synchronization

/// One request and what became of it. Made before the first byte of the response, completed at its end.
public final class ServeEvent: Sendable, StreamObserver {
    /// The place in the order in which the session decided; begins at 1.
    public let sequence: UInt64
    /// A long body is kept cut.
    public let request: Request
    /// The stub that answered; nil where none matched.
    public var stub: StubMapping? { matched?.mapping }
    public let status: Int
    /// The stub as its author finds it again.
    public var stubReference: StubReference? { (extras?.owner ?? matched).map(StubReference.init) }
    /// Nothing was there to answer it: neither a stub nor a file under `__files`.
    public var isUnmatched: Bool { matched == nil && status == 404 }
    /// Why the stub that matched could not be served, which its client got a 500 for; nil where it was.
    public var failure: String? { extras?.failure.map { "the body file \($0.path) cannot be served: \($0.reason)" } }
    public var fault: Fault? { matched?.response.definition.fault }
    /// The id of the session that answered; nil for the first.
    public var session: String? { activity.label }
    /// Nanoseconds that were added before the first byte.
    public let addedDelay: UInt64

    let matched: CompiledStub?
    /// Of an event that has something to tell beside its request and its stub.
    let extras: EventExtras?
    /// Of the session, which is told the end.
    private let activity: SessionActivity

    // The end is written by the loop, once, and read by anyone: the outcome last, so that who sees it sees the rest.
    private let bytesSent = Atomic<UInt64>(0)
    private let firstByteTime = Atomic<UInt64>(0)
    private let endTime = Atomic<UInt64>(0)
    private let outcome = Atomic<UInt8>(0)

    init(
        sequence: UInt64, request: Request, matched: CompiledStub?, status: Int, addedDelay: UInt64,
        notes: [MatchNote] = [], file: String? = nil, failure: BodyFileError? = nil, owner: CompiledStub? = nil,
        bodyLimit: Int = .max, activity: SessionActivity
    ) {
        // One comparison for a usual request.
        let isCut = request.byteCount > bodyLimit && request.body.count > bodyLimit
        self.sequence = sequence
        self.request = isCut ? request.cut(bodyTo: bodyLimit) : request
        self.matched = matched
        self.status = status
        self.addedDelay = addedDelay
        extras =
            matched == nil || isCut || !notes.isEmpty || failure != nil || owner != nil
            ? EventExtras(
                notes, wholeBody: isCut ? request.body.count : nil, file: file, failure: failure, owner: owner) : nil
        self.activity = activity
    }

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

    /// What it holds in memory, roughly: the request, and this.
    var byteCount: Int { request.byteCount + 192 + (extras?.byteCount ?? 0) }
}

/// How an exchange ended. Times are monotonic nanoseconds.
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

/// Who writes a line for each request. Called on the loop, when the response has ended.
public protocol RequestLog: AnyObject, Sendable {
    func served(_ event: ServeEvent)
}

/// Who is told of trouble that a response does not show, or shows to its client alone. Called on the loop.
public protocol EngineLog: AnyObject, Sendable {
    /// A matcher could not be asked about a request, such as an expression that backtracks without end; it counts as no
    /// match.
    func warned(_ message: String, by request: Request)
    /// Nothing was there to answer a request.
    func missed(_ request: UnmatchedRequest)
    /// A stub matched and could not be served: the event's `failure`.
    func failed(_ event: ServeEvent)
    /// A stub that was added or edited can be served in part only.
    func warned(_ message: String, of stub: StubReference)
}
