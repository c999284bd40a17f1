import SDPlatform
import SDServing

/// Ends the process on a thread of its own if it has not ended in time: a loop that something holds takes neither a
/// signal nor the end of its drain.
final class Watchdog: Sendable {
    /// The exit status of a process that it ends.
    static let exitStatus: Int32 = 3
    /// The time in milliseconds beyond the drain's in which a loop that is not held ends.
    private static let grace: Int64 = 2_000

    /// The time of the monotonic clock, in milliseconds, at which the process ends; nil as long as it may run on.
    private let deadline = Monitor<Int64?>(nil)
    private let end: @Sendable () -> Void

    /// - Parameter end: called before the process ends, on the watchdog's thread.
    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the process unless it ends by itself within this time, and a little more. Of several calls, the one that
    /// ends it first counts.
    func expectEnd(within time: Duration) {
        let due = SystemCalls.monotonicMilliseconds() + Int64(time.milliseconds) + Self.grace
        let isFirst = deadline.change { deadline in
            defer { deadline = min(deadline ?? due, due) }
            return deadline == nil
        }
        guard isFirst else { return }
        try? SystemThread(name: "watchdog") { [self] in run() }.detach()
    }

    /// Lets the process take its time from now on: the loops have ended.
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
