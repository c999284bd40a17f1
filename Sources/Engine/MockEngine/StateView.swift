package import SDAnswering
import SDHTTPTransport
package import SDJournal
package import SDMatching
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDTemplating

/// The session's state and body files, as stubs' conditions see them while a request is matched.
package struct StateView {
    private let session: Session
    private let request: any TemplateRequest
    /// The time of `now` in dates, in nanoseconds since 1970.
    private let wallTime: UInt64
    private let limit: UInt64
    /// The budget of the conditions, made for the first of them.
    private var budget: WorkBudget?
    /// The body file lookups so far.
    private(set) var files: BodyFileLookups

    package init(
        _ session: Session, _ request: any TemplateRequest, _ views: borrowing RequestViews,
        _ files: BodyFileLookups = BodyFileLookups()
    ) {
        self.session = session
        self.files = files
        self.request = request
        wallTime = views.wallTime
        limit = views.budgetLimit
    }

    /// Whether a stub's conditions on the session's state and files hold for the request.
    mutating func satisfies(_ lifecycle: StubLifecycle, of stub: CompiledStub) -> Bool {
        if let condition = lifecycle.condition, !condition.holds(session.states, environment(of: stub)) { return false }
        return missingFile(lifecycle, of: stub) == nil
    }

    /// The request's value that selects the place in a stub's sequence; nil for other stubs.
    mutating func turn(of stub: CompiledStub) -> [UInt8]? {
        guard let key = stub.lifecycle?.responses?.key else { return nil }
        return key.value(in: environment(of: stub))
    }

    /// Why a stub is skipped for the request, as text; nil if it is not.
    package mutating func skipReason(_ lifecycle: StubLifecycle, of stub: CompiledStub) -> String? {
        if let reason = lifecycle.skipReason { return reason }
        if let unmetReason = lifecycle.condition?.unmetReason(session.states, environment(of: stub)) {
            return "its state-matcher does not hold: \(unmetReason)"
        }
        return missingFile(lifecycle, of: stub).map { "it falls through, as there is no file \($0) in __files" }
    }

    /// The name of the missing file that makes a stub fall through; nil if it exists, and for other stubs.
    private mutating func missingFile(_ lifecycle: StubLifecycle, of stub: CompiledStub) -> String? {
        guard let file = lifecycle.file, let name = file.name({ environment(of: stub) }) else { return nil }
        return files.has(name, in: session.files) ? nil : name
    }

    private mutating func environment(of stub: CompiledStub) -> RenderEnvironment {
        let budget = budget ?? WorkBudget(limit: limit)
        self.budget = budget
        var views = RequestViews(request, budget: budget)
        views.wallTime = wallTime
        return session.environment(for: request, views, stub.pattern, event: nil, budget)
    }

    /// Exhausts the request's budget if the conditions have exhausted theirs: then no verdict counts.
    func propagateExhaustion(to views: inout RequestViews) {
        if budget?.isSpent == true { views.budget.exhaust(WorkBudget.Work("conditions", "of stubs")) }
    }
}
