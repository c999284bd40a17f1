/// A test's settings for its mock server.
struct ScopeSettings: Sendable {
    /// The server; nil if that is left to what stands around.
    private var namedSource: ServerSource?
    private let unnamedSource: ServerSource
    private(set) var seed: UInt64?
    private var unmatched: MockServer.Tolerance?
    private var unused: MockServer.Tolerance?
    /// The place where it is said.
    let callSite: CallSite

    init(
        mocks: String?, arguments: [String], https: Bool, seed: UInt64?, unmatched: MockServer.Tolerance?,
        unused: MockServer.Tolerance?,
        make: MakeMockServer?, at callSite: CallSite
    ) {
        let arguments = ServerDefaults.arguments(arguments, https: https)
        unnamedSource = ServerSource(mocks: mocks, arguments: arguments, make: make, at: callSite)
        if mocks != nil || !arguments.isEmpty || make != nil { namedSource = unnamedSource }
        self.seed = seed
        self.unmatched = unmatched
        self.unused = unused
        self.callSite = callSite
    }

    /// The settings that this and a trait within it make together: the inner one takes precedence.
    func refined(by inner: ScopeSettings) -> ScopeSettings {
        var settings = self
        settings.namedSource = inner.namedSource ?? namedSource
        settings.seed = inner.seed ?? seed
        settings.unmatched = inner.unmatched ?? unmatched
        settings.unused = inner.unused ?? unused
        return settings
    }

    var source: ServerSource { namedSource ?? unnamedSource }
    /// Whether requests that no stub matches fail the test.
    var forbidsUnmatched: Bool { unmatched ?? .forbidden == .forbidden }
    /// Whether stubs of the test that answered nothing fail it.
    var forbidsUnused: Bool { unused ?? .allowed == .forbidden }
}

extension MockServer {
    /// Whether something at the end of a test is fine or fails it.
    public enum Tolerance: Sendable, Hashable {
        /// Fine.
        case allowed
        /// Fails the test.
        case forbidden
    }
}
