import SDPlatform
import SDServing

/// Ends the process from its own thread if it has not ended in time: a blocked loop handles neither a signal nor the
/// end of its drain.
final class Watchdog: Sendable {
    /// The exit status when the watchdog ends the process.
    static let exitStatus: Int32 = 3
    /// The time after the drain's limit, in milliseconds, in which an unblocked loop ends.
    private static let grace: Int64 = 2_000

    /// The time at which to end the process, in milliseconds of the monotonic clock; nil for never.
    private let deadline = Monitor<Int64?>(nil)
    private let end: @Sendable () -> Void

    /// - Parameter end: called before the process ends, on the watchdog's thread.
    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the process unless it ends within `time` plus the grace time. Of several calls, the earliest deadline
    /// counts.
    func expectEnd(within time: Duration) {
        let due = SystemCalls.monotonicMilliseconds() + Int64(time.milliseconds) + Self.grace
        let isFirst = deadline.change { deadline in
            defer { deadline = min(deadline ?? due, due) }
            return deadline == nil
        }
        guard isFirst else { return }
        try? SystemThread(name: "watchdog") { [self] in run() }.detach()
    }

    /// Stops the watch: the loops have ended.
    func loopsHaveEnded() {
        deadline.change { $0 = nil }
    }

    private func run() {
        while let due = deadline.change({ $0 }) {
            let left = due - SystemCalls.monotonicMilliseconds()
            if left <= 0 {
                end()
                SystemCalls.exitAtOnce(Self.exitStatus)
            }
            deadline.wait(milliseconds: left) { $0 != due }
        }
    }
}
