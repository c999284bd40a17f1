import Synchronization

/// Returns memory that large work has freed to the system. Otherwise the allocator keeps it, in holes between
/// longer-lived allocations.
public enum FreedMemory {
    // A counter and a flag; neither publishes other data.
    private static let noted = Atomic(0)
    private static let isAwaited = Atomic(false)

    /// The number of freed bytes that is worth the milliseconds of returning them.
    private static let enough = 4 << 20
    /// The milliseconds after which memory is returned if the process was quiet.
    private static let moment: Int32 = 1000

    /// A sample of the process's activity, to detect a quiet time.
    package struct Activity {
        /// The bytes counted as freed so far.
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

        /// Whether the process freed nothing and was busy for less than half of the time until `later`. Returning
        /// memory holds the allocator's locks, arena by arena: under load, requests would wait for them, and the
        /// process would soon need the same memory again.
        package func isQuiet(until later: Activity) -> Bool {
            let busy = later.processorNanoseconds &- processorNanoseconds
            return later.noted == noted && busy < UInt64(moment) * 1_000_000 / 2
        }
    }

    /// Counts freed bytes, or bytes that are about to be freed. If they are many, a separate thread returns free memory
    /// once the process was quiet for a second. Any thread, under any lock.
    public static func add(_ bytes: Int) {
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
            // The next call tries again.
            isAwaited.store(false, ordering: .releasing)
        }
    }
}
