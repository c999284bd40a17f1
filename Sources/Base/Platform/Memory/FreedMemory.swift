import Synchronization

/// Memory that large work has freed, and that goes back to the system soon. The allocator keeps it otherwise, in holes
/// between what lives longer.
public enum FreedMemory {
    // Each is all that it publishes.
    private static let noted = Atomic(0)
    private static let isAwaited = Atomic(false)

    /// The number of freed bytes worth the milliseconds that returning them takes.
    private static let enough = 4 << 20
    /// The milliseconds without further freeing after which memory is returned.
    private static let moment: Int32 = 1000
    /// The number of such times after which memory is returned even if freeing goes on.
    private static let maxMoments = 5

    /// Counts bytes that work has freed, or will have freed in a moment. Where they are many, a thread of its own
    /// returns free memory, once nothing was counted for a second, or after five. Any thread, under any lock.
    public static func note(_ bytes: Int) {
        guard noted.add(bytes, ordering: .relaxed).newValue >= enough,
            !isAwaited.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        do throws(SystemError) {
            try SystemThread(name: "free memory") {
                for _ in 0..<maxMoments {
                    let before = noted.load(ordering: .relaxed)
                    SystemCalls.pause(milliseconds: moment)
                    if noted.load(ordering: .relaxed) == before { break }
                }
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
