package import SDHTTPTransport
package import SDPlatform
package import SDStubModel
import Synchronization

/// The counters of a session's fault rules, since its beginning or last reset: the requests each has seen, and the
/// answers in progress. Guarded by the session's lock.
package struct FaultCounters: Sendable {
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The time of the session's beginning or last reset, in milliseconds.
    private var began: Int64
    /// The number of entries at which those of removed stubs are purged.
    private var nextCleaning = 64

    private struct Entry: Sendable {
        /// The program, retained so that its `ObjectIdentifier` stays unique.
        var program: FaultProgram
        var rules: [RuleState]
    }

    package init(now: Int64) {
        began = now
    }

    /// Clears all counters.
    package mutating func reset(now: Int64) {
        self = FaultCounters(now: now)
    }

    /// The decision of a rule about one request.
    package enum Verdict {
        /// - Parameter slot: holds a slot until the answer has ended.
        case passes(slot: SlotCounter?)
        /// - Parameter retryAfter: the seconds until the quota's next period.
        case acts(retryAfter: Int?)
    }

    /// Evaluates each rule of a program, in order.
    /// - Parameter counts: the counts of all replicas; nil for a single server.
    package mutating func judge(
        _ program: FaultProgram, _ request: Request, now time: Int64,
        counts: [(count: FaultCount, verdict: FaultCount.Verdict)]? = nil,
        _ generator: inout SeededGenerator, _ verdict: (FaultRule, Verdict, inout SeededGenerator) -> Void
    ) {
        let key = entry(of: program)
        for (index, rule) in program.rules.enumerated() where rule.isAboutAnswers {
            var counted: RuleState.Counted?
            if let counts, rule.conditions.isCounted {
                let found = counts.first { $0.count.program === program && $0.count.rule == index }
                counted = found.map { .together($0.count, $0.verdict) } ?? .outside
            }
            let judged = entries[key]?.rules[index].judge(
                rule.conditions, request, since: time - began, at: time, counted: counted, &generator)
            if let judged { verdict(rule, judged, &generator) }
        }
    }

    /// The counts that all replicas need before a program's rules are evaluated.
    /// - Parameter owner: identifies the program's owner, and since when it counts.
    package mutating func counts(
        _ program: FaultProgram, _ request: Request, now time: Int64, of owner: String
    ) -> [FaultCount] {
        let key = entry(of: program)
        return program.rules.enumerated().compactMap { index, rule in
            guard rule.isAboutAnswers, rule.conditions.isCounted,
                rule.conditions.between?.contains(Int(clamping: time - began)) ?? true
            else { return nil }
            return FaultCount(program, index, of: owner, known: entries[key]?.rules[index].seen ?? 0, request)
        }
    }

    /// Whether the only rule of a program acts before there is a request: on a connection, or on a request whose body
    /// is not read. Counts it.
    package mutating func acts(
        _ program: FaultProgram, now time: Int64, _ generator: inout SeededGenerator
    ) -> Bool {
        guard let conditions = program.rules.first?.conditions else { return false }
        let key = entry(of: program)
        let judged = entries[key]?.rules[0].judge(conditions, nil, since: time - began, at: time, &generator)
        if case .acts? = judged { return true }
        return false
    }

    /// Records that the only rule of a program has acted, without evaluating its conditions.
    package mutating func note(_ program: FaultProgram) {
        entries[entry(of: program)]?.rules[0].acted += 1
    }

    /// The key of a program's entry, which is created if needed.
    private mutating func entry(of program: FaultProgram) -> ObjectIdentifier {
        let key = ObjectIdentifier(program)
        if entries[key] == nil {
            clean()
            entries[key] = Entry(
                program: program, rules: Array(repeating: RuleState(), count: program.rules.count))
        }
        return key
    }

    /// Records that the only rule of a program has acted in another replica.
    package mutating func note(_ program: FaultProgram, elsewhere count: Int) {
        entries[entry(of: program)]?.rules[0].actedElsewhere += count
    }

    /// The number of answers or connections that a program has acted on.
    package func acted(_ program: FaultProgram) -> Int {
        entries[ObjectIdentifier(program)]?.rules.reduce(0) { $0 + $1.acted } ?? 0
    }

    /// The number of connections that a program has acted on, in all replicas.
    package func actedEverywhere(_ program: FaultProgram) -> Int {
        entries[ObjectIdentifier(program)]?.rules.reduce(0) { $0 + $1.acted + $1.actedElsewhere } ?? 0
    }

    package mutating func forget(_ program: FaultProgram) {
        entries[ObjectIdentifier(program)] = nil
    }

    /// Purges programs that nothing else references, once the limit of entries is reached.
    private mutating func clean() {
        guard entries.count >= nextCleaning else { return }
        for key in Array(entries.keys) {
            guard var entry = entries.removeValue(forKey: key) else { continue }
            if !isKnownUniquelyReferenced(&entry.program) { entries[key] = entry }
        }
        nextCleaning = max(64, entries.count * 2)
    }
}

/// The state of one rule.
private struct RuleState: Sendable {
    fileprivate(set) var acted = 0
    fileprivate(set) var actedElsewhere = 0
    fileprivate private(set) var seen = 0
    private var seenPer = CountPerValue()
    private var periodBegan: Int64?
    private var countInPeriod = 0
    private var slots: SlotCounter?

    /// The counts of all replicas for one request.
    enum Counted {
        case together(FaultCount, FaultCount.Verdict)
        /// The request is not counted.
        case outside
    }

    mutating func judge(
        _ conditions: FaultRule.Conditions, _ request: Request?, since age: Int64, at time: Int64,
        counted: Counted? = nil, _ generator: inout SeededGenerator
    ) -> FaultCounters.Verdict {
        var retryAfter: Int?
        switch counted {
        case .outside: return .passes(slot: nil)
        case .together(let count, let verdict):
            if count.value == nil, let before = verdict.seen, let first = count.first {
                seen = max(seen, min(before + 1, first))
            }
            guard count.acts(by: verdict) else { return .passes(slot: nil) }
            retryAfter = verdict.wait.map(Self.seconds)
        case nil:
            if let between = conditions.between, !between.contains(Int(clamping: age)) { return .passes(slot: nil) }
            if let first = conditions.first, !isAmong(first, conditions.firstPer, request) {
                return .passes(slot: nil)
            }
            if let quota = conditions.quota {
                guard let wait = exceeds(quota, at: time) else { return .passes(slot: nil) }
                retryAfter = wait
            }
        }
        if let most = conditions.concurrency {
            let slots = slots ?? SlotCounter()
            self.slots = slots
            if slots.acquire(limit: most) { return .passes(slot: slots) }
        }
        if let probability = conditions.probability, generator.nextUnit() >= probability { return .passes(slot: nil) }
        acted += 1
        return .acts(retryAfter: retryAfter)
    }

    private mutating func isAmong(_ first: Int, _ header: String?, _ request: Request?) -> Bool {
        guard let header, let request else {
            guard seen < first else { return false }
            seen += 1
            return true
        }
        return seenPer.add(String(decoding: FaultCount.value(of: header, request), as: UTF8.self), atMost: first)
    }

    /// Counts a request. Returns the seconds until the next period, rounded up, if the quota is used up; else nil.
    private mutating func exceeds(_ quota: FaultRule.Quota, at time: Int64) -> Int? {
        let period = Int64(quota.period)
        if periodBegan.map({ time - $0 >= period }) ?? true {
            periodBegan = time
            countInPeriod = 0
        }
        guard countInPeriod >= quota.limit else {
            countInPeriod += 1
            return nil
        }
        return Self.seconds(until: Int(clamping: (periodBegan ?? time) + period - time))
    }

    /// A wait in milliseconds as seconds, rounded up, at least 1.
    private static func seconds(until milliseconds: Int) -> Int { max((milliseconds + 999) / 1000, 1) }
}

/// The counts of the most recent values.
private struct CountPerValue: Sendable {
    private static let most = 10_000
    private var counts: [String: Int] = [:]
    private var order: [String] = []
    private var next = 0

    /// Counts a value; false if its count has reached `most`.
    mutating func add(_ value: String, atMost most: Int) -> Bool {
        guard let count = counts[value] else {
            remember(value)
            counts[value] = 1
            return true
        }
        guard count < most else { return false }
        counts[value] = count + 1
        return true
    }

    private mutating func remember(_ value: String) {
        if order.count < Self.most {
            order.append(value)
        } else {
            counts[order[next]] = nil
            order[next] = value
            next = (next + 1) % Self.most
        }
    }
}

/// The number of a rule's answers in progress.
package final class SlotCounter: Sendable {
    private let used = Atomic(0)

    /// Acquires a slot, under the session's lock; false if all are in use.
    package func acquire(limit: Int) -> Bool {
        guard used.load(ordering: .relaxed) < limit else { return false }
        used.add(1, ordering: .relaxed)
        return true
    }

    /// Releases a slot, on any thread.
    package func release() {
        used.subtract(1, ordering: .relaxed)
    }
}
