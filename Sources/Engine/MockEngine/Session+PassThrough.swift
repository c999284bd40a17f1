package import SDAnswering
public import SDHTTPTransport
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

extension Session {
    /// The stub that answers a request which no other stub and no file answers; nil for none.
    func passThrough(_ request: Request, _ snapshot: SessionSnapshot) -> CompiledStub? {
        snapshot.passThrough
    }

    /// Whether the body of a request goes on while it comes: another server answers, whatever the body is.
    /// - Parameter head: the request without its body.
    public func takesBodyStream(of head: Request) -> Bool {
        let snapshot = state.withLock { upToDate(&$0) }
        var views = RequestViews(head, budgetLimit: Self.loopBudget)
        let first = snapshot.firstMatch(head, &views)
        guard snapshot.faults.isEmpty, first.map(Self.sendsOn) ?? (snapshot.passThrough != nil) else { return false }
        for stub in snapshot.stubs.all {
            // It may match once the body has come.
            if stub.pattern.readsBody, stub.pattern.matchesApartFromBody(head, &views) { return false }
            if stub === first { break }
        }
        return !views.isSpent
    }

    /// Whether a stub sends everything on without a look at the body.
    private static func sendsOn(_ stub: CompiledStub) -> Bool {
        stub.isProxied && stub.lifecycle == nil && stub.listeners == nil
    }

    /// The stub that sends on what nothing matches, by the settings; nil if they do not say so. It is in no index.
    func passThroughStub(_ settings: GlobalSettings, instead former: CompiledStub?) -> CompiledStub? {
        guard let proxy = settings.passThrough ?? options.passThrough else { return nil }
        var response = ResponseDefinition()
        proxy.apply(to: &response)
        if let former, former.response.definition == response { return former }
        var mapping = StubMapping(id: StubMapping().id, response: response)
        mapping.name = "pass through"
        return try? CompiledStub(mapping, sequence: 0, file: nil, options: options.response)
    }

    /// Sends every request on to a base URL that no stub of a higher priority than 10 answers, as WireMock's
    /// `--proxy-all` does: by a stub that is in no file, and gone after a reset.
    public func sendOnAll(to base: String) {
        var response = ResponseDefinition()
        response.proxyBaseUrl = base
        var mapping = StubMapping(id: StubMapping().id, response: response)
        mapping.priority = 10
        try? add(mapping, toldTo: [])
    }

    /// The number of requests that were sent on because no stub and no file answered.
    public var passedThrough: UInt64 { state.withLock { $0.passedThrough } }

    package func isPassThrough(_ stub: CompiledStub) -> Bool {
        state.withLock { $0.snapshot.passThrough === stub }
    }
}
