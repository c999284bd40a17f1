/// A test's settings for its mock server.
struct ScopeSettings: Sendable {
    /// The server; nil for that of the enclosing scope.
    private var namedSource: ServerSource?
    private let unnamedSource: ServerSource
    private(set) var seed: UInt64?
    private var unmatched: MockServer.Tolerance?
    private var unused: MockServer.Tolerance?
    /// The call site of the settings.
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

    /// Combines these settings with those of an inner trait, which take precedence.
    func refined(by inner: ScopeSettings) -> ScopeSettings {
        var settings = self
        settings.namedSource = inner.namedSource ?? namedSource
        settings.seed = inner.seed ?? seed
        settings.unmatched = inner.unmatched ?? unmatched
        settings.unused = inner.unused ?? unused
        return settings
    }

    var source: ServerSource { namedSource ?? unnamedSource }
    /// Whether unmatched requests fail the test.
    var forbidsUnmatched: Bool { unmatched ?? .forbidden == .forbidden }
    /// Whether unused stubs of the test fail it.
    var forbidsUnused: Bool { unused ?? .allowed == .forbidden }
}

extension MockServer {
    /// Whether a finding at the end of a test is allowed or fails it.
    public enum Tolerance: Sendable, Hashable {
        /// The test passes.
        case allowed
        /// Fails the test.
        case forbidden
    }
}
