#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A mock server for a test: one session of a running server, with its own stubs, requests, gates and state.
///
/// ```swift
/// let mock = try await MockServer.launch(mocks: "mocks")
/// try await mock.stub(.get("/greeting"), .text("hello"))
/// ```
///
/// Calls may be made concurrently from any task.
public final class MockServer: Sendable {
    /// The base URL for the code under test, without a slash at the end.
    public let url: URL
    /// The base URL for HTTPS, without a slash at the end: `https://127.0.0.1:49152`. Nil unless the server was started
    /// with HTTPS, or reported it when the session was created.
    ///
    /// The local authority issues its certificate for the requested name. Clients must trust that authority, as the
    /// session of `makeURLSession` in StuntDoubleTesting does.
    public let httpsURL: URL?
    /// The session's id; nil for the default session, and for one that was connected to by its own port.
    public let sessionID: String?

    let host: ServerHost
    /// The prefix before `/__admin` in each call.
    let callPrefix: String
    /// The test's declarations for this session: handlers and their failures.
    let declarations: Declarations
    package let reporter: (any FailureReporter)?
    /// The call site in the test for which this value calls the server; nil if unknown.
    let callSite: CallSite?

    /// The server of the running test, set by a trait or a helper of `StuntDoubleTesting`.
    @TaskLocal package static var current: MockServer?

    /// Makes a client for a running server; nothing is sent until the first call.
    /// - Parameters:
    ///   - url: the server's default session, or a session with its path (`http://127.0.0.1:8080/__session/s1-k2f9qm`)
    ///     or its own port.
    ///   - adminToken: the token for `--admin-token`. User and password for `--admin-api-basic-auth` go into the URL.
    public convenience init(url: URL, adminToken: String? = nil) {
        self.init(url: url, httpsURL: nil, authorization: adminToken.map { "Bearer " + $0 }, owner: nil)
    }

    /// Makes the default session of a server that this process has started.
    /// - Parameters:
    ///   - httpsURL: the base URL for HTTPS; nil if it serves none.
    ///   - arguments: the server's options, which may require credentials.
    package convenience init(url: URL, httpsURL: URL? = nil, arguments: [String] = [], owner: any ServerOwner) {
        self.init(
            url: url, httpsURL: httpsURL, authorization: AdminCredentials.header(for: arguments), owner: owner)
    }

    private convenience init(url: URL, httpsURL: URL?, authorization: String?, owner: (any ServerOwner)?) {
        let place = ServerLocation(url)
        let authorization = authorization ?? place.authorization
        let host = ServerHost(
            baseText: place.baseText, httpsText: httpsURL?.absoluteString, transport: place.transport(),
            authorization: authorization, owner: owner)
        self.init(
            host: host, url: place.url, httpsURL: httpsURL, sessionID: place.sessionID, callPrefix: place.path)
    }

    init(
        host: ServerHost, url: URL, httpsURL: URL?, sessionID: String?, callPrefix: String,
        declarations: Declarations = Declarations(), reporter: (any FailureReporter)? = nil, callSite: CallSite? = nil
    ) {
        self.host = host
        self.url = url
        self.httpsURL = httpsURL
        self.sessionID = sessionID
        self.callPrefix = callPrefix
        self.declarations = declarations
        self.reporter = reporter
        self.callSite = callSite
    }

    /// The same session, with failed expectations passed to `reporter` instead of thrown.
    public func reporting(to reporter: (any FailureReporter)?) -> MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix,
            declarations: declarations, reporter: reporter, callSite: callSite)
    }

    /// Runs `body` with a call site: its errors and warnings point there.
    /// - Throws: what `body` throws.
    package func at<Result>(
        _ callSite: CallSite, _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        do {
            return try await body(placed(at: callSite))
        } catch let error as any CallSiteError {
            throw error.placed(at: callSite)
        }
    }

    /// The same session with a call site for its calls.
    func placed(at callSite: CallSite) -> MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix,
            declarations: declarations, reporter: reporter, callSite: callSite)
    }

    /// The environment variables that lead a process under test, such as the app of a UI test, to this session:
    /// `STUNTDOUBLE_URL`, the base URL, and `STUNTDOUBLE_SESSION`, the session's id, if it has one.
    public var environment: [String: String] {
        var environment = [MockServer.urlVariable: url.absoluteString]
        environment[MockServer.sessionVariable] = sessionID
        return environment
    }

    /// The environment variable with the base URL.
    package static let urlVariable = "STUNTDOUBLE_URL"
    /// The environment variable with the session's id.
    package static let sessionVariable = "STUNTDOUBLE_SESSION"

    /// The last lines of the log of a launched or embedded server; empty for any other.
    public var serverLog: String { host.owner?.log ?? "" }
}
