package import SDAnswering
import SDHTTPTransport
package import SDJournal
package import SDMatching
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDTemplating

/// The session's state and body files as the conditions of stubs see them while a request is matched.
package struct StateView {
    private let session: Session
    private let request: any TemplateRequest
    /// The time that dates call `now`, in nanoseconds since 1970.
    private let wallTime: UInt64
    private let limit: UInt64
    /// The budget that the conditions draw from, made for the first of them.
    private var budget: WorkBudget?
    /// What is known of the files that stubs may lack.
    private(set) var files: BodyFileLooks

    package init(
        _ session: Session, _ request: any TemplateRequest, _ views: borrowing RequestViews,
        _ files: BodyFileLooks = BodyFileLooks()
    ) {
        self.session = session
        self.files = files
        self.request = request
        wallTime = views.wallTime
        limit = views.budgetLimit
    }

    /// Whether the conditions of a stub hold for the request that depend on the session's state and its files.
    mutating func meet(_ lifecycle: StubLifecycle, of stub: CompiledStub) -> Bool {
        if let condition = lifecycle.condition, !condition.holds(session.states, environment(of: stub)) { return false }
        return missingFile(lifecycle, of: stub) == nil
    }

    /// The value of the request for which a stub's sequence is kept; nil for other stubs.
    mutating func turn(of stub: CompiledStub) -> [UInt8]? {
        guard let key = stub.lifecycle?.responses?.key else { return nil }
        return key.value(in: environment(of: stub))
    }

    /// The reason why a stub stays out of the answer to the request, for messages; nil if it does not.
    package mutating func reasonToStayOut(_ lifecycle: StubLifecycle, of stub: CompiledStub) -> String? {
        if let reason = lifecycle.reasonToStayOut { return reason }
        if let complaint = lifecycle.condition?.complaint(session.states, environment(of: stub)) {
            return "its state-matcher does not hold: \(complaint)"
        }
        return missingFile(lifecycle, of: stub).map { "it falls through, as there is no file \($0) in __files" }
    }

    /// The name of the file without which a stub falls through; nil if it is there, and for other stubs.
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

    /// Ends the request's budget if the conditions have spent theirs: then no verdict counts.
    func settle(_ views: inout RequestViews) {
        if budget?.isSpent == true { views.budget.exhaust(WorkBudget.Work("conditions", "of stubs")) }
    }
}
