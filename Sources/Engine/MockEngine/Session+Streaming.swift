import SDAnswering
public import SDHTTPTransport
import SDIndexing
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDStubs
import Synchronization

/// Requests that are answered before their bodies have come.
extension Session {
    /// Whether short bodies may have to be passed on while they come, too, since some server is called; see `takesBodyStream`.
    public var streamsShortBodies: Bool { shared.sendsOn.load(ordering: .relaxed) }

    /// Whether the body of a request is passed on while it comes: it is for another server, and nobody here looks at it.
    /// Whatever would have to be looked at more closely is read as a whole.
    /// - Parameters:
    ///   - head: the request without its body.
    ///   - isLong: false for a body of unknown length, of which nothing has come yet.
    public func takesBodyStream(of head: Request, isLong: Bool) -> Bool {
        // A short one goes on in HTTP/2, or is a call of gRPC that cannot go on.
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
