package import SDAnswering
import SDBasics
import SDHTTPTransport
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

extension Session {
    /// The stub that proxies an unmatched request; nil for none.
    func passThrough(_ request: Request, _ snapshot: SessionSnapshot) -> CompiledStub? {
        // A tunnel is not a request for a proxied server.
        if request.isConnect { return nil }
        if let forward = shared.forward, request.isForProxy, snapshot.settings.proxyPassThrough, !request.isForItself {
            return forward
        }
        return snapshot.passThrough
    }

    /// The stub that proxies unmatched requests, by the settings; nil if they state none. It is in no index.
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

    /// The base URL to which unmatched requests are proxied, without credentials; nil for none.
    package var passThroughBase: String? {
        state.withLock { $0.snapshot.passThrough }?.response.definition.proxyBaseUrl?.withoutUser
    }

    /// Proxies every request to a base URL unless a stub with a higher precedence than priority 10 answers, as
    /// WireMock's `--proxy-all` does. The stub is in no file; a reset removes it.
    public func sendOnAll(to base: String) {
        shared.sendsOn.store(true, ordering: .relaxed)
        var response = ResponseDefinition()
        response.proxyBaseUrl = base
        var mapping = StubMapping(id: StubMapping().id, response: response)
        mapping.priority = 10
        try? add(mapping, toldTo: [])
    }

    /// The number of requests that were proxied because neither a stub nor a file answered.
    public var passedThrough: UInt64 { state.withLock { $0.passedThrough } }

    package func isPassThrough(_ stub: CompiledStub) -> Bool {
        stub === shared.forward || state.withLock { $0.snapshot.passThrough === stub }
    }

    /// Whether a stub names a host; requests to other hosts do not match it.
    public func namesHost(_ host: String) -> Bool {
        let host = Array(host.utf8)[...]
        return allStubs.contains { $0.pattern.namesHost(host) }
    }
}
