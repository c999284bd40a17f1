import SDAnswering
import SDJournal
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// Stubs that are no longer served, but referenced by events of the journal.
extension Session {
    /// Charges the journals for removed stubs as long as events reference them; a served stub is not charged. Counts all
    /// of them as about to be freed. Must not be called under the session's lock.
    func chargeRemovedStubs() {
        let retired = state.withLock { $0.stubs.takeRemoved() }
        if retired.isEmpty { return }
        FreedMemory.add(retired.count * CompiledStub.minSize)
        var stubs: [ObjectIdentifier: CompiledStub] = [:]
        for stub in retired {
            for answering in [stub] + (stub.lifecycle?.responses?.stubs ?? []) {
                stubs[ObjectIdentifier(answering.response)] = answering
            }
        }
        let inheritors = parent == nil ? shared.inheritors() ?? [] : []
        let responses = Set(stubs.keys)
        let keepers = ([self] + inheritors).filter { keeper in
            keeper.state.withLock { !$0.journal.users(of: responses).isEmpty }
        }
        if keepers.isEmpty { return }
        heavyWork.add { [self, stubs] in
            var sizes: [ObjectIdentifier: Int] = [:]
            for keeper in keepers {
                let kept = keeper.state.withLock { $0.journal.users(of: responses).keys.compactMap { stubs[$0] } }
                let gone = state.withLock { state in kept.filter { !state.stubs.serves($0.response, of: $0.id) } }
                for stub in gone where sizes[ObjectIdentifier(stub.response)] == nil {
                    sizes[ObjectIdentifier(stub.response)] = stub.byteCount
                }
                keeper.state.withLock { [sizes] in $0.journal.charge(retired: sizes) }
            }
        }
    }
}
