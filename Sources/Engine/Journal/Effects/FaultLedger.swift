package import SDHTTPTransport
package import SDPlatform
package import SDStubModel
import Synchronization

/// A session's memory of its fault rules, from its beginning or its last reset on: how many requests each has seen,
/// which answers are under way. Guarded by the session's lock.
package struct FaultLedger: Sendable {
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The time of the session's beginning or last reset, in milliseconds.
    private var began: Int64
    /// The number of entries after which those of removed stubs are looked for.
    private var nextCleaning = 64

    private struct Entry: Sendable {
        /// The program, kept so that no other gets its identity.
        var program: FaultProgram
        var rules: [RuleState]
    }

    package init(now: Int64) {
        began = now
    }

    /// Forgets everything.
    package mutating func reset(now: Int64) {
        self = FaultLedger(now: now)
    }

    /// The decision of a rule about one request.
    package enum Verdict {
        /// - Parameter slot: counts the answer until it has ended.
        case passes(slot: SlotCounter?)
        /// - Parameter retryAfter: the seconds until the quota's next period.
        case acts(retryAfter: Int?)
    }

    /// Asks each rule of a program, in order.
    package mutating func judge(
        _ program: FaultProgram, _ request: Request, now time: Int64,
        _ generator: inout SeededGenerator, _ verdict: (FaultRule, Verdict, inout SeededGenerator) -> Void
    ) {
        let key = entry(of: program)
        for (index, rule) in program.rules.enumerated() where rule.changesAnswers || rule.readRate != nil {
            let judged = entries[key]?.rules[index].judge(
                rule.conditions, request, since: time - began, at: time, &generator)
            if let judged { verdict(rule, judged, &generator) }
        }
    }

    /// Whether the only rule of a program acts before there is a request: on a connection, or on a request whose body is
    /// not read.
    package mutating func acts(
        _ program: FaultProgram, now time: Int64, _ generator: inout SeededGenerator
    ) -> Bool {
        guard let conditions = program.rules.first?.conditions else { return false }
        let key = entry(of: program)
        let judged = entries[key]?.rules[0].judge(conditions, nil, since: time - began, at: time, &generator)
        if case .acts? = judged { return true }
        return false
    }

    /// Notes that the only rule of a program has acted whose conditions are not asked.
    package mutating func note(_ program: FaultProgram) {
        entries[entry(of: program)]?.rules[0].acted += 1
    }

    /// The key of a program's entry, which is there.
    private mutating func entry(of program: FaultProgram) -> ObjectIdentifier {
        let key = ObjectIdentifier(program)
        if entries[key] == nil {
            clean()
            entries[key] = Entry(
                program: program, rules: Array(repeating: RuleState(), count: program.rules.count))
        }
        return key
    }

    /// The number of answers, or of connections, that a program has acted on.
    package func acted(_ program: FaultProgram) -> Int {
        entries[ObjectIdentifier(program)]?.rules.reduce(0) { $0 + $1.acted } ?? 0
    }

    package mutating func forget(_ program: FaultProgram) {
        entries[ObjectIdentifier(program)] = nil
    }

    /// Forgets the programs that only the ledger still has, now and then.
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
    private var seen = 0
    private var seenPer = CountPerValue()
    private var periodBegan: Int64?
    private var countInPeriod = 0
    private var slots: SlotCounter?

    mutating func judge(
        _ conditions: FaultRule.Conditions, _ request: Request?, since age: Int64, at time: Int64,
        _ generator: inout SeededGenerator
    ) -> FaultLedger.Verdict {
        if let between = conditions.between, !between.contains(Int(clamping: age)) { return .passes(slot: nil) }
        if let first = conditions.first, !isAmong(first, conditions.firstPer, request) { return .passes(slot: nil) }
        var retryAfter: Int?
        if let quota = conditions.quota {
            guard let wait = exceeds(quota, at: time) else { return .passes(slot: nil) }
            retryAfter = wait
        }
        if let most = conditions.concurrency {
            let slots = slots ?? SlotCounter()
            self.slots = slots
            if slots.take(atMost: most) { return .passes(slot: slots) }
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
        let value = request.header(Array(header.lowercased().utf8)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return seenPer.add(value, atMost: first)
    }

    /// Counts a request; the whole seconds until the next period if the quota is used up, else nil.
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
        let left = (periodBegan ?? time) + period - time
        return max(Int(clamping: (left + 999) / 1000), 1)
    }
}

/// Counts for each of the values that were seen last.
private struct CountPerValue: Sendable {
    private static let most = 10_000
    private var counts: [String: Int] = [:]
    private var order: [String] = []
    private var next = 0

    /// Counts a value; false if it was counted that often.
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

/// The number of answers of a rule that are under way.
package final class SlotCounter: Sendable {
    private let used = Atomic(0)

    /// Takes a slot, under the session's lock; false if all are taken.
    package func take(atMost most: Int) -> Bool {
        guard used.load(ordering: .relaxed) < most else { return false }
        used.add(1, ordering: .relaxed)
        return true
    }

    /// Gives a slot back, on any thread.
    package func release() {
        used.subtract(1, ordering: .relaxed)
    }
}
