import SDPlatform
import SDStubModel
import Synchronization

/// The outcomes of the requests of all sessions. The counters only grow; neither a reset nor the end of a session
/// affects them, so that readers can subtract.
///
/// A request costs two additions at its end; one with a fault also costs a lock.
package final class RequestCounters: Sendable {
    /// What answered a request.
    package enum Outcome: String, CaseIterable {
        /// A stub, a file, or a setting answered.
        case matched
        case unmatched
        /// The matched stub could not be served, or the stubs could not be matched.
        case failed
        /// Another server answered, because neither a stub nor a file did.
        case passedThrough = "passed_through"
    }

    /// The upper bounds of the duration buckets, in nanoseconds; the last bucket is unbounded.
    package static let bounds: [UInt64] = [
        100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000,
        10_000_000_000, 30_000_000_000,
    ]
    private static let durationCount = bounds.count + 1
    /// The classes of a status by its first digit; 0 for no response, and for a status above 599.
    private static let classCount = 6

    /// A counter for each outcome, status class and duration bucket.
    private let answers = AtomicCounters(count: Outcome.allCases.count * classCount * durationCount)
    /// The sum of the durations of each outcome, in nanoseconds.
    private let sums = AtomicCounters(count: Outcome.allCases.count)
    /// A counter for each way in which an answer ends.
    private let ends = AtomicCounters(count: Int(ServeEnd.Outcome.refused.rawValue) + 1)
    private let faults = Mutex<[String: UInt64]>([:])

    package init() {}

    // MARK: Counting

    /// Counts an event whose answer has ended.
    func ended(_ event: ServeEvent) {
        let duration = event.duration ?? 0
        let status = event.status ?? 0
        let statusClass = 100..<600 ~= status ? status / 100 : 0
        let outcome = event.answerer
        let durationClass = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        answers.add(at: Self.index(outcome, statusClass, durationClass))
        sums.add(duration, at: outcome)
        if let end = event.endOutcome, end != .sent { ends.add(at: Int(end.rawValue)) }
        if event.mayHaveFaults { noteFaults(of: event) }
    }

    private static func index(_ outcome: Int, _ statusClass: Int, _ duration: Int) -> Int {
        (outcome * classCount + statusClass) * durationCount + duration
    }

    private func noteFaults(of event: ServeEvent) {
        let acted = event.faults
        for fault in acted { noteFault(fault.kind) }
        // A fault caused by a rule, such as a session's, was counted above.
        if let fault = event.fault, !acted.contains(where: { $0.then == fault.rawValue }) { noteFault(fault.rawValue) }
    }

    /// Counts a fault that has acted.
    /// - Parameter kind: its key, or WireMock's name for it: never text from a client or a stub.
    package func noteFault(_ kind: String) {
        faults.withLock { $0[kind, default: 0] += 1 }
    }

    // MARK: Reading

    /// The durations of the answers of an outcome.
    package struct Durations: Sendable {
        /// The number of durations in each bucket.
        package let counts: [UInt64]
        /// The sum in nanoseconds.
        package let sum: UInt64
        package var count: UInt64 { counts.reduce(0, +) }
    }

    package func durations(of outcome: Outcome) -> Durations {
        let outcome = Self.number(of: outcome)
        let counts = (0..<Self.durationCount).map { duration in
            (0..<Self.classCount).reduce(0) { $0 + answers[Self.index(outcome, $1, duration)] }
        }
        return Durations(counts: counts, sum: sums[outcome])
    }

    /// The number of answers by the first digit of their status, from 1 to 5, preceded by those of no such class.
    package var statuses: [UInt64] {
        (0..<Self.classCount).map { status in
            (0..<Outcome.allCases.count).reduce(0) { sum, outcome in
                (0..<Self.durationCount).reduce(sum) { $0 + answers[Self.index(outcome, status, $1)] }
            }
        }
    }

    /// The number of answers with an abnormal end.
    package func count(of end: ServeEnd.Outcome) -> UInt64 { ends[Int(end.rawValue)] }

    /// The number of times each kind of fault has acted.
    package var faultCounts: [(kind: String, count: UInt64)] {
        faults.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    fileprivate static func number(of outcome: Outcome) -> Int {
        switch outcome {
        case .matched: 0
        case .unmatched: 1
        case .failed: 2
        case .passedThrough: 3
        }
    }
}

extension ServeEvent {
    /// The index of the outcome.
    fileprivate var answerer: Int {
        let outcome: RequestCounters.Outcome =
            isUnmatched
            ? .unmatched : failure != nil ? .failed : proxied?.isPassedThrough == true ? .passedThrough : .matched
        return RequestCounters.number(of: outcome)
    }
}

extension AppliedFault {
    /// The counted name: the fault's key, or for `kind` the kind.
    fileprivate var kind: String { name == "kind" ? then ?? name : name }
}
