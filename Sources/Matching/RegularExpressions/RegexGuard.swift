internal import SDPlatform

/// Watches over a match from its callouts.
final class RegexGuard {
    private let budget: WorkBudget
    private let work: WorkBudget.Work
    /// The steps drawn at each callout: as many as a walk along the subject may cost before the next one.
    private let steps: Int

    init(_ budget: WorkBudget, _ work: WorkBudget.Work, subjectCount: Int) {
        self.budget = budget
        self.work = work
        steps = 4 + subjectCount / 256
    }

    func mayGoOn() -> Bool {
        budget.draw(steps, for: work)
    }
}
