internal import Foundation
internal import SDBasics

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Carries the requests of the sessions of one configuration to the mock server.
///
/// A protocol cannot tell a request's session: neither request properties nor configuration headers reach it on every
/// system. So each configuration has its own class, whose type encodes its number.
class RoutedProtocol: URLProtocol {
    class var number: Int { 0 }

    private let stage = Lock(Stage.idle)

    private enum Stage {
        case idle
        case loading(Task<Void, Never>)
        /// The outcome is known, but the client was not notified yet.
        case ended(RoutedOutcome)
        case done
    }

    /// The class for a number.
    static func numbered(_ number: Int) -> RoutedProtocol.Type {
        func build<Number: Numeral>(_: Number.Type, _ rest: Substring) -> RoutedProtocol.Type {
            guard let digit = rest.first else { return NumberedProtocol<Number>.self }
            return digit == "1"
                ? build(TwiceAndOne<Number>.self, rest.dropFirst()) : build(Twice<Number>.self, rest.dropFirst())
        }
        return build(Zero.self, String(number, radix: 2)[...])
    }

    override class func canInit(with request: URLRequest) -> Bool {
        // A late request must not go to the real network.
        guard let entry = RoutingTable.shared.entry(number) else { return RoutedURL(request.url) != nil }
        return entry.core.takes(request)
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    // MARK: Loading

    override func startLoading() {
        let known = stage.withLock { stage -> RoutedOutcome? in
            guard case .ended(let outcome) = stage else { return nil }
            stage = .done
            return outcome
        }
        if let known {
            #if canImport(FoundationNetworking)
                // The session itself answers a task that was cancelled meanwhile.
                guard !isCancelled else { return }
            #endif
            return notifyClient(known)
        }
        guard stage.withLock({ if case .idle = $0 { true } else { false } }) else { return }
        switch decision() {
        case .ended(let outcome):
            stage.withLock { $0 = .done }
            notifyClient(outcome)
        case .exchange(let exchange):
            let end = RoutedEnd(self)
            stage.withLock { $0 = .loading(KitThreads.detached { end.receive(await exchange.run()) }) }
        }
    }

    override func stopLoading() {
        // A task that is only suspended continues to load, and its client is notified on resume.
        guard isCancelled else { return }
        let loading = stage.withLock { stage -> Task<Void, Never>? in
            defer { stage = .done }
            if case .loading(let loading) = stage { return loading }
            return nil
        }
        loading?.cancel()
    }

    #if canImport(FoundationNetworking)
        private var isCancelled: Bool { task?.state == .canceling || task?.state == .completed }
    #else
        // Here `stopLoading` is always final.
        private var isCancelled: Bool { true }
    #endif

    private enum Decision {
        case ended(RoutedOutcome)
        case exchange(RoutedExchange)
    }

    private func decision() -> Decision {
        guard let entry = RoutingTable.shared.entry(Self.number) else { return refuse(MockRouting.Refusal.ended, nil) }
        switch entry.core.start(request) {
        case .nowhere: return refuse(MockRouting.Refusal.otherHost, entry)
        case .error(let code): return .ended(.failure(URLError(code, of: request)))
        case .server(let url):
            #if canImport(FoundationNetworking)
                if task is URLSessionDownloadTask { return refuse(MockRouting.Refusal.download, entry) }
                if task is URLSessionUploadTask { return refuse(MockRouting.Refusal.upload, entry) }
            #endif
            return .exchange(RoutedExchange(request, url, entry))
        }
    }

    private func refuse(_ reason: String, _ entry: RoutingEntry?) -> Decision {
        let refusal = MockRouting.Refusal(request, reason)
        entry?.core.report(refusal)
        return .ended(.failure(refusal))
    }

    /// Notifies the client of the outcome.
    private func notifyClient(_ outcome: RoutedOutcome) {
        switch outcome {
        case .success(let answer):
            #if !canImport(FoundationNetworking)
                if let redirect = answer.redirect {
                    client?.urlProtocol(self, wasRedirectedTo: redirect, redirectResponse: answer.response)
                    return
                }
            #endif
            client?.urlProtocol(self, didReceive: answer.response, cacheStoragePolicy: .notAllowed)
            // In one call: of several, completion handlers on Linux see only the last.
            if !answer.body.isEmpty { client?.urlProtocol(self, didLoad: answer.body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    /// Receives the outcome of the exchange, on any thread.
    fileprivate func receive(_ outcome: RoutedOutcome) {
        let isWanted = stage.withLock { stage in
            guard case .loading = stage else { return false }
            stage = .ended(outcome)
            return true
        }
        guard isWanted else { return }
        #if canImport(FoundationNetworking)
            // The client may be notified only on the session's work queue, which owns the list of tasks. Suspending and
            // resuming the task calls `startLoading` there. A task that was cancelled meanwhile ignores this.
            task?.suspend()
            task?.resume()
        #else
            startLoading()
        #endif
    }
}

/// Delivers the outcome of an exchange to its protocol.
///
/// Sendable although a protocol is not: its own state is behind a lock. The system's state is reached through
/// `URLSessionTask`, which locks, or, where there is no work queue, through a client that any thread may call.
private struct RoutedEnd: @unchecked Sendable {
    private let loader: RoutedProtocol

    init(_ loader: RoutedProtocol) {
        self.loader = loader
    }

    func receive(_ outcome: RoutedOutcome) {
        loader.receive(outcome)
    }
}

// MARK: Numbers as types

private final class NumberedProtocol<Number: Numeral>: RoutedProtocol {
    override class var number: Int { Number.value }
}

private protocol Numeral {
    static var value: Int { get }
}

private enum Zero: Numeral {
    static var value: Int { 0 }
}

private enum Twice<Half: Numeral>: Numeral {
    static var value: Int { 2 * Half.value }
}

private enum TwiceAndOne<Half: Numeral>: Numeral {
    static var value: Int { 2 * Half.value + 1 }
}
