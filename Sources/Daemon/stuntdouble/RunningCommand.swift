import SDCommand
import SDPlatform
import SDServing

/// A running command and its outcome.
///
/// With a terminal it stays in the process group of this process, so that the terminal's keys reach it as usual.
/// Otherwise it leads a group of its own, so that its children can be ended with it.
struct RunningCommand: ~Copyable {
    /// How a command ended.
    struct Outcome {
        var ending: SystemCalls.ProcessEnding
        /// Whether the time limit ended it.
        var isOverdue = false

        /// The exit status as a shell reports it.
        var status: Int32 {
            if isOverdue { return 124 }
            return switch ending {
            case .exited(let status): status
            case .signalled(let number): 128 + number
            }
        }
    }

    private let process: Int32
    private let signals: SystemCalls.CaughtSignals
    private let leadsGroup: Bool
    private let killAfter: Int64
    /// The deadlines for ending and for killing it, in milliseconds of the monotonic clock; nil for none.
    private var deadline: Int64?
    private var killTime: Int64?
    private var isOverdue = false
    /// The time of the first interrupt.
    private var interrupted: Int64?

    /// Interrupts within this time, in milliseconds, count as one: a parent may repeat the terminal's interrupt.
    private static let oneInterrupt: Int64 = 250

    /// Starts the command.
    /// - Parameter variables: changes to the environment; nil removes a variable.
    /// - Throws: the failure of a system call.
    init(_ options: RunOptions, variables: [String: String?]) throws(SystemError) {
        let signals = try SystemCalls.catchPassedSignals()
        let leadsGroup = !SystemCalls.hasTerminal
        process = try SystemCalls.start(options.command, variables: variables, leadsGroup: leadsGroup)
        self.signals = signals
        self.leadsGroup = leadsGroup
        killAfter = Int64(options.killAfter.milliseconds)
        deadline = options.timeout.map { SystemCalls.monotonicMilliseconds() + Int64($0.milliseconds) }
    }

    /// Waits for the end of the command, not of its background processes, and forwards signals.
    mutating func wait() -> Outcome {
        while true {
            if let ending = SystemCalls.ending(of: process) {
                if isOverdue { sendToAll(PassedSignal.kill) }
                return Outcome(ending: ending, isOverdue: isOverdue)
            }
            let due = [deadline, killTime].compactMap(\.self).min()
            let left = due.map { max(0, $0 - SystemCalls.monotonicMilliseconds()) } ?? -1
            for signal in signals.wait(milliseconds: Int32(clamping: left)) { take(signal) }
            let now = SystemCalls.monotonicMilliseconds()
            if let deadline, now >= deadline {
                isOverdue = true
                self.deadline = nil
                killTime = now + killAfter
                sendToAll(PassedSignal.terminate)
            }
            if let killTime, now >= killTime {
                self.killTime = nil
                sendToAll(PassedSignal.kill)
            }
        }
    }

    /// Waits after the command's end for pending work.
    /// - Returns: false if a signal asks this process to end.
    func pause(milliseconds: Int32) -> Bool {
        let ending = [PassedSignal.interrupt, PassedSignal.terminate, PassedSignal.hangUp]
        return !signals.wait(milliseconds: milliseconds).contains { signal in
            guard ending.contains(signal.number) else { return false }
            // A parent may repeat the interrupt that ended the command.
            let isLate = interrupted.map { SystemCalls.monotonicMilliseconds() - $0 < Self.oneInterrupt } ?? false
            return !(signal.number == PassedSignal.interrupt && isLate)
        }
    }

    private mutating func take(_ signal: CaughtSignal) {
        guard PassedSignal.all.contains(signal.number) else { return }
        if signal.number == PassedSignal.interrupt {
            let now = SystemCalls.monotonicMilliseconds()
            if let interrupted {
                if now - interrupted >= Self.oneInterrupt { sendToAll(PassedSignal.kill) }
                return
            }
            interrupted = now
        }
        // The terminal has sent it to the command as well.
        if signal.isOfSystem, !leadsGroup { return }
        SystemCalls.send(
            signal.number, to: process, andGroup: leadsGroup && PassedSignal.isForAll(signal.number))
    }

    /// Sends a signal to the command and its children.
    private func sendToAll(_ number: Int32) {
        if leadsGroup { return SystemCalls.send(number, to: process, andGroup: true) }
        let others = SystemCalls.descendants(of: process)
        SystemCalls.send(number, to: process, andGroup: false)
        for other in others { SystemCalls.send(number, to: other, andGroup: false) }
    }
}
