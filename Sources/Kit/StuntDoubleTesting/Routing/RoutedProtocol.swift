internal import Foundation
internal import SDBasics

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Carries the requests of the sessions of one configuration to the mock server.
///
/// A protocol is told nothing about the session of a request: neither properties of the request nor headers of the
/// configuration reach it on every system. So each configuration has a class of its own, whose type holds its number.
class RoutedProtocol: URLProtocol {
    class var number: Int { 0 }

    private let stage = Lock(Stage.idle)

    private enum Stage {
        case idle
        case loading(Task<Void, Never>)
        /// The end of the request is known, and the client does not know it yet.
        case ended(RoutedOutcome)
        case done
    }

    /// The class with that number.
    static func numbered(_ number: Int) -> RoutedProtocol.Type {
        func build<Number: Numeral>(_: Number.Type, _ rest: Substring) -> RoutedProtocol.Type {
            guard let digit = rest.first else { return NumberedProtocol<Number>.self }
            return digit == "1"
                ? build(TwiceAndOne<Number>.self, rest.dropFirst()) : build(Twice<Number>.self, rest.dropFirst())
        }
        return build(Zero.self, String(number, radix: 2)[...])
    }

    override class func canInit(with request: URLRequest) -> Bool {
        // What comes too late must not go to the real network.
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
                // The session has its own answer for a task that was cancelled meanwhile.
                guard !isCancelled else { return }
            #endif
            return tell(known)
        }
        guard stage.withLock({ if case .idle = $0 { true } else { false } }) else { return }
        switch decision() {
        case .ended(let outcome):
            stage.withLock { $0 = .done }
            tell(outcome)
        case .exchange(let exchange):
            let end = RoutedEnd(self)
            stage.withLock { $0 = .loading(KitThreads.detached { end.take(await exchange.run()) }) }
        }
    }

    override func stopLoading() {
        // A task that is only suspended goes on loading, and its client is told when it is resumed.
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
        // There `stopLoading` is for good.
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

    /// Tells the client how the request ended.
    private func tell(_ outcome: RoutedOutcome) {
        switch outcome {
        case .success(let answer):
            #if !canImport(FoundationNetworking)
                if let redirect = answer.redirect {
                    client?.urlProtocol(self, wasRedirectedTo: redirect, redirectResponse: answer.response)
                    return
                }
            #endif
            client?.urlProtocol(self, didReceive: answer.response, cacheStoragePolicy: .notAllowed)
            // In one piece: of several, completion handlers on Linux see only the last.
            if !answer.body.isEmpty { client?.urlProtocol(self, didLoad: answer.body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    /// Takes the end of the exchange, on any thread.
    fileprivate func take(_ outcome: RoutedOutcome) {
        let isWanted = stage.withLock { stage in
            guard case .loading = stage else { return false }
            stage = .ended(outcome)
            return true
        }
        guard isWanted else { return }
        #if canImport(FoundationNetworking)
            // The client may be told only on the work queue of the session, which alone may touch its list of tasks; of
            // what runs there, a protocol has `startLoading`. A task that was cancelled meanwhile takes no notice.
            task?.suspend()
            task?.resume()
        #else
            startLoading()
        #endif
    }
}

/// The way back from an exchange to its protocol.
///
/// Sendable although a protocol is not: all of its own state is behind a lock, and the system's is touched through
/// `URLSessionTask`, which locks, or, where there is no work queue to keep to, through a client that any thread may
/// call.
private struct RoutedEnd: @unchecked Sendable {
    private let loader: RoutedProtocol

    init(_ loader: RoutedProtocol) {
        self.loader = loader
    }

    func take(_ outcome: RoutedOutcome) {
        loader.take(outcome)
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
