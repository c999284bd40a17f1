public import SDHTTPTransport
public import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

/// A request and its result. Made when the response was chosen; receives the response before its first byte, and the
/// end of the exchange.
public final class ServeEvent: Sendable, StreamObserver {
    /// The place in the order of the session's decisions: from 1, or in replicas a time, see `JournalOutbox`.
    public let sequence: UInt64
    /// The place in the order in which the journal here got the session's events, from 1: the sequence, unless the events
    /// of other replicas come in between.
    package var arrival: UInt64 { UInt64(arrivalHigh) << 32 | UInt64(arrivalLow) }
    /// The request; a long body is truncated. Of one that is passed on while it comes, what has come so far.
    public var request: Request { extras?.streamed?.request ?? received }
    /// The stub that answered; nil if none matched.
    public var stub: StubMapping? { matchedStub?.mapping }
    /// The status that was sent; nil until the response has been made.
    public var status: Int? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matchedStub?.answerStatus
        case .own: own?.status
        }
    }
    /// The stub's reference, by which its author finds it.
    public var stubReference: StubReference? { (extras?.owner ?? matchedStub)?.reference }
    /// The same, unless the stub is none of the session's, but sends on what those do not answer.
    public var reportedStub: StubReference? { proxied?.isPassedThrough == true ? nil : stubReference }
    /// The reason why the matched stub could not be served, or why the stubs could not be matched, for which the client
    /// got a 500; nil if a response was made.
    public var failure: String? { sentKind == .own ? own?.failure : nil }
    public var fault: Fault? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matchedStub?.answer.fault
        case .own: own?.fault
        }
    }
    /// The id of the session that answered; nil for the first session.
    public var session: String? { activity.label }
    /// The delay added before the first byte, in nanoseconds.
    public var addedDelay: UInt64 { delay.load(ordering: .relaxed) }

    /// The response of the stub that answered, as it is defined; nil if none matched.
    public var responseDefinition: ResponseDefinition? { matchedStub?.answer.definition }
    /// The size in bytes of a request's body that is kept truncated; nil if it is whole.
    public var wholeBody: Int? {
        guard let streamed = extras?.streamed else { return extras?.wholeBody }
        return streamed.wholeBody
    }
    /// The number of bytes shown of the request's body.
    package var bodyLimit: Int { activity.bodyLimit }
    /// The file under `__files` that answered where no stub matched; nil for none.
    public var file: String? { extras?.file }
    /// The notes that matchers made.
    public var notes: [MatchNote] { extras?.notes ?? [] }
    /// The report that the client of an unmatched request got; nil for any other.
    public var unmatched: UnmatchedNote? { extras?.unmatched }

    /// What was done for the request since it was decided, in the order of time.
    public var subEvents: [SubEvent] { extras?.subEvents ?? [] }

    /// The call to another server that the request was sent on by; nil for a request that was not, and until it is.
    public var proxied: ProxiedNote? { extras?.proxied }
    /// Whether the client asked for another server, as a browser asks its proxy.
    public var isBrowserProxy: Bool { activity.isForwardProxy && request.isForProxy }

    /// The faults that have acted on the answer, in their order.
    public var faults: [AppliedFault] { effects?.applied ?? [] }
    package var effects: EventEffects? { extras?.effects }
    /// Whether a fault may have acted on the answer, or may yet.
    var mayHaveFaults: Bool {
        if extras?.effects != nil { return true }
        return sentKind == .own ? own?.fault != nil : matchedStub?.answer.fault != nil
    }

    /// The request as it was when it was decided.
    private let received: Request
    package let matchedStub: JournaledStub?
    /// The data that only a few events have.
    package let extras: EventExtras?
    /// The session's activity, which the end is reported to.
    private let activity: SessionActivity

    /// The response, unless it is the stub's constant one. Written once, by the thread that took `sent` from `nothing`
    /// to `making`; read only by threads that saw `own`.
    private nonisolated(unsafe) var own: ServedResponse?

    // The loop writes the end once, and any thread may read it: the outcome is written last, so whoever reads it can
    // read the rest.
    /// The added delay in nanoseconds, written before the response is sent.
    private let delay: Atomic<UInt64>
    private let bytesSent = Atomic<UInt64>(0)
    private let bodyBytesSent = Atomic<UInt64>(0)
    private let firstByteTime = Atomic<UInt64>(0)
    private let endTime = Atomic<UInt64>(0)

    /// The charge that counts the event once its journal has dropped it. Written at most once, by the journal, and
    /// never read.
    private nonisolated(unsafe) var outliving: MemoryCharge?

    // Single bytes stand together at the end, so that an event fits into 120 bytes of memory.
    private let outcome = Atomic<UInt8>(0)
    private let sent = Atomic(SentKind.nothing)
    /// Whether neither a stub nor a file under `__files` answered.
    public let isUnmatched: Bool
    private let arrivalHigh: UInt8
    private let arrivalLow: UInt32

    private enum SentKind: UInt8, AtomicRepresentable {
        /// The response has not been made yet.
        case nothing
        /// The response is about to become `own`.
        case making
        /// The response is the stub's constant one.
        case constant
        case own
    }

    /// Makes the event of a request that was decided.
    /// - Parameters:
    ///   - arrival: the number of events that the journal has got with this one; nil if that is the sequence.
    ///   - matched: the stub whose response was chosen.
    ///   - file: the file under `__files` that was chosen because no stub matched; nil for none.
    ///   - isUnmatched: whether neither a stub nor a file was found.
    ///   - owner: the matched stub, if it has several responses and `matched` is one of them.
    ///   - effects: what was drawn for the answer beside its delay.
    ///   - isProxied: whether the answer is that of another server.
    ///   - keepsSubEvents: whether there may be sub-events.
    ///   - bodyLimit: the number of bytes of the request's body that are kept.
    ///   - wholeBody: the size of the body, if it has been cut before; nil for one that has not.
    package init(
        sequence: UInt64, arrival: UInt64? = nil, request: Request, matched: JournaledStub?, addedDelay: UInt64,
        notes: [MatchNote] = [],
        file: String? = nil, isUnmatched: Bool, owner: JournaledStub? = nil, effects: EventEffects? = nil,
        isProxied: Bool = false, keepsSubEvents: Bool = false, bodyLimit: Int = .max, wholeBody: Int? = nil,
        activity: SessionActivity
    ) {
        // For most requests, the first comparison decides.
        let isCut = request.byteCount > bodyLimit && request.bodyCount > bodyLimit
        self.sequence = sequence
        let arrival = arrival ?? sequence
        arrivalHigh = UInt8(truncatingIfNeeded: arrival >> 32)
        arrivalLow = UInt32(truncatingIfNeeded: arrival)
        received = isCut ? request.cut(bodyTo: bodyLimit) : request
        let streamed = request.bodyStream.flatMap { StreamedRequest(request, $0, limit: bodyLimit) }
        matchedStub = matched
        delay = Atomic(addedDelay)
        self.isUnmatched = isUnmatched
        extras =
            matched == nil || isCut || !notes.isEmpty || owner != nil || effects != nil || isProxied || streamed != nil
                || keepsSubEvents || wholeBody != nil
            ? EventExtras(
                notes, wholeBody: isCut ? request.bodyCount : wholeBody, file: file, owner: owner, effects: effects,
                wholeRequest: isCut && matched?.readsBodies == true ? request : nil, streamed: streamed) : nil
        self.activity = activity
    }

    /// Counts the event for as long as somebody reads it. Called when the journal drops it.
    func outlivesJournal(_ charge: MemoryCharge) {
        outliving = charge
    }

    /// Adds to the delay, for a response that says how long it takes only when it is made.
    package func addDelay(_ nanoseconds: UInt64) {
        if nanoseconds > 0 { delay.add(nanoseconds, ordering: .relaxed) }
    }

    /// Takes what is drawn for an answer in place of the one that waited.
    /// - Parameter delay: the delay before the first byte, in nanoseconds.
    package func redraw(delay nanoseconds: UInt64, _ effects: EventEffects) {
        delay.store(nanoseconds, ordering: .relaxed)
        extras?.effects = effects
    }

    /// Forgets what was drawn for the answer, because another one is sent, on which it does not act.
    package func forgetDraws() {
        delay.store(0, ordering: .relaxed)
        effects?.forget()
    }

    // MARK: Response

    private var sentKind: SentKind { sent.load(ordering: .acquiring) }

    /// The response that was sent or, while its delay lasts, is about to be; nil until it has been made. Readable on
    /// any thread.
    public var response: ServedResponse? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matchedStub?.answer.served
        case .own: own
        }
    }

    /// Whether the response has been made.
    package var hasResponse: Bool { sentKind == .constant || sentKind == .own }

    /// Whether the stub's constant response was sent.
    package var sentConstant: Bool { sentKind == .constant }

    /// Records that the stub's constant response is sent. Called before the first byte; only the first record counts.
    package func sends() {
        _ = sent.compareExchange(expected: .nothing, desired: .constant, ordering: .releasing)
    }

    /// Records the response that is sent. Called before the first byte; only the first record counts.
    package func sends(_ response: ServedResponse) {
        let (isFirst, _) = sent.compareExchange(expected: .nothing, desired: .making, ordering: .relaxed)
        guard isFirst else { return }
        own = response
        sent.store(.own, ordering: .releasing)
    }

    // MARK: End

    /// The end of the exchange; nil while it is under way.
    public var end: ServeEnd? {
        guard let outcome = ServeEnd.Outcome(rawValue: outcome.load(ordering: .acquiring)) else { return nil }
        return ServeEnd(
            outcome: outcome,
            bytesSent: bytesSent.load(ordering: .relaxed),
            bodyBytesSent: outcome == .sent ? nil : bodyBytesSent.load(ordering: .relaxed),
            firstByteTime: firstByteTime.load(ordering: .relaxed),
            endTime: endTime.load(ordering: .relaxed))
    }

    public func streamEnded(_ end: StreamEnd) {
        bytesSent.store(end.bytesSent, ordering: .relaxed)
        if let count = end.bodyBytesSent { bodyBytesSent.store(count, ordering: .relaxed) }
        firstByteTime.store(end.firstByteTime, ordering: .relaxed)
        endTime.store(end.endTime, ordering: .relaxed)
        if let status = end.refusal { sends(ServedResponse(status: status)) }
        var outcome = ServeEnd.Outcome(end.outcome)
        if outcome == .faultApplied, proxied?.problem != nil { outcome = .targetGone }
        self.outcome.store(outcome.rawValue, ordering: .releasing)
        effects?.end()
        activity.ended(self, at: end.endTime)
    }

    /// Takes the delay of an exchange of another replica.
    package func take(delay nanoseconds: UInt64) { delay.store(nanoseconds, ordering: .relaxed) }

    /// Takes the end of an exchange of another replica, once.
    package func take(_ end: ServeEnd) {
        bytesSent.store(end.bytesSent, ordering: .relaxed)
        bodyBytesSent.store(end.bodyBytesSent ?? 0, ordering: .relaxed)
        firstByteTime.store(end.firstByteTime, ordering: .relaxed)
        endTime.store(end.endTime, ordering: .relaxed)
        outcome.store(end.outcome.rawValue, ordering: .releasing)
    }

    /// How the exchange ended; nil while it is under way.
    var endOutcome: ServeEnd.Outcome? { ServeEnd.Outcome(rawValue: outcome.load(ordering: .acquiring)) }

    /// The time from the arrival of the request to the last byte of its answer, in nanoseconds; nil until then.
    var duration: UInt64? {
        guard outcome.load(ordering: .acquiring) != 0 else { return nil }
        let end = endTime.load(ordering: .relaxed)
        return end > received.clockTime ? end - received.clockTime : 0
    }

    /// The duration of an event that has ended, without the added delay, in nanoseconds.
    public var times: (process: UInt64, send: UInt64)? {
        guard let end else { return nil }
        let begin = received.clockTime
        let first = end.firstByteTime > 0 ? end.firstByteTime : end.endTime
        let untilFirst = first > begin ? first - begin : 0
        return (
            process: untilFirst > addedDelay ? untilFirst - addedDelay : 0,
            send: end.endTime > first ? end.endTime - first : 0
        )
    }

    /// The number of bytes that a gzip body may decompress to where it is shown; 0 for any other body.
    var inflatedSize: Int {
        request.hasGzipBody ? min(GzipReader.maxOutput(of: request.bodyCount), bodyLimit) : 0
    }

    /// The approximate size in memory of the request and the event, in bytes.
    package var byteCount: Int { received.byteCount + 192 + (extras?.byteCount ?? 0) }
}

/// The end of an exchange. Times are in monotonic nanoseconds.
public struct ServeEnd: Sendable, Equatable {
    public enum Outcome: UInt8, Sendable {
        case sent = 1
        case faultApplied, clientGone, clientStalled, stopped, cancelled
        /// The other server, whose answer was passed on, broke off in the middle of it.
        case targetGone
        /// The rest of the request's body, which was passed on while it came, was too slow or wrong.
        case refused

        package init(_ outcome: StreamEnd.Outcome) {
            switch outcome {
            case .sent: self = .sent
            case .aborted: self = .faultApplied
            case .clientGone: self = .clientGone
            case .clientStalled: self = .clientStalled
            case .stopped: self = .stopped
            case .cancelled: self = .cancelled
            case .refused: self = .refused
            }
        }
    }

    public let outcome: Outcome
    /// The number of bytes that the system took, framing included.
    public let bytesSent: UInt64
    /// The number of these that are of the body, as it was sent but without framing; nil for a response that was sent to
    /// its end.
    public let bodyBytesSent: UInt64?
    public let firstByteTime: UInt64
    public let endTime: UInt64

    package init(
        outcome: Outcome, bytesSent: UInt64, bodyBytesSent: UInt64?, firstByteTime: UInt64, endTime: UInt64
    ) {
        self.outcome = outcome
        self.bytesSent = bytesSent
        self.bodyBytesSent = bodyBytesSent
        self.firstByteTime = firstByteTime
        self.endTime = endTime
    }
}
