import SDAnswering
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// The remaining uses of an inherited stub; each session counts its own.
struct PartUsed: Sendable {
    let id: StubMapping.ID
    let unmet: Report.Unmet
}

extension Session {
    /// The inherited stubs that the session has used, but less often than their `times`.
    var partUsed: [PartUsed] {
        state.withLock { $0.stubs.adoptedStubs }.compactMap { stub in
            guard stub.hits.matches > 0, let unmet = stub.unmet(stub.hits.matches) else { return nil }
            return PartUsed(id: stub.id, unmet: unmet)
        }
    }
}

extension Report {
    /// Adds the remaining uses of the `counted` stubs.
    mutating func add(_ partUsed: [PartUsed], counted: Set<StubMapping.ID>) {
        for part in partUsed where counted.contains(part.id) {
            unmetCount += 1
            if unmet.count < Report.most { unmet.append(part.unmet) }
        }
    }
}
