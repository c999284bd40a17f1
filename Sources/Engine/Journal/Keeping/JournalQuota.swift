package import SDPlatform
import Synchronization

/// The limit of bytes for the journals of all sessions together.
///
/// Below the limit, a journal may grow freely. At the limit, a journal above its fair share evicts its own oldest
/// events for a new one; for an event of another journal, those above their share are trimmed in the background.
package final class JournalQuota: Sendable {
    private let most: Int
    /// A lower limit while the process is short of memory; `Int.max` otherwise.
    private let forNow = Atomic(Int.max)
    /// The bytes of all journals.
    private let account: MemoryAccount
    /// The number of journals that are not empty.
    private let holders = Atomic(0)
    private let isTrimming = Atomic(false)
    /// Whether the limit was exceeded since the last trimming began.
    private let isTrimmingDue = Atomic(false)
    private let evicted = Atomic(0)
    private let trim = SettableClosure<Void>()

    package init(limit: Int, in memory: MemoryLedger = MemoryLedger()) {
        most = limit
        account = memory.account(.journals)
    }

    package var memory: MemoryLedger { account.ledger }

    package var limit: Int { min(most, forNow.load(ordering: .relaxed)) }

    package var byteCount: Int { account.bytes }

    /// Lowers the limit below the current size of all journals, until `relax`.
    package func shrink(by bytes: Int) {
        forNow.store(max(byteCount - bytes, 0), ordering: .relaxed)
    }

    package func relax() {
        forNow.store(.max, ordering: .relaxed)
    }

    /// The bytes that a journal may use while the limit is reached.
    var fairPart: Int { limit / max(holders.load(ordering: .relaxed), 1) }

    /// Whether several journals together exceed the limit.
    package var isExceeded: Bool { byteCount > limit && holders.load(ordering: .relaxed) > 1 }

    /// The number of evicted events that journals have reported.
    package var evictedCount: Int { evicted.load(ordering: .relaxed) }

    fileprivate func add(evicted count: Int) { evicted.add(count, ordering: .relaxed) }

    /// Sets what trims the journals above their fair share, and calls `trimmed` afterwards.
    package func whenExceeded(_ trim: @escaping @Sendable () -> Void) {
        self.trim.set(trim)
    }

    /// Trims journals above their fair share, if all together exceed the limit. Must not be called under the lock of a
    /// session.
    package func keepWithinLimit() {
        guard isExceeded else { return }
        isTrimmingDue.store(true, ordering: .sequentiallyConsistent)
        trimIfDue()
    }

    package func trimmed() {
        isTrimming.store(false, ordering: .sequentiallyConsistent)
        // What grew meanwhile may have come too late for the trimming.
        trimIfDue()
    }

    private func trimIfDue() {
        guard isTrimmingDue.load(ordering: .sequentiallyConsistent),
            !isTrimming.exchange(true, ordering: .sequentiallyConsistent)
        else { return }
        isTrimmingDue.store(false, ordering: .sequentiallyConsistent)
        if trim() == nil { trimmed() }
    }

    fileprivate func change(from old: Int, to new: Int) {
        if old != new { account.add(new - old) }
        if (old == 0) != (new == 0) { holders.add(new == 0 ? -1 : 1, ordering: .relaxed) }
    }
}

/// The bytes of one journal within the quota. Used under the lock of the journal's session; `deinit` returns the bytes.
final class JournalShare: @unchecked Sendable {
    package let quota: JournalQuota
    private var bytes = 0
    /// The number of evicted events that are not reported yet, so that requests of a full journal write no shared
    /// counter.
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
