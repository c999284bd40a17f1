internal import SDPlatform

/// Controls a match from its callouts.
final class RegexGuard {
    private let budget: WorkBudget
    private let work: WorkBudget.Work
    /// The steps spent at each callout: the maximum cost of a walk along the subject before the next one.
    private let steps: Int

    init(_ budget: WorkBudget, _ work: WorkBudget.Work, subjectCount: Int) {
        self.budget = budget
        self.work = work
        steps = 4 + subjectCount / 256
    }

    func hasBudget() -> Bool {
        budget.spend(steps, for: work)
    }
}
