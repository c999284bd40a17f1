public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends a `URLSession`'s requests for chosen hosts to the mock server of a test, for code with fixed URLs.
///
/// ```swift
/// let routing = try MockRouting("api.example.com")
/// try await mock.stub("https://api.example.com/me", .json(["name": "Ada"]))
/// let client = Client(session: routing.makeSession())
/// ```
///
/// Requests for other hosts fail, and the test with them, unless `others` lets them pass. A routing belongs to one
/// test: routings of parallel tests do not affect each other, even for the same hosts. It ends with the session of its
/// test.
public final class MockRouting: Sendable {
    /// The treatment of requests for hosts that are not routed.
    public enum OtherHosts: Sendable, Hashable {
        /// Requests fail, and the test with them. Requests for the mock server itself pass.
        case refused
        /// Requests go to the real network.
        case passThrough
    }

    private let core: RoutingCore

    /// Routes hosts to a mock server.
    /// - Parameters:
    ///   - hosts: names such as `api.example.com`, `*.example.com` for its subdomains, `*` for all; with a port
    ///     (`localhost:3000`) only on that port.
    ///   - mock: nil for the server of the running test.
    ///   - others: the treatment of requests for other hosts.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` if a text is not a host, or if there is no server.
    public convenience init(
        _ hosts: String..., to mock: MockServer? = nil, others: OtherHosts = .refused, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) throws {
        try self.init(
            hosts, to: mock, others: others,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes a routing with a call site.
    /// - Throws: `MockServerError` if a text is not a host, or if there is no server.
    init(_ hosts: [String], to mock: MockServer?, others: OtherHosts, at callSite: CallSite) throws {
        let patterns = try hosts.map { host throws(MockServerError) in try HostPattern(host) }
        let server = try mock ?? StuntDoubleTesting.mock
        core = RoutingCore(server, hosts: patterns, others: others, at: callSite)
        (server.reporter as? TestScope ?? TestScope.current)?.atEnd { [core] in core.end() }
    }

    /// Makes a session with an ephemeral configuration whose requests are routed.
    public func makeSession() -> URLSession { URLSession(configuration: makeConfiguration()) }

    /// Makes a configuration for a session whose requests are routed.
    ///
    /// Set all other properties first: the configuration's additional headers and cookies are read now.
    /// - Parameter configuration: the configuration to copy.
    public func makeConfiguration(
        _ configuration: URLSessionConfiguration = .ephemeral
    ) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        let number = addEntry(copy)
        copy.protocolClasses = [RoutedProtocol.numbered(number)] + (copy.protocolClasses ?? [])
        return copy
    }

    /// Adds an entry for sessions of a configuration. Returns its number.
    func addEntry(_ configuration: URLSessionConfiguration = .default) -> Int {
        core.add(RoutingEntry(core: core, configuration: configuration))
    }

    // MARK: Errors that no server can make

    /// Fails requests before they reach a server, as a device without a network would.
    ///
    /// ```swift
    /// try routing.fail("api.example.com", with: .notConnectedToInternet)
    /// try routing.fail("https://api.example.com/me", with: .cannotFindHost, times: 2)
    /// ```
    /// - Parameters:
    ///   - url: a host as in `init`, optionally with a scheme before it and a path after it; a path that ends in `*`
    ///     matches as a prefix. The host need not be routed.
    ///   - code: the code of the `URLError`.
    ///   - times: how many requests fail; nil for all. The latest rule wins.
    /// - Throws: `MockServerError` if the text is not such a URL.
    public func fail(_ url: String, with code: URLError.Code, times: Int? = nil) throws {
        core.fail(try URLRule(url), code, times: times)
    }

    /// Undoes all `fail` calls.
    public func recover() {
        core.recover()
    }

    /// The requests that were routed, oldest first: those that reached the server, and those that failed before.
    public var requests: [URLRequest] { core.started }

    /// Ends the routing: further requests of its sessions fail. A test's routing ends with the test.
    public func end() {
        core.end()
    }
}
