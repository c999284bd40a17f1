internal import Foundation
internal import SDBasics

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The shared state of all protocols of one routing.
final class RoutingCore: Sendable {
    private struct Failing {
        let rule: URLRule
        let code: URLError.Code
        /// The number of requests that will still fail; nil for all.
        var left: Int?
    }

    private struct State {
        var failing: [Failing] = []
        var started: [URLRequest] = []
        /// The numbers of its entries in the table.
        var numbers: [Int] = []
    }

    let mock: MockServer
    private let hosts: [HostPattern]
    private let others: MockRouting.OtherHosts
    private let callSite: CallSite
    private let state = Lock(State())

    init(_ mock: MockServer, hosts: [HostPattern], others: MockRouting.OtherHosts, at callSite: CallSite) {
        self.mock = mock
        self.hosts = hosts
        self.others = others
        self.callSite = callSite
    }

    /// Whether the routing handles a request; all others are loaded as usual.
    /// - Parameter isShared: whether it comes from `URLSession.shared`. That session is not this test's alone, so none
    ///   of its requests is refused.
    func takes(_ request: URLRequest, isShared: Bool = false) -> Bool {
        guard let url = RoutedURL(request.url) else { return false }
        if routes(url) || others == .refused && !isShared && !isOwn(url) { return true }
        return state.withLock { state in state.failing.contains { $0.rule.matches(url) } }
    }

    /// The destination of a request.
    enum Way {
        case server(RoutedURL)
        case error(URLError.Code)
        case nowhere
    }

    /// Decides on a new request, and records it.
    func start(_ request: URLRequest) -> Way {
        guard let url = RoutedURL(request.url) else { return .nowhere }
        let code = state.withLock { state -> URLError.Code? in
            state.started.append(request)
            let found = state.failing.lastIndex { $0.rule.matches(url) && $0.left != 0 }
            guard let found else { return nil }
            state.failing[found].left = state.failing[found].left.map { $0 - 1 }
            return state.failing[found].code
        }
        if let code { return .error(code) }
        return routes(url) ? .server(url) : .nowhere
    }

    /// Whether a request addresses the mock server by its own URL.
    private func isOwn(_ url: RoutedURL) -> Bool {
        [mock.url, mock.httpsURL].contains { own in
            RoutedURL(own).map { url.host == $0.host && url.port == $0.port } ?? false
        }
    }

    private func routes(_ url: RoutedURL) -> Bool {
        hosts.contains { $0.matches(host: url.host, port: url.port) }
    }

    // MARK: Start and end

    /// Adds the entry of a configuration. Returns its number.
    func add(_ entry: RoutingEntry) -> Int {
        let number = RoutingTable.shared.add(entry)
        state.withLock { $0.numbers.append(number) }
        return number
    }

    func end() {
        RoutingTable.shared.remove(state.withLock(\.numbers))
    }

    // MARK: Rules of the test

    func fail(_ rule: URLRule, _ code: URLError.Code, times: Int?) {
        state.withLock { $0.failing.append(Failing(rule: rule, code: code, left: times)) }
    }

    func recover() {
        state.withLock { $0.failing = [] }
    }

    var started: [URLRequest] { state.withLock { $0.started } }

    /// Fails the test because the code under test did something that a routing does not support.
    func report(_ refusal: MockRouting.Refusal) {
        mock.reporter?.report(VerificationFailure(refusal.description, at: callSite))
    }
}
