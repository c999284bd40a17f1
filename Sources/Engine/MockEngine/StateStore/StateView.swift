import SDBudget
import SDHTTPTransport
import SDMatching
import SDTemplating

/// The session's state as the conditions of stubs see it while a request is matched.
struct StateView {
    private let session: Session
    private let request: any TemplateRequest
    /// The time that dates call `now`, in nanoseconds since 1970.
    private let wallTime: UInt64
    private let limit: UInt64
    /// The budget that the conditions draw from, made for the first of them.
    private var budget: WorkBudget?

    init(_ session: Session, _ request: any TemplateRequest, _ views: borrowing RequestViews) {
        self.session = session
        self.request = request
        wallTime = views.wallTime
        limit = views.budgetLimit
    }

    /// Whether a condition holds for the request; true without one.
    mutating func meet(_ condition: StateCondition?, of stub: CompiledStub) -> Bool {
        guard let condition else { return true }
        return condition.holds(session.states, environment(of: stub))
    }

    /// The reason why a condition does not hold for the request, for messages; nil if it does, and without one.
    mutating func reasonToStayOut(_ condition: StateCondition?, of stub: CompiledStub) -> String? {
        condition?.complaint(session.states, environment(of: stub)).map { "its state-matcher does not hold: \($0)" }
    }

    private mutating func environment(of stub: CompiledStub) -> RenderEnvironment {
        let budget = budget ?? WorkBudget(limit: limit)
        self.budget = budget
        var views = RequestViews(request, budget: budget)
        views.wallTime = wallTime
        return session.environment(for: request, views, stub.pattern, event: nil, budget)
    }

    /// Ends the request's budget if the conditions have spent theirs: then no verdict counts.
    func settle(_ views: inout RequestViews) {
        if budget?.isSpent == true { views.budget.exhaust(WorkBudget.Work("state-matcher", "")) }
    }
}
