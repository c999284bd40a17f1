public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the requests of a `URLSession` for chosen hosts to the mock server of a test, for code whose URLs are fixed.
///
/// ```swift
/// let routing = try MockRouting("api.example.com")
/// try await mock.stub("https://api.example.com/me", .json(["name": "Ada"]))
/// let client = Client(session: routing.makeSession())
/// ```
///
/// Requests for other hosts fail, and the test with them, unless `others` lets them pass. Each routing belongs to one test: routings of tests that run side
/// by side do not see each other, even for the same hosts. It ends with the session of its test.
public final class MockRouting: Sendable {
    /// The treatment of requests for hosts that are not routed.
    public enum OtherHosts: Sendable, Hashable {
        /// Requests fail, and the test with them. Those for the mock server itself pass.
        case refused
        /// Requests go to the real network.
        case passThrough
    }

    private let core: RoutingCore

    /// Routes hosts to a mock server.
    /// - Parameters:
    ///   - hosts: names such as `api.example.com`, `*.example.com` for all below one, `*` for all; with a port
    ///     (`localhost:3000`) on that port alone.
    ///   - mock: nil for the server of the test that runs now.
    ///   - others: what becomes of requests for other hosts.
    ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` if a text is no host, or if there is no server.
    public convenience init(
        _ hosts: String..., to mock: MockServer? = nil, others: OtherHosts = .refused, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) throws {
        try self.init(
            hosts, to: mock, others: others,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes a routing at a place.
    /// - Throws: `MockServerError` if a text is no host, or if there is no server.
    init(_ hosts: [String], to mock: MockServer?, others: OtherHosts, at callSite: CallSite) throws {
        let patterns = try hosts.map { host throws(MockServerError) in try HostPattern(host) }
        let server = try mock ?? StuntDoubleTesting.mock
        core = RoutingCore(server, hosts: patterns, others: others, at: callSite)
        (server.reporter as? TestScope ?? TestScope.current)?.atEnd { [core] in core.end() }
    }

    /// Makes a session whose requests are routed, on an ephemeral configuration.
    public func makeSession() -> URLSession { URLSession(configuration: makeConfiguration()) }

    /// Makes a configuration for a session whose requests are routed.
    ///
    /// Set everything else before: the additional headers and the cookies of the configuration count as they are now.
    /// - Parameter configuration: what it is made of; it is not changed.
    public func makeConfiguration(
        _ configuration: URLSessionConfiguration = .ephemeral
    ) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        let number = addEntry(copy)
        copy.protocolClasses = [RoutedProtocol.numbered(number)] + (copy.protocolClasses ?? [])
        return copy
    }

    /// Takes in an entry for sessions of a configuration. Returns its number.
    func addEntry(_ configuration: URLSessionConfiguration = .default) -> Int {
        core.add(RoutingEntry(core: core, configuration: configuration))
    }

    // MARK: Errors that no server can make

    /// Fails requests before they reach a server, as a device without a network does.
    ///
    /// ```swift
    /// try routing.fail("api.example.com", with: .notConnectedToInternet)
    /// try routing.fail("https://api.example.com/me", with: .cannotFindHost, times: 2)
    /// ```
    /// - Parameters:
    ///   - url: a host as in `init`, with a scheme before it and a path behind it if they matter; a path that ends in
    ///     `*` stands for all that begin so. It need not be one of the routed hosts.
    ///   - code: the code of the `URLError`.
    ///   - times: for so many requests; nil for all. What was said last counts first.
    /// - Throws: `MockServerError` if the text is no such URL.
    public func fail(_ url: String, with code: URLError.Code, times: Int? = nil) throws {
        core.fail(try URLRule(url), code, times: times)
    }

    /// Takes back all that `fail` has said.
    public func recover() {
        core.recover()
    }

    /// The requests that were started on this way, the oldest first: those that reached the server, and those that
    /// failed before.
    public var requests: [URLRequest] { core.started }

    /// Ends the routing: requests of its sessions fail from now on. A routing of a test ends with the test.
    public func end() {
        core.end()
    }
}
