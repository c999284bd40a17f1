package import SDAnswering
import SDBasics
import SDHTTPTransport
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

extension Session {
    /// The stub that answers a request which no other stub and no file answers; nil for none.
    func passThrough(_ request: Request, _ snapshot: SessionSnapshot) -> CompiledStub? {
        // It is no request for a server behind this one.
        if request.isConnect { return nil }
        if let forward = shared.forward, request.isForProxy, snapshot.settings.proxyPassThrough, !request.isForItself {
            return forward
        }
        return snapshot.passThrough
    }

    /// The stub that sends on what nothing matches, by the settings; nil if they do not say so. It is in no index.
    func passThroughStub(_ settings: GlobalSettings, instead former: CompiledStub?) -> CompiledStub? {
        guard let proxy = settings.passThrough ?? options.passThrough else { return nil }
        var response = ResponseDefinition()
        proxy.apply(to: &response)
        shared.sendsOn.store(true, ordering: .relaxed)
        if proxy.http2 == true { shared.callsInHTTP2.store(true, ordering: .relaxed) }
        if let former, former.response.definition == response { return former }
        var mapping = StubMapping(id: StubMapping().id, response: response)
        mapping.name = "pass through"
        return try? CompiledStub(mapping, sequence: 0, file: nil, options: options.response)
    }

    /// The base URL to which what nothing matches is sent on, without its user; nil for none.
    package var passThroughBase: String? {
        state.withLock { $0.snapshot.passThrough }?.response.definition.proxyBaseUrl?.withoutUser
    }

    /// Sends every request on to a base URL that no stub of a higher priority than 10 answers, as WireMock's
    /// `--proxy-all` does: by a stub that is in no file, and gone after a reset.
    public func sendOnAll(to base: String) {
        shared.sendsOn.store(true, ordering: .relaxed)
        var response = ResponseDefinition()
        response.proxyBaseUrl = base
        var mapping = StubMapping(id: StubMapping().id, response: response)
        mapping.priority = 10
        try? add(mapping, toldTo: [])
    }

    /// The number of requests that were sent on because no stub and no file answered.
    public var passedThrough: UInt64 { state.withLock { $0.passedThrough } }

    package func isPassThrough(_ stub: CompiledStub) -> Bool {
        stub === shared.forward || state.withLock { $0.snapshot.passThrough === stub }
    }

    /// Whether a stub names a host: requests to others do not match it.
    public func namesHost(_ host: String) -> Bool {
        let host = Array(host.utf8)[...]
        return allStubs.contains { $0.pattern.namesHost(host) }
    }
}
