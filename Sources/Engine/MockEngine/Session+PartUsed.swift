import SDAnswering
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// What a session has left of the uses of an inherited stub, of which each session has its own.
struct PartUsed: Sendable {
    let id: StubMapping.ID
    let unmet: Report.Unmet
}

extension Session {
    /// The inherited stubs that it has used, and not as often as they are meant to answer.
    var partUsed: [PartUsed] {
        state.withLock { $0.stubs.adoptedStubs }.compactMap { stub in
            guard stub.hits.matches > 0, let unmet = stub.unmet(stub.hits.matches) else { return nil }
            return PartUsed(id: stub.id, unmet: unmet)
        }
    }
}

extension Report {
    /// Adds what is left of the uses of stubs that count.
    mutating func add(_ partUsed: [PartUsed], counted: Set<StubMapping.ID>) {
        for part in partUsed where counted.contains(part.id) {
            unmetCount += 1
            if unmet.count < Report.most { unmet.append(part.unmet) }
        }
    }
}
