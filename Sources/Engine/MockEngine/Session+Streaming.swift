import SDAnswering
public import SDHTTPTransport
import SDIndexing
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDStubs
import Synchronization

/// Requests that are answered before their bodies have arrived.
extension Session {
    /// Whether short bodies may have to be streamed too, because a server is called; see `takesBodyStream`.
    public var streamsShortBodies: Bool { shared.sendsOn.load(ordering: .relaxed) }

    /// Whether a request's body is streamed to another server: nothing here may read it. Doubtful cases are buffered.
    /// - Parameters:
    ///   - head: the request without its body.
    ///   - isLong: false for a body of unknown length that has not started.
    public func takesBodyStream(of head: Request, isLong: Bool) -> Bool {
        // A short body is streamed only over HTTP/2, or for gRPC, which fails without HTTP/2.
        guard isLong || shared.callsInHTTP2.load(ordering: .relaxed) || head.isOfGRPC else { return false }
        let snapshot = state.withLock { upToDate(&$0) }
        guard snapshot.faults.allSatisfy({ !$0.pattern.readsBody }) else { return false }
        var views = RequestViews(head, budgetLimit: Self.loopBudget)
        var others = views
        var undecided: StubOrder?
        let found = snapshot.firstMatch(head, &views) { stub in
            guard stub.pattern.readsBody || stub.lifecycle != nil else { return true }
            if stub.pattern.matchesApartFromBody(head, &others) {
                undecided = undecided.map { min($0, stub.order) } ?? stub.order
            }
            return false
        }
        guard !views.isSpent, !others.isSpent, views.methodBit != .head else { return false }
        if let undecided, found.map({ undecided < $0.order }) ?? true { return false }
        // A body file may answer GET.
        guard let stub = found ?? (views.methodBit == .get ? nil : passThrough(head, snapshot)) else { return false }
        guard let responder = stub.response.responder,
            responder.takesBodyStream(of: head, isLong: isLong, shared.upstream)
        else { return false }
        return stub.listeners == nil && stub.response.hold == nil
    }
}
