import Synchronization

/// One holder's account in a ledger.
public struct MemoryAccount: Sendable {
    public let ledger: MemoryLedger
    public let holder: MemoryHolder

    /// Adds to the holder's bytes; negative to subtract. Any thread, under any lock.
    public func add(_ bytes: Int) { ledger.add(bytes, to: holder) }

    public var bytes: Int { ledger.bytes(of: holder) }
}

/// Bytes that are counted until this object is freed or another account takes them over.
public final class MemoryCharge: Sendable {
    /// The minimum number of bytes that is worth a charge of its own.
    public static let least = 16 << 10

    private let account: MemoryAccount
    private let bytes: Atomic<Int>

    public init(_ bytes: Int, to account: MemoryAccount) {
        self.account = account
        self.bytes = Atomic(bytes)
        account.add(bytes)
    }

    /// Adds to the charged bytes; negative to subtract.
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
