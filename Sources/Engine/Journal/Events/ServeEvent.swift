public import SDHTTPTransport
public import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

/// A request and its result. Made once the response is chosen; receives the response before its first byte, and the end
/// of the exchange.
public final class ServeEvent: Sendable, StreamObserver {
    /// The number in the order of the session's decisions: from 1, or with replicas a time, see `JournalOutbox`.
    public let sequence: UInt64
    /// The number in the order in which this process's journal got the session's events, from 1. Equal to the sequence
    /// number unless other replicas add events.
    package var arrival: UInt64 { UInt64(arrivalHigh) << 32 | UInt64(arrivalLow) }
    /// The request; a long body is truncated. A streamed body is shown as far as it has been received.
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
    /// The stub's reference; nil if the stub only proxies unmatched requests.
    public var reportedStub: StubReference? { proxied?.isPassedThrough == true ? nil : stubReference }
    /// Why the matched stub could not be served, or why the stubs could not be matched; the client got a 500. Nil if a
    /// response was made.
    public var failure: String? { sentKind == .own ? own?.failure : nil }
    public var fault: Fault? {
        switch sentKind {
        case .nothing, .making: nil
        case .constant: matchedStub?.answer.fault
        case .own: own?.fault
        }
    }
    /// The id of the session that answered; nil for the default session.
    public var session: String? { activity.label }
    /// The delay added before the first byte, in nanoseconds.
    public var addedDelay: UInt64 { delay.load(ordering: .relaxed) }

    /// The response definition of the stub that answered; nil if none matched.
    public var responseDefinition: ResponseDefinition? { matchedStub?.answer.definition }
    /// The full size in bytes of a truncated request body; nil if it is whole.
    public var wholeBody: Int? {
        guard let streamed = extras?.streamed else { return extras?.wholeBody }
        return streamed.wholeBody
    }
    /// The largest number of request body bytes that events show.
    package var bodyLimit: Int { activity.bodyLimit }
    /// The file under `__files` that answered an unmatched request; nil for none.
    public var file: String? { extras?.file }
    /// The notes of matchers.
    public var notes: [MatchNote] { extras?.notes ?? [] }
    /// The report that the client of an unmatched request got; nil for any other.
    public var unmatched: UnmatchedNote? { extras?.unmatched }

    /// The sub-events of the request since it was decided, ordered by time.
    public var subEvents: [SubEvent] { extras?.subEvents ?? [] }

    /// The call to another server; nil until the request is proxied.
    public var proxied: ProxiedNote? { extras?.proxied }
    /// Whether the client named another server, as a browser does with its proxy.
    public var isBrowserProxy: Bool { activity.isForwardProxy && request.isForProxy }

    /// The faults that have acted on the answer, in order.
    public var faults: [AppliedFault] { effects?.applied ?? [] }
    package var effects: EventEffects? { extras?.effects }
    /// Whether a fault may have acted on the answer, or may still act.
    var mayHaveFaults: Bool {
        if extras?.effects != nil { return true }
        return sentKind == .own ? own?.fault != nil : matchedStub?.answer.fault != nil
    }

    /// The request as it was when it was decided.
    private let received: Request
    package let matchedStub: JournaledStub?
    /// The data of the few events that have any.
    package let extras: EventExtras?
    /// The session's activity, which is notified of the end.
    private let activity: SessionActivity

    /// The response, unless it is the stub's constant one. Written once, by the thread that took `sent` from `nothing`
    /// to `making`; read only by threads that saw `own`.
    private nonisolated(unsafe) var own: ServedResponse?

    // The loop writes the end once, and any thread may read it: the outcome is written last, so a reader that sees it
    // can read the rest.
    /// The added delay in nanoseconds, written before the response is sent.
    private let delay: Atomic<UInt64>
    private let bytesSent = Atomic<UInt64>(0)
    private let bodyBytesSent = Atomic<UInt64>(0)
    private let firstByteTime = Atomic<UInt64>(0)
    private let endTime = Atomic<UInt64>(0)

    /// Charges the event once its journal has dropped it. Written at most once, by the journal, and never read.
    private nonisolated(unsafe) var outliving: MemoryCharge?

    // Single bytes are grouped at the end, so that an event fits into 120 bytes of memory.
    private let outcome = Atomic<UInt8>(0)
    private let sent = Atomic(SentKind.nothing)
    /// Whether neither a stub nor a file under `__files` answered.
    public let isUnmatched: Bool
    private let arrivalHigh: UInt8
    private let arrivalLow: UInt32

    private enum SentKind: UInt8, AtomicRepresentable {
        /// The response has not been made yet.
        case nothing
        /// The response is about to be stored in `own`.
        case making
        /// The response is the stub's constant one.
        case constant
        case own
    }

    /// Makes the event of a decided request.
    /// - Parameters:
    ///   - arrival: the number of events in the journal, including this one; nil if it equals the sequence number.
    ///   - matched: the stub whose response was chosen.
    ///   - file: the file under `__files` that answers because no stub matched; nil for none.
    ///   - isUnmatched: whether neither a stub nor a file was found.
    ///   - owner: the matched stub, if it has several responses and `matched` is one of them.
    ///   - effects: the sampled effects on the answer, other than its delay.
    ///   - isProxied: whether the answer is that of another server.
    ///   - keepsSubEvents: whether there may be sub-events.
    ///   - bodyLimit: the largest number of request body bytes to store.
    ///   - wholeBody: the full size of a body that is already truncated; nil for a whole one.
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

    /// Charges the event for as long as anything reads it. Called when the journal drops it.
    func outlivesJournal(_ charge: MemoryCharge) {
        outliving = charge
    }

    /// Adds to the delay, for a response whose duration is known only when it is made.
    package func addDelay(_ nanoseconds: UInt64) {
        if nanoseconds > 0 { delay.add(nanoseconds, ordering: .relaxed) }
    }

    /// Replaces the sampled effects, for an answer that is sent instead of a waiting one.
    /// - Parameter delay: the delay before the first byte, in nanoseconds.
    package func redraw(delay nanoseconds: UInt64, _ effects: EventEffects?) {
        delay.store(nanoseconds, ordering: .relaxed)
        extras?.effects = effects
    }

    /// Clears the sampled effects, because another answer is sent, on which they do not act.
    package func forgetDraws() {
        delay.store(0, ordering: .relaxed)
        effects?.clearApplied()
    }

    // MARK: Response

    private var sentKind: SentKind { sent.load(ordering: .acquiring) }

    /// The response that was sent or, during its delay, will be sent; nil until it is made. Readable on any thread.
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

    /// Records that the stub's constant response is sent. Called before the first byte; only the first call counts.
    package func sends() {
        _ = sent.compareExchange(expected: .nothing, desired: .constant, ordering: .releasing)
    }

    /// Records the response that is sent. Called before the first byte; only the first call counts.
    package func sends(_ response: ServedResponse) {
        let (isFirst, _) = sent.compareExchange(expected: .nothing, desired: .making, ordering: .relaxed)
        guard isFirst else { return }
        own = response
        sent.store(.own, ordering: .releasing)
    }

    // MARK: End

    /// The end of the exchange; nil while it is in progress.
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
        effects?.releaseSlots()
        activity.answerEnded(self, at: end.endTime)
    }

    /// Sets the delay of an exchange of another replica.
    package func take(delay nanoseconds: UInt64) { delay.store(nanoseconds, ordering: .relaxed) }

    /// Sets the end of an exchange of another replica, once.
    package func take(_ end: ServeEnd) {
        bytesSent.store(end.bytesSent, ordering: .relaxed)
        bodyBytesSent.store(end.bodyBytesSent ?? 0, ordering: .relaxed)
        firstByteTime.store(end.firstByteTime, ordering: .relaxed)
        endTime.store(end.endTime, ordering: .relaxed)
        outcome.store(end.outcome.rawValue, ordering: .releasing)
    }

    /// How the exchange ended; nil while it is in progress.
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

    /// The largest decompressed size of a gzip body, in bytes; 0 for any other body.
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
        case faultApplied, clientDisconnected, clientStalled, stopped, cancelled
        /// The proxied server broke off in the middle of its answer.
        case targetGone
        /// The rest of the streamed request body was too slow or malformed.
        case refused

        package init(_ outcome: StreamEnd.Outcome) {
            switch outcome {
            case .sent: self = .sent
            case .aborted: self = .faultApplied
            case .clientDisconnected: self = .clientDisconnected
            case .clientStalled: self = .clientStalled
            case .stopped: self = .stopped
            case .cancelled: self = .cancelled
            case .refused: self = .refused
            }
        }
    }

    public let outcome: Outcome
    /// The number of bytes that the kernel accepted, framing included.
    public let bytesSent: UInt64
    /// The number of body bytes among these, without framing; nil for a response that was sent to its end.
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
