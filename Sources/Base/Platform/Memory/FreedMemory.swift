import Synchronization

/// Memory that large work has freed, and that goes back to the system soon. The allocator keeps it otherwise, in holes
/// between what lives longer.
public enum FreedMemory {
    // Each is all that it publishes.
    private static let noted = Atomic(0)
    private static let isAwaited = Atomic(false)

    /// The number of freed bytes worth the milliseconds that returning them takes.
    private static let enough = 4 << 20
    /// The milliseconds after which memory is returned, if they were quiet.
    private static let moment: Int32 = 1000

    /// What the process has done so far, as far as it tells a quiet time from others.
    package struct Activity {
        /// The bytes that were counted as freed.
        var noted: Int
        /// The processor time of all threads, in nanoseconds.
        var processorNanoseconds: UInt64

        package init(noted: Int, processorNanoseconds: UInt64) {
            self.noted = noted
            self.processorNanoseconds = processorNanoseconds
        }

        static var now: Activity {
            Activity(
                noted: FreedMemory.noted.load(ordering: .relaxed),
                processorNanoseconds: SystemCalls.processorNanoseconds())
        }

        /// Whether the process freed nothing, and was busy for less than half of the time, in the moment until `later`.
        /// Returning memory holds the locks of the allocator, pool by pool: under load, requests would wait for that, and
        /// the process would soon ask for the same memory again.
        package func isQuiet(until later: Activity) -> Bool {
            let busy = later.processorNanoseconds &- processorNanoseconds
            return later.noted == noted && busy < UInt64(moment) * 1_000_000 / 2
        }
    }

    /// Counts bytes that work has freed, or will have freed in a moment. Where they are many, a thread of its own
    /// returns free memory, once the process was quiet for a second. Any thread, under any lock.
    public static func note(_ bytes: Int) {
        guard noted.add(bytes, ordering: .relaxed).newValue >= enough,
            !isAwaited.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        do throws(SystemError) {
            try SystemThread(name: "free memory") {
                var before: Activity
                repeat {
                    before = .now
                    SystemCalls.pause(milliseconds: moment)
                } while !before.isQuiet(until: .now)
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
