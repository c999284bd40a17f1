package import SDPlatform
import Synchronization

/// The bytes that the journals of all sessions may take together.
///
/// As long as there is room, a journal may take all of it. Where there is none, a journal that takes more than its fair
/// part drops its own oldest events for a new one; for an event of another, those with more than theirs are trimmed
/// beside the loops.
package final class JournalQuota: Sendable {
    private let most: Int
    /// A smaller limit while the memory of the process is short; `Int.max` otherwise.
    private let forNow = Atomic(Int.max)
    /// The bytes of all journals.
    private let account: MemoryAccount
    /// The number of journals that are not empty.
    private let holders = Atomic(0)
    private let isTrimming = Atomic(false)
    private let evicted = Atomic(0)
    private let trim = LateClosure<Void>()

    package init(limit: Int, in memory: MemoryLedger = MemoryLedger()) {
        most = limit
        account = memory.account(.journals)
    }

    package var memory: MemoryLedger { account.ledger }

    package var limit: Int { min(most, forNow.load(ordering: .relaxed)) }

    package var byteCount: Int { account.bytes }

    /// Lowers the limit below what the journals have now, until `relax`.
    package func shrink(by bytes: Int) {
        forNow.store(max(byteCount - bytes, 0), ordering: .relaxed)
    }

    package func relax() {
        forNow.store(.max, ordering: .relaxed)
    }

    /// The bytes that a journal may take when all together take too much.
    var fairPart: Int { limit / max(holders.load(ordering: .relaxed), 1) }

    /// Whether several journals together take too much.
    package var isExceeded: Bool { byteCount > limit && holders.load(ordering: .relaxed) > 1 }

    /// The number of events that journals have dropped for lack of room, as far as they have reported it.
    package var evictedCount: Int { evicted.load(ordering: .relaxed) }

    fileprivate func add(evicted count: Int) { evicted.add(count, ordering: .relaxed) }

    /// Sets what trims the journals above their fair share, which calls `trimmed` afterwards.
    package func whenExceeded(_ trim: @escaping @Sendable () -> Void) {
        self.trim.set(trim)
    }

    /// Trims journals above their fair share, if all together take too much. Must not be called under the lock of a
    /// session.
    package func keepWithinLimit() {
        guard isExceeded, !isTrimming.exchange(true, ordering: .acquiring) else { return }
        if trim() == nil { trimmed() }
    }

    package func trimmed() {
        isTrimming.store(false, ordering: .releasing)
    }

    fileprivate func change(from old: Int, to new: Int) {
        if old != new { account.add(new - old) }
        if (old == 0) != (new == 0) { holders.add(new == 0 ? -1 : 1, ordering: .relaxed) }
    }
}

/// The bytes of one journal among those of all. Used under the lock of the journal's session; what it holds is given
/// back when the journal goes.
final class JournalShare: @unchecked Sendable {
    package let quota: JournalQuota
    private var bytes = 0
    /// The number of events dropped for lack of room and not reported yet, so that a full journal costs its requests nothing
    /// that all share.
    var evicted = 0

    package init(of quota: JournalQuota) {
        self.quota = quota
    }

    /// The bytes of all other journals.
    package var others: Int { max(quota.byteCount - bytes, 0) }

    package func set(_ bytes: Int) {
        quota.change(from: self.bytes, to: bytes)
        self.bytes = bytes
    }

    func reportEvicted() {
        quota.add(evicted: evicted)
        evicted = 0
    }

    deinit {
        reportEvicted()
        quota.change(from: bytes, to: 0)
    }
}
