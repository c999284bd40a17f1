public import SDPlatform
private import Synchronization

/// A regular expression of `java.util.regex`. Without options it behaves as in WireMock: `.` matches line ends too, and
/// the expression must match the whole subject.
///
/// Errors are found when it is made. An expression certain to be valid (`RegexSummary`) is compiled at its first match,
/// any other immediately; machine code is generated at the first match, so that many stubs cost little start-up time.
/// Any number of threads may match concurrently.
///
/// A match first runs with few steps, then with a step limit that ends within milliseconds even in the worst case. A
/// match that exceeds the limit runs again with callouts (`RegexTranslation.guarded`), which spend the request's
/// budget: no expression occupies a thread for longer.
public final class JavaRegex: Sendable {
    /// The result of a match.
    public enum Outcome: Sendable, Hashable {
        case match
        case noMatch
        /// Abandoned: the budget is exhausted, and has the reason.
        case abandoned
    }

    /// Deviations from how WireMock's matchers compile and apply expressions.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The expression may match any part of the subject, like Java's `find`.
        public static let anywhere = Options(rawValue: 1 << 0)
        /// `.` stops at line ends, like Java without `DOTALL`.
        public static let dotStopsAtLineEnds = Options(rawValue: 1 << 1)
        /// Letters match in either case.
        public static let ignoringCase = Options(rawValue: 1 << 2)
    }

    /// The expression as written.
    public let pattern: String
    /// The UTF-8 bytes with which every matching subject starts; empty if none are certain.
    public let literalPrefix: [UInt8]

    private let options: Options
    private let cost: RegexCost
    private let program: RegexProgram
    /// The program with callouts, compiled when a match first needs it.
    private let guarded = Mutex<RegexProgram?>(nil)

    /// Compiles an expression, now or on first use.
    /// - Throws: where Java would, and for the few unsupported features of Java; the reason names them.
    public init(_ pattern: String, _ options: Options = []) throws(RegexProblem) {
        self.pattern = pattern
        self.options = options
        let isAnywhere = options.contains(.anywhere)
        let hasPrefix = options.isDisjoint(with: [.anywhere, .ignoringCase])
        if let sketch = RegexSummary(pattern) {
            literalPrefix = hasPrefix ? sketch.literalPrefix : []
            cost = sketch.cost(isAnywhere: isAnywhere)
            program = RegexProgram(of: pattern, options)
            return
        }
        var scanner = RegexScanner(pattern)
        let tokens = try scanner.scan()
        literalPrefix = hasPrefix ? tokens.literalPrefix : []
        cost = RegexCost(tokens, isAnywhere: isAnywhere)
        program = try RegexProgram(RegexTranslation(tokens), of: scanner, options)
    }

    /// Matches a UTF-8 subject: the whole of it, or with `.anywhere` any part. Invalid UTF-8 counts as U+FFFD, as in a
    /// Java string decoded from bytes.
    public func match(_ subject: ArraySlice<UInt8>, _ budget: WorkBudget) -> Outcome {
        // A single walk cannot be interrupted.
        guard budget.tryReserve(500 + cost.nanosecondsOfWalk(along: subject.count), for: work) else {
            return .abandoned
        }
        let space = MatchSpace.current
        // Only a non-ASCII subject needs PCRE2's UTF-8 check.
        if subject.isASCII { return match(subject, isValid: true, space, budget) ?? .noMatch }
        if let outcome = match(subject, isValid: false, space, budget) { return outcome }
        let repaired = Array(String(decoding: subject, as: UTF8.self).utf8)
        return match(repaired[...], isValid: true, space, budget) ?? .noMatch
    }

    /// Matches a subject with a budget of its own: for tests and tools.
    public func matches(_ subject: ArraySlice<UInt8>) -> Bool {
        match(subject, WorkBudget()) == .match
    }

    /// The first match at or after an offset: the ranges of the expression and of each group, counted from 0; nil for a
    /// group that did not take part. The expression must have been made with `.anywhere`.
    /// - Parameters:
    ///   - subject: valid UTF-8.
    ///   - start: the offset in the subject, in bytes.
    /// - Returns: nil if there is none, or the budget is exhausted.
    public func find(in subject: ArraySlice<UInt8>, from start: Int, _ budget: WorkBudget) -> [Range<Int>?]? {
        guard budget.tryReserve(160 + subject.count / 3, for: work), let program = guardedProgram() else { return nil }
        let callouts = RegexGuard(budget, work, subjectCount: subject.count)
        let (result, groups) = program.find(subject, from: start, callouts, MatchSpace.current)
        switch result {
        case .match: return groups
        case .noMatch, .brokenText: return nil
        case .exceeded, .tooDeep:
            budget.refuse("takes more than can be spent on \(subject.count) bytes", for: work)
            return nil
        }
    }

    private var work: WorkBudget.Work { WorkBudget.Work("regular expression", pattern) }

    /// The outcome; nil if the subject is not valid UTF-8.
    private func match(
        _ subject: ArraySlice<UInt8>, isValid: Bool, _ space: MatchSpace, _ budget: WorkBudget
    ) -> Outcome? {
        let limit = cost.stepLimit(for: subject.count)
        let few = min(limit / 64, RegexCost.fewSteps)
        var result = RegexProgram.Result.exceeded
        // Most matches need few steps, and no check of the clock.
        if few >= RegexCost.minSteps { result = program.run(subject, isValid: isValid, .steps(few), space) }
        if limit >= RegexCost.minSteps, result == .exceeded || result == .tooDeep {
            result = program.run(subject, isValid: isValid, .steps(limit), space)
            budget.checkClock(work)
        }
        switch result {
        case .match: return .match
        case .noMatch: return .noMatch
        case .brokenText: return nil
        case .exceeded, .tooDeep:
            return budget.isSpent ? .abandoned : matchWatched(subject, isValid: isValid, space, budget)
        }
    }

    /// Matches with callouts, whatever it costs. Nil if the subject is not valid UTF-8.
    func matchWatched(
        _ subject: ArraySlice<UInt8>, isValid: Bool, _ space: MatchSpace, _ budget: WorkBudget
    ) -> Outcome? {
        guard let guarded = guardedProgram() else {
            budget.refuse("is too large to be watched while it matches \(subject.count) bytes", for: work)
            return .abandoned
        }
        let callouts = RegexGuard(budget, work, subjectCount: subject.count)
        switch guarded.run(subject, isValid: isValid, .callouts(callouts), space) {
        case .match: return .match
        case .noMatch: return .noMatch
        case .brokenText: return nil
        case .exceeded:
            budget.refuse("takes more steps on \(subject.count) bytes than can be counted", for: work)
            return .abandoned
        case .tooDeep:
            budget.refuse(
                "needs more than \(MatchSpace.heapLimit >> 10) MiB of memory to backtrack on \(subject.count) bytes",
                for: work)
            return .abandoned
        }
    }

    /// The program with callouts; nil if PCRE2 cannot compile it, because it is larger than the original.
    private func guardedProgram() -> RegexProgram? {
        guarded.withLock { known in
            if let known { return known }
            var scanner = RegexScanner(pattern)
            guard let tokens = try? scanner.scan() else { return nil }
            let made = try? RegexProgram(RegexTranslation(guarded: tokens), of: scanner, options)
            known = made
            return made
        }
    }
}
