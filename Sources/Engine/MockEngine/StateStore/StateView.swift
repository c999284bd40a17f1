import Budget
import HTTPTransport
import Matching
import Templating

/// The session's state as the conditions of stubs see it while a request is matched.
struct StateView {
    private let session: Session
    private let request: Request
    /// The time that dates call `now`, in nanoseconds since 1970.
    private let wallTime: UInt64

    init(_ session: Session, _ request: Request, wallTime: UInt64) {
        self.session = session
        self.request = request
        self.wallTime = wallTime
    }

    /// Whether a condition holds for the request; true without one.
    func meet(_ condition: StateCondition?, of stub: CompiledStub) -> Bool {
        guard let condition else { return true }
        let budget = WorkBudget(limit: min(Session.loopBudget, session.options.matchBudget))
        var views = RequestViews(request, budget: budget)
        views.wallTime = wallTime
        let environment = session.environment(for: request, views, stub.pattern, event: nil, budget)
        return condition.holds(session.states, environment)
    }
}
