import Synchronization

/// The account of one holder in a ledger.
public struct MemoryAccount: Sendable {
    public let ledger: MemoryLedger
    public let holder: MemoryHolder

    /// Counts bytes that the holder has more, or less. Any thread, under any lock.
    public func add(_ bytes: Int) { ledger.add(bytes, to: holder) }

    public var bytes: Int { ledger.bytes(of: holder) }
}

/// Bytes that count until this object is freed or another account takes them over.
public final class MemoryCharge: Sendable {
    /// The least number of bytes that are worth counting by themselves.
    public static let least = 16 << 10

    private let account: MemoryAccount
    private let bytes: Atomic<Int>

    public init(_ bytes: Int, to account: MemoryAccount) {
        self.account = account
        self.bytes = Atomic(bytes)
        account.add(bytes)
    }

    /// Counts bytes more, or less.
    public func add(_ bytes: Int) {
        self.bytes.add(bytes, ordering: .relaxed)
        account.add(bytes)
    }

    /// Ends the charge.
    public func end() {
        account.add(-bytes.exchange(0, ordering: .relaxed))
    }

    deinit {
        end()
    }
}
