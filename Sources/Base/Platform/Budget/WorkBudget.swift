/// The work that one request or admin API call may cause: the processor time of its matchers, and limits on
/// uninterruptible work.
///
/// Every engine that works for a request draws steps from its budget before it takes them, and stops as soon as `draw`
/// returns false. Its result is then invalid: the caller checks `isSpent` before it uses the verdict, because an
/// abandoned matcher must not become true inside a `not`.
///
/// The clock is read once in `stretch` steps, so a request with fewer steps never reads it. A budget belongs to one
/// thread at a time; before it moves to another one, call `rest`.
public final class WorkBudget {
    /// The default processor time of a request, in nanoseconds.
    public static let standardLimit: UInt64 = 250_000_000

    /// How much slower this build is than optimized code, for which limits are meant. A debug build gets that much more
    /// processor time.
    public static var slowness: UInt64 {
        #if DEBUG
            10
        #else
            1
        #endif
    }

    /// The work of an engine, for the message about a spent budget.
    public struct Work: Hashable, Sendable {
        /// The kind of work, such as `regular expression`.
        public let kind: String
        /// The expression or path as written by its author; may be long.
        public let text: String

        public init(_ kind: String, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The maximum processor time, in nanoseconds.
    public let limit: UInt64
    // Accessed for each step of work, by one thread at a time, never overlapping.

    /// Whether a limit was reached.
    @exclusivity(unchecked) public private(set) var isSpent = false
    /// Whether some time is not attributed yet.
    @exclusivity(unchecked) public private(set) var hasUnattributed = false

    /// The steps left before the next look at the clock.
    @exclusivity(unchecked) @usableFromInline var credit = WorkBudget.stretch
    #if DEBUG
        /// The number of steps drawn, by which tests measure work without a clock.
        @exclusivity(unchecked) @usableFromInline var drawnSteps = 0
    #endif
    private var stopwatch = Stopwatch()
    private var tally = WorkTally()
    private var refusal: String?
    /// Whether it ended with time left, because the next work would not have fitted.
    private var isExhausted = false

    /// The number of steps between two looks at the clock: some tens of microseconds.
    private static let stretch = 4_096

    /// A budget without a time limit, for work outside of requests, such as parsing a stub's own documents.
    public static var unlimited: WorkBudget { WorkBudget(limit: .max) }

    /// - Parameter limit: the maximum processor time, in nanoseconds.
    public init(limit: UInt64 = standardLimit) {
        self.limit = limit
    }

    /// Spends `steps` (about 10 ns each: a value visited, a name compared, 16 bytes of text).
    /// - Returns: false if the budget is spent; the work must not be done then.
    @inlinable
    public func spend(_ steps: Int, for work: @autoclosure () -> Work) -> Bool {
        credit &-= steps
        #if DEBUG
            drawnSteps &+= steps
        #endif
        return credit >= 0 || (!isSpent && checkClock(work()))
    }

    /// Reads the clock. Call it after long work between two draws.
    /// - Returns: false if the budget is spent.
    @discardableResult
    public func checkClock(_ work: Work) -> Bool {
        if isSpent {
            credit = .min / 2
            return false
        }
        credit = Self.stretch
        tally.add(stopwatch.sample(limit: allowed), work)
        hasUnattributed = tally.hasUnattributed
        if stopwatch.spent >= allowed { end() }
        return !isSpent
    }

    /// Ends the budget because of a limit other than time.
    /// - Parameter reason: a clause that names the limit, such as "it needs more than 16 MiB to backtrack".
    public func refuse(_ reason: String, for work: Work) {
        guard !isSpent else { return }
        refusal = reason
        stop(at: work)
    }

    private func stop(at work: Work) {
        tally.stop(at: work)
        hasUnattributed = tally.hasUnattributed
        end()
    }

    private func end() {
        isSpent = true
        credit = .min / 2
    }

    /// Reserves time for uninterruptible work. Exhausts the budget and returns false if it does not fit.
    /// - Parameter nanoseconds: the minimum time of the work in optimized code.
    public func tryReserve(_ nanoseconds: Int, for work: @autoclosure () -> Work) -> Bool {
        // Cheap work is only counted in steps.
        guard nanoseconds > 100_000 else { return spend(nanoseconds / 10, for: work()) }
        guard !isSpent, checkClock(work()) else { return false }
        #if DEBUG
            drawnSteps &+= nanoseconds / 10
        #endif
        let time = UInt64(nanoseconds).multipliedReportingOverflow(by: Self.slowness)
        if time.overflow || time.partialValue > left { exhaust(work()) }
        return !isSpent
    }

    /// Ends the budget because the rest of the work would not fit.
    public func exhaust(_ work: Work) {
        guard !isSpent else { return }
        isExhausted = true
        stop(at: work)
    }

    /// The remaining processor time, in nanoseconds. Takes a system call.
    public var left: UInt64 {
        stopwatch.readExact()
        return allowed - min(stopwatch.spent, allowed)
    }

    private var allowed: UInt64 { limit > .max / Self.slowness ? .max : limit * Self.slowness }

    /// Pauses the clock until the next draw: for a request that waits or moves to another thread.
    public func pauseClock() {
        stopwatch.stop()
    }

    // MARK: - Attribution

    /// Attributes the work since the last call to a subject, such as a stub's pattern.
    public func attribute(to subject: AnyObject) {
        guard hasUnattributed else { return }
        stopwatch.readExact()
        tally.attribute(to: subject, spent: stopwatch.spent)
        hasUnattributed = tally.hasUnattributed
    }

    /// How the budget was exhausted; nil while it is not. Work that is not attributed yet has no subject.
    public var exhaustion: BudgetExhaustion? {
        guard isSpent else { return nil }
        let (work, subject) = tally.costliest(isStopped: refusal != nil || isExhausted)
        return BudgetExhaustion(limit: limit, work: work, refusal: refusal, isForecast: isExhausted, subject: subject)
    }
}

/// How a budget was exhausted.
public struct BudgetExhaustion {
    /// The budget's limit in nanoseconds.
    public let limit: UInt64
    /// The work that took most of the time, reached a limit, or would not have fitted; nil if unknown.
    public let work: WorkBudget.Work?
    /// The limit that was reached; nil if it was the time.
    public let refusal: String?
    /// Whether time was left, but less than the work would have taken.
    public let isForecast: Bool
    /// The subject to which the work was attributed; nil if none.
    public let subject: AnyObject?

    /// A message: what was abandoned, why, and what to do about it.
    /// - Parameters:
    ///   - task: a noun phrase for the abandoned work, such as "Matching this request".
    ///   - owner: the name of the stub or other owner of the work; nil if it has none.
    public func text(of task: String, owner: String?) -> String {
        let owner = owner.map { " of \($0)" } ?? ""
        let work = work.map { "the \($0.kind) `\(Self.shortened($0.text))`\(owner)" }
        if let refusal { return "\(task) was given up: \(work ?? "a matcher\(owner)") \(refusal)" }
        let time = "\(limit / 1_000_000) ms of processor time"
        let advice = "make that cheaper, or raise the limit with --match-budget"
        if isForecast {
            return
                "\(task) was given up: \(work ?? "a matcher\(owner)") would take more than is left of \(time); \(advice)"
        }
        let blame = work.map { ", most of it for \($0)" } ?? ""
        return "\(task) was given up after \(time)\(blame); \(advice)"
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count > 200 ? text.prefix(200) + "…" : text
    }
}
