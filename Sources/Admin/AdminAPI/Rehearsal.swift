import SDHTTPMessages
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// A trial of a change of stubs before all replicas make it: if this replica cannot save it, the change is rejected
/// everywhere.
final class Rehearsal: Sendable {
    private let found = Mutex<PlainResponse?>(nil)

    /// The error if the change cannot be saved; nil if it can.
    var refusal: PlainResponse? { found.withLock { $0 } }

    func note(_ refusal: PlainResponse) { found.withLock { $0 = refusal } }
}

extension AdminCall {
    /// Tries to save what a call would save, without a lasting effect, and calls `then` with the error, if any: at once
    /// if nothing would be saved, otherwise on another thread.
    func rehearse(_ route: AdminRoute, then: @escaping @Sendable (PlainResponse?) -> Void) {
        let isOfStubs = session.savesStubs && route.path.hasPrefix("/mappings") && mayTouchFiles(route)
        guard isOfStubs || route.method == "PUT" && route.path == "/files/**" else { return then(nil) }
        let rehearsal = Rehearsal()
        var call = self
        call.rehearsal = rehearsal
        session.heavyWork.add { [call] in
            switch call.answer(by: route) {
            // Other errors are the same on all replicas.
            case .now: then(nil)
            case .later(let answer):
                answer(DeferredReply(within: request, sessions.base.memory) { _ in then(rehearsal.refusal) })
            }
        }
    }

    /// Tries to save a stub, and calls `then` with the error, if any, on another thread.
    func rehearseSaving(then: @escaping @Sendable (PlainResponse?) -> Void) {
        guard session.savesStubs else { return then(nil) }
        var stub = StubMapping(id: StubMapping.randomID())
        stub.persistent = true
        session.rehearse(.importAll(StubImport(mappings: [stub]))) { then($0.map { AdminError($0).response }) }
    }

    /// Whether stub files may be written or removed.
    private func mayTouchFiles(_ route: AdminRoute) -> Bool {
        switch (route.method, route.path) {
        case ("POST", "/mappings/reset"): false
        case ("POST", "/mappings/save"): true
        case (_, "/mappings/{id}") where (try? id()).flatMap(session.stub)?.persistent == true: true
        case ("DELETE", "/mappings/{id}"), ("PATCH", "/mappings/{id}"): false
        case ("DELETE", _), (_, "/mappings/remove"), (_, "/mappings/remove-by-metadata"): session.hasSavedStubs
        case ("POST", "/mappings/import") where session.hasSavedStubs: true
        default: ReplicatedCall(self, needsJournal: false).mayPersist
        }
    }
}
