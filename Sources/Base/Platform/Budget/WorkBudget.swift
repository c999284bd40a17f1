/// The work that one request, or one call of the admin API, may cause: the processor time of its matchers, and bounds
/// on what no clock can interrupt.
///
/// Every engine that a request sets in motion draws steps from its budget before it takes them, and stops as soon as
/// `draw` returns false. What it returns then does not count: the caller looks at `isSpent` before the
/// verdict, because a matcher that was abandoned must not become true within a `not`.
///
/// The clock is read only once in `stretch` steps, so a request that needs no more never reads it. A budget belongs to
/// one thread at a time; it may move to another one, best after `rest`.
public final class WorkBudget {
    /// The processor time of a request unless the daemon is told otherwise, in nanoseconds.
    public static let standardLimit: UInt64 = 250_000_000

    /// The factor by which this code is slower than optimized code, for which limits are meant: a debug build has as
    /// many times the processor time.
    public static var slowness: UInt64 {
        #if DEBUG
            10
        #else
            1
        #endif
    }

    /// The work of an engine when it draws.
    public struct Work: Hashable, Sendable {
        /// The kind of work, such as `regular expression`.
        public let kind: String
        /// The expression, path or the like as its author wrote it; may be long.
        public let text: String

        public init(_ kind: String, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The most processor time, in nanoseconds.
    public let limit: UInt64
    // Read and written for each step of work, by one thread at a time and never in the middle of another access.

    /// Whether the limit was reached, or a bound.
    @exclusivity(unchecked) public private(set) var isSpent = false
    /// Whether time has passed that is not attributed to anything yet.
    @exclusivity(unchecked) public private(set) var hasUnattributed = false

    /// The steps up to the next look at the clock.
    @exclusivity(unchecked) @usableFromInline var credit = WorkBudget.stretch
    #if DEBUG
        /// The steps that were drawn, by which tests tell what work costs without a clock.
        @exclusivity(unchecked) @usableFromInline var drawnSteps = 0
    #endif
    private var stopwatch = Stopwatch()
    private var tally = WorkTally()
    private var refusal: String?
    /// Whether it ended with time left, because what came next would not have fitted.
    private var isExhausted = false

    /// The number of steps between two looks at the clock: some tens of microseconds.
    private static let stretch = 4_096

    /// A budget that time does not end, for what is not done for a request, such as reading a stub's own documents.
    public static var unlimited: WorkBudget { WorkBudget(limit: .max) }

    /// - Parameter limit: the most processor time, in nanoseconds.
    public init(limit: UInt64 = standardLimit) {
        self.limit = limit
    }

    /// Takes steps of about ten nanoseconds each: a visited value, a compared name, 16 bytes of a text.
    /// - Returns: false if the budget is spent, and the work must not be done.
    @inlinable
    public func draw(_ steps: Int, for work: @autoclosure () -> Work) -> Bool {
        credit &-= steps
        #if DEBUG
            drawnSteps &+= steps
        #endif
        return credit >= 0 || (!isSpent && look(work()))
    }

    /// Looks at the clock: after work that took its time between two draws.
    /// - Returns: false if the budget is spent.
    @discardableResult
    public func look(_ work: Work) -> Bool {
        if isSpent {
            credit = .min / 2
            return false
        }
        credit = Self.stretch
        tally.add(stopwatch.look(allowed), work)
        hasUnattributed = tally.hasUnattributed
        if stopwatch.spent >= allowed { end() }
        return !isSpent
    }

    /// Ends the budget because of a bound that is no time.
    /// - Parameter reason: a clause that names the bound, such as "it needs more than 16 MiB to backtrack".
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

    /// Looks whether work that nothing can interrupt still fits, and ends the budget if not.
    /// - Parameter nanoseconds: the time that the work takes at least in optimized code.
    public func affords(_ nanoseconds: Int, for work: @autoclosure () -> Work) -> Bool {
        // What is cheap is only counted.
        guard nanoseconds > 100_000 else { return draw(nanoseconds / 10, for: work()) }
        guard !isSpent, look(work()) else { return false }
        #if DEBUG
            drawnSteps &+= nanoseconds / 10
        #endif
        let time = UInt64(nanoseconds).multipliedReportingOverflow(by: Self.slowness)
        if time.overflow || time.partialValue > left { exhaust(work()) }
        return !isSpent
    }

    /// Ends the budget because what is left of it is too little for the rest of some work.
    public func exhaust(_ work: Work) {
        guard !isSpent else { return }
        isExhausted = true
        stop(at: work)
    }

    /// The processor time left, in nanoseconds. Reading it takes a system call.
    public var left: UInt64 {
        stopwatch.settle()
        return allowed - min(stopwatch.spent, allowed)
    }

    private var allowed: UInt64 { limit > .max / Self.slowness ? .max : limit * Self.slowness }

    /// Stops the clock until the next draw: for a request that waits or moves to another thread.
    public func rest() {
        stopwatch.stop()
    }

    // MARK: - Whose work it is

    /// Attributes the work since the last call to a subject, such as a stub's pattern.
    public func attribute(to subject: AnyObject) {
        guard hasUnattributed else { return }
        stopwatch.settle()
        tally.attribute(to: subject, spent: stopwatch.spent)
        hasUnattributed = tally.hasUnattributed
    }

    /// The way in which the budget was spent; nil as long as it is not. Work that is not attributed yet has no subject.
    public var overdraft: Overdraft? {
        guard isSpent else { return nil }
        let (work, subject) = tally.costliest(isStopped: refusal != nil || isExhausted)
        return Overdraft(limit: limit, work: work, refusal: refusal, isForecast: isExhausted, subject: subject)
    }
}

/// The way in which a budget was spent.
public struct Overdraft {
    /// The budget's limit in nanoseconds.
    public let limit: UInt64
    /// The work that took most of the time, reached a bound, or would not have fitted; nil if nothing is known.
    public let work: WorkBudget.Work?
    /// The bound that was reached; nil if it was the limit.
    public let refusal: String?
    /// Whether the limit was not reached, but the work would have taken more than was left.
    public let isForecast: Bool
    /// The subject to which the work was attributed; nil for nothing.
    public let subject: AnyObject?

    /// A sentence for people: what was given up, why, and what to do about it.
    /// - Parameters:
    ///   - task: the noun for what was given up, such as "Matching this request".
    ///   - owner: the name of the stub or the like whose work it was; nil if it has none.
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
