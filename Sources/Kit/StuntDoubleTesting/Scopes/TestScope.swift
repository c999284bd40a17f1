internal import SDBasics
import SDJSON

/// The session of one test: opened before the test's body, checked and ended after it.
final class TestScope: FailureReporter {
    /// An expected number of requests, checked when the test ends.
    struct Expectation: Sendable {
        let pattern: Stub.Request
        let count: MockServer.Count
        let within: Duration?
        let callSite: CallSite
    }

    private struct Warning: Hashable {
        let text: String
        let callSite: CallSite
    }

    private struct State {
        var expectations: [Expectation] = []
        /// The stubs of the folder that the session loaded; they may be unused, like inherited ones.
        var loaded: Set<Stub.ID> = []
        /// Whether a failure was reported here.
        var hasFailed = false
        /// Failures that could not be reported where they were found.
        var untold: [VerificationFailure] = []
        /// The reported warnings.
        var warnings: Set<Warning> = []
        /// The functions to call when the session has ended.
        var endings: [@Sendable () -> Void] = []
    }

    /// The scope of the current task.
    @TaskLocal static var current: TestScope?

    private let settings: ScopeSettings
    private let framework: TestFramework
    /// The call site for failures of the test as a whole.
    private let callSite: CallSite
    private let state = Lock(State())

    /// - Parameter callSite: the call site of the test; nil for that of the settings.
    init(_ settings: ScopeSettings, _ framework: TestFramework, at callSite: CallSite? = nil) {
        self.settings = settings
        self.framework = framework
        self.callSite = callSite ?? settings.callSite
    }

    /// Opens a session that reports its failures to this scope.
    /// - Throws: `MockServerError` if the server cannot be started or reached, or a stub file is invalid.
    func begin(name: String) async throws -> MockServer {
        let session = try await KitThreads.run { [settings, state] in
            let server = try await settings.source.server()
            // A session's name has at most 1,024 bytes.
            let label = name.utf8.count > 1_024 ? String(decoding: name.utf8.prefix(1_000), as: UTF8.self) + "…" : name
            let session = try await server.mock.makeSession(name: label, seed: settings.seed ?? Self.seed(of: name))
            if let folder = server.folderOfSessions {
                do {
                    try await session.begin(with: folder)
                    let ids = try await session.stubs.map(\.id)
                    state.withLock { $0.loaded = Set(ids) }
                } catch {
                    try? await session.end()
                    throw error
                }
            }
            return session
        }
        // Without a framework, an unmet expectation throws at once.
        return session.reporting(to: framework.takesFailures ? self : nil)
    }

    /// The seed for a test's random delays and choices: the same in every run, regardless of other tests.
    static func seed(of name: String) -> UInt64 {
        // FNV-1a, cut to the bits that every JSON parser keeps exactly.
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } >> 12
    }

    // MARK: While the test runs

    func expect(_ expectation: Expectation) {
        state.withLock { $0.expectations.append(expectation) }
    }

    /// Calls `body` when the session has ended.
    func atEnd(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.endings.append(body) }
    }

    func report(_ failure: VerificationFailure) {
        state.withLock { $0.hasFailed = true }
        if !framework.report(failure) { state.withLock { $0.untold.append(failure) } }
    }

    /// Reports a warning once for each call site; one without a call site goes to that of the test.
    func warn(_ warning: String, at callSite: CallSite?) {
        let told = Warning(text: warning, callSite: callSite ?? self.callSite)
        guard state.withLock({ $0.warnings.insert(told).inserted }) else { return }
        if !framework.warn(told.text, at: told.callSite) {
            PrintedWarnings.shared.print(told.text, at: told.callSite)
        }
    }

    // MARK: At the end

    /// Reports unmatched requests and unmet expectations, attaches the journal if it is of interest, and ends the
    /// session.
    /// - Parameter isFinished: whether the test's body returned; otherwise open expectations are not checked.
    /// - Returns: the failures that could not be reported.
    func finish(_ mock: MockServer, isFinished: Bool) async -> [VerificationFailure] {
        do {
            try await look(at: mock, isFinished: isFinished)
        } catch {
            report(VerificationFailure("the session cannot be looked at after the test: \(error)", at: callSite))
        }
        do {
            try await mock.end()
        } catch {
            report(VerificationFailure("the session of the test cannot be ended: \(error)", at: callSite))
        }
        let (untold, endings) = state.withLock { state in
            defer { state.untold = [] }
            return (state.untold, state.endings)
        }
        for ending in endings { ending() }
        return untold.filter { !framework.report($0) }
    }

    private func look(at mock: MockServer, isFinished: Bool) async throws {
        if isFinished {
            for wish in state.withLock(\.expectations) {
                let failure = try await mock.unmet(wish.pattern, wish.count, within: wish.within, at: wish.callSite)
                if let failure { report(failure) }
            }
        }
        // A reporter already has these.
        if mock.reporter == nil { mock.handlerFailures.forEach(report) }
        let session = try await EndReport(of: mock)
        var failures: [VerificationFailure] = []
        if settings.forbidsUnmatched, session.unmatchedCount > 0,
            let failure = try await mock.unmatchedFailure(at: callSite)
        {
            failures.append(failure)
        }
        failures += session.failureTexts(settings, without: state.withLock(\.loaded)).map {
            VerificationFailure($0, at: callSite)
        }
        if let around = session.around {
            if let last = failures.indices.last {
                failures[last].message += "\n" + around
            } else if !isFinished || state.withLock(\.hasFailed) {
                warn(around, at: callSite)
            }
        }
        failures.forEach(report)
        // Failures outside of this scope are not known here.
        let isOfInterest = !isFinished || state.withLock(\.hasFailed) || TestFramework.keepsAttachments
        if isOfInterest, session.served > 0, framework.takesAttachments { try await attachJournal(mock) }
    }

    /// Attaches the newest requests and their answers.
    /// - Throws: `MockServerError` if the server cannot be reached.
    private func attachJournal(_ mock: MockServer) async throws {
        let journal = try await mock.admin("GET", "/requests?details=true&limit=200")
        framework.attach(journal.prettyText, named: "requests.json", at: callSite)
    }
}
