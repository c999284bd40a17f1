package import SDHTTPTransport
import SDJournal
import SDMatching
package import SDPlatform
package import SDStubModel
import SDWebSocket
import Synchronization

/// The stubs that act on a new WebSocket.
package struct ChannelOpening: Sendable {
    /// The stub that acts on its opening.
    let stub: CompiledMessageStub?
    /// The stubs that act at intervals.
    let intervals: [CompiledMessageStub]

    static let plain = ChannelOpening(stub: nil, intervals: [])

    var isPlain: Bool { stub == nil && intervals.isEmpty }

    /// The sub-protocol to use; nil for none.
    func subprotocol(among offered: [String]) -> String? {
        guard case .open(_, let protocols, _) = stub?.trigger else { return nil }
        return protocols.first(where: offered.contains)
    }

    var close: ChannelClose? {
        guard case .open(_, _, let close) = stub?.trigger else { return nil }
        return close
    }
}

extension Channels {
    /// The stubs for a WebSocket that a request opens. Matches after the budget is spent do not count.
    func opening(_ request: Request, _ budget: WorkBudget) -> ChannelOpening {
        let stubs = stubs
        guard stubs.contains(where: \.isOfOpening) else { return .plain }
        var views = RequestViews(request, budget: budget)
        return ChannelOpening(
            stub: stubs.first { !budget.isSpent && $0.opens(request, &views) },
            intervals: stubs.filter { !budget.isSpent && $0.recurs(request, &views) })
    }

    /// Whether a WebSocket is opened although an HTTP stub answers the request, because a message stub takes
    /// precedence.
    /// - Parameter other: the HTTP stub; nil for another server.
    package func opens(_ request: Request, besides other: StubMapping?, _ budget: WorkBudget) -> Bool {
        guard let stub = opening(request, budget).stub, !budget.isSpent else { return false }
        guard let other else { return true }
        let priority = other.priority ?? StubMapping.defaultPriority
        if stub.priority != priority { return stub.priority < priority }
        // An HTTP stub without conditions on an upgrade is meant for other requests.
        return !other.isForUpgrades || stub.stub.precedes.contains(other.id)
    }

    /// Starts new interval stubs on the open channels.
    package func startIntervals(in session: any ChannelSession) {
        for channel in all { channel.onLoop { channel.begin(intervalsOf: session) } }
    }
}

extension StubMapping {
    /// Whether the stub is for requests that ask for an upgrade.
    package var isForUpgrades: Bool {
        request.headers.contains { ["upgrade", "sec-websocket-version"].contains($0.name.lowercased()) }
    }
}

extension CompiledMessageStub {
    fileprivate var isOfOpening: Bool {
        switch trigger {
        case .open, .interval: true
        case .message, .stub, .request: false
        }
    }

    /// Whether the stub acts at intervals.
    package var isInterval: Bool { if case .interval = trigger { true } else { false } }

    fileprivate func opens(_ request: Request, _ views: inout RequestViews) -> Bool {
        guard case .open(let channel, _, _) = trigger else { return false }
        return channel?.matches(request, &views) ?? true
    }

    fileprivate func recurs(_ request: Request, _ views: inout RequestViews) -> Bool {
        guard case .interval(_, let channel) = trigger else { return false }
        return channel?.matches(request, &views) ?? true
    }
}

extension Channel {
    /// Starts the automatic actions of a WebSocket. On the loop of its stream.
    func begin(_ opening: ChannelOpening, in session: any ChannelSession) {
        guard let script = newScript(in: session) else { return }
        script.closes(opening.close)
        for stub in opening.intervals { script.start(stub) }
        guard let stub = opening.stub else { return }
        let exchange = MessageExchange(of: self, stub, in: session)
        script.run(exchange) { [self] in
            session.channels.work(on: self, in: session)
        }
    }

    /// Starts the stubs that act at intervals. On the loop of its stream.
    fileprivate func begin(intervalsOf session: any ChannelSession) {
        guard let request, isOpen else { return }
        let intervals = session.channels.opening(request, WorkBudget(limit: session.journaling.matchBudget)).intervals
        guard !intervals.isEmpty, let script = newScript(in: session) else { return }
        for stub in intervals { script.start(stub) }
    }

    private func newScript(in session: any ChannelSession) -> ChannelScript? {
        line.withLock { line in
            guard line.isOpen, let loop = line.stream?.loop else { return nil }
            let script = line.script ?? ChannelScript(self, on: loop, in: session)
            line.script = script
            return script
        }
    }
}
