private import SDPlatform
import Synchronization

/// Memory that large work has freed, and that goes back to the system soon. The allocator keeps it otherwise, in holes
/// between what lives longer.
public enum FreedMemory {
    // Each is all that it publishes.
    private static let noted = Atomic(0)
    private static let isAwaited = Atomic(false)

    /// So many bytes are worth the milliseconds that returning them takes.
    private static let enough = 16 << 20
    /// The work may go on for a moment, and more may be freed by others.
    private static let delay: Int32 = 1000

    /// Counts bytes that work has freed, or will have freed in a moment. From time to time a thread of its own returns
    /// what is free. Any thread, under any lock.
    public static func note(_ bytes: Int) {
        guard noted.add(bytes, ordering: .relaxed).newValue >= enough,
            !isAwaited.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        do throws(SystemError) {
            try SystemThread(name: "free memory") {
                SystemCalls.pause(milliseconds: delay)
                noted.store(0, ordering: .relaxed)
                isAwaited.store(false, ordering: .releasing)
                SystemCalls.releaseFreeMemory()
            }.detach()
        } catch {
            // The next one to count tries again.
            isAwaited.store(false, ordering: .releasing)
        }
    }
}
