#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A mock server as a test sees it: one session of a running server, with its own stubs, requests, gates and state.
///
/// ```swift
/// let mock = try await MockServer.launch(mocks: "mocks")
/// try await mock.stub(.get("/greeting"), .text("hello"))
/// ```
///
/// All calls may be made from any task, and many at once.
public final class MockServer: Sendable {
    /// The base URL for the code under test, without a slash at the end.
    public let url: URL
    /// The base URL for HTTPS, without a slash at the end: `https://127.0.0.1:49152`. Nil unless the server was started
    /// with HTTPS, or has said so when the session began.
    ///
    /// Its certificate is one that the local authority has issued for the name asked for: clients have to trust it, as the
    /// session of `makeURLSession` of StuntDoubleTesting does.
    public let httpsURL: URL?
    /// The session's id; nil for the server's default session, and for one that is named by its own port alone.
    public let sessionID: String?

    let host: ServerHost
    /// The text before `/__admin` in each call.
    let callPrefix: String
    /// The test's declarations for this session: handlers and expectations.
    let declarations: Declarations
    package let reporter: (any FailureReporter)?
    /// The place in the test for which this value calls the server; nil if it is not known.
    let callSite: CallSite?

    /// The server of the test that runs now, where a trait or a helper of `StuntDoubleTesting` has set one.
    @TaskLocal package static var current: MockServer?

    /// Connects to a running server; nothing is sent until the first call.
    /// - Parameters:
    ///   - url: where the server is: its default session, or the session that the URL names by its path
    ///     (`http://127.0.0.1:8080/__session/s1-k2f9qm`) or by its own port.
    ///   - adminToken: the token of a server with `--admin-token`. A user and a password of `--admin-api-basic-auth`
    ///     stand in the URL.
    public convenience init(url: URL, adminToken: String? = nil) {
        self.init(url: url, httpsURL: nil, authorization: adminToken.map { "Bearer " + $0 }, owner: nil)
    }

    /// Makes the default session of a server that was started for this value.
    /// - Parameters:
    ///   - httpsURL: the base URL for HTTPS; nil if it serves none.
    ///   - arguments: the options of the server, which may ask for credentials.
    package convenience init(url: URL, httpsURL: URL? = nil, arguments: [String] = [], owner: any ServerOwner) {
        self.init(
            url: url, httpsURL: httpsURL, authorization: AdminCredentials.header(for: arguments), owner: owner)
    }

    private convenience init(url: URL, httpsURL: URL?, authorization: String?, owner: (any ServerOwner)?) {
        let place = ServerPlace(url)
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

    /// A value of the same session whose failed expectations are told to `reporter` instead of being thrown.
    public func reporting(to reporter: (any FailureReporter)?) -> MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix,
            declarations: declarations, reporter: reporter, callSite: callSite)
    }

    /// Runs the calls that a place in the test makes: errors and warnings of `body` point there.
    /// - Throws: what `body` throws.
    package func at<Result>(
        _ callSite: CallSite, _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        do {
            return try await body(placed(at: callSite))
        } catch let error as any PlacedError {
            throw error.placed(at: callSite)
        }
    }

    /// A value of the same session that calls the server for a place in the test.
    func placed(at callSite: CallSite) -> MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix,
            declarations: declarations, reporter: reporter, callSite: callSite)
    }

    /// The variables by which a process under test, such as the app of a UI test, finds this session:
    /// `STUNTDOUBLE_URL`, the base URL, and `STUNTDOUBLE_SESSION`, the session's id, if it has one.
    public var environment: [String: String] {
        var environment = [MockServer.urlVariable: url.absoluteString]
        environment[MockServer.sessionVariable] = sessionID
        return environment
    }

    /// The variable of `environment` with the base URL.
    package static let urlVariable = "STUNTDOUBLE_URL"
    /// The variable of `environment` with the session's id.
    package static let sessionVariable = "STUNTDOUBLE_SESSION"

    /// The last lines of the log of a server that was launched or embedded; empty for any other.
    public var serverLog: String { host.owner?.log ?? "" }
}
