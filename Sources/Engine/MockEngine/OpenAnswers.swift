import SDAnswering
import SDHTTPTransport
import SDJournal
import SDPlatform
import SDReports

/// The answers of a session that have not ended, as reports tell of them.
struct OpenAnswers {
    private(set) var kinds = KindCounts<Report.Open>()
    private(set) var sequences: Set<UInt64> = []

    /// Answers without a delay count only after this time, in nanoseconds: most of them are about to end.
    private static let patience: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - events: the journal's events since the report began.
    ///   - served: the arrival number of the last event before that.
    init(of session: Session, _ events: some Sequence<ServeEvent>, after served: UInt64) {
        let now = SystemCalls.monotonicNanoseconds()
        var open: [UInt64: ServeEvent] = [:]
        for event in session.activity.inFlight.events where event.arrival > served { open[event.sequence] = event }
        for event in events where event.end == nil && now > event.request.clockTime &+ Self.patience {
            open[event.sequence] = event
        }
        let gates = session.gateTable.names
        let redaction = session.redaction
        for event in open.values.sorted(by: { $0.sequence < $1.sequence }) {
            let request = event.request
            let seen = InFlightRequest(event, gate: gates[event.sequence], now: now)
            kinds.add(
                Report.Open(
                    method: String(decoding: request.method, as: UTF8.self), url: redaction.url(of: request), count: 1,
                    stub: event.stubReference, state: Report.Open.State(seen.state), gate: seen.gate),
                path: Array(request.path))
        }
        sequences = Set(open.keys)
    }
}

extension Report.Open.State {
    fileprivate init(_ state: InFlightRequest.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .held: .held
            case .delayed: .delayed
            case .sending: .sending
            }
    }
}

extension Report {
    /// Adds answers that have not ended. A delayed answer counts as broken once the run's command has ended: no client
    /// is left to read it.
    mutating func add(_ answers: KindCounts<Open>, _ question: ReportQuestion) {
        let (kinds, count) = answers.findings { question.ignores($0[...]) }
        open += kinds
        openCount += count
        hasCommandEnded = question.hasCommandEnded
        for answer in kinds where answer.isBroken(self) {
            var broken = Aborted(
                method: answer.method, url: answer.url, count: answer.count, stub: answer.stub,
                reason: "Still open when the command ended: \(answer.text)")
            broken.test = answer.test
            aborted.append(broken)
            abortedCount += answer.count
        }
    }
}
