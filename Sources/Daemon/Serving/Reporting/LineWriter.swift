internal import SDPlatform

/// Writes lines to an open file whose reader may be slow. Callers never wait: a thread, started with the first line,
/// does the writing. The buffer is bounded; lines beyond it are lost, and their number is written once there is room.
final class LineWriter: Sendable {
    /// The size of the buffer in bytes.
    static let room = 1 << 20

    private let queue: LineQueue

    /// Makes a writer.
    /// - Parameters:
    ///   - descriptor: an open file that stays open.
    ///   - lossNotice: makes the line that reports a number of lost lines.
    init(descriptor: Int32, lossNotice: @escaping @Sendable (Int) -> String) {
        queue = LineQueue(descriptor: descriptor, lossNotice: lossNotice)
    }

    deinit {
        queue.stop()
    }

    /// Writes a line.
    /// - Parameter line: the line, including its newline.
    func write(_ line: String) {
        queue.add(line)
    }

    /// Writes a line about a repeated event: at most one per second for each cause. The others are counted, and the
    /// next line has the count.
    /// - Parameter line: makes the line with the number of suppressed events.
    func write(cause: String, _ line: @escaping @Sendable (_ more: Int) -> String) {
        queue.add(cause: cause, line)
    }

    /// Waits until all lines are written, or the time is up.
    func flush(milliseconds: Int64) {
        queue.flush(milliseconds: milliseconds)
    }
}

/// The state shared by the writer and its thread.
private final class LineQueue: Sendable {
    private struct Waiting {
        var lines: [String] = []
        var byteCount = 0
        var lost = 0
        var repeats: [String: Repeats] = [:]
        var hasThread = false
        var isWriting = false
        /// Whether to write all repeats now.
        var isFlushing = false
        var isStopped = false
        /// Whether anything changed since the thread last checked.
        var isNew = false

        /// Whether nothing is left to write. Lost lines are reported with the next line.
        var isEmpty: Bool { lines.isEmpty && !isWriting && repeats.values.allSatisfy { $0.count == 0 } }
    }

    /// The repeats since the last line about an event.
    private struct Repeats {
        /// The earliest time of the next line, in milliseconds of the monotonic clock.
        var next: Int64
        var count = 0
        var line: @Sendable (Int) -> String
    }

    private enum Step: Sendable {
        case write([UInt8], lineCount: Int)
        case wait(milliseconds: Int64?)
        case end
    }

    private static let interval: Int64 = 1_000
    /// The maximum size of a write, in bytes, that is not interleaved with other processes' writes to a pipe
    /// (`PIPE_BUF`).
    private static let largestWrite = 4_096

    private let descriptor: Int32
    private let lossNotice: @Sendable (Int) -> String
    private let waiting = Monitor(Waiting())

    init(descriptor: Int32, lossNotice: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.lossNotice = lossNotice
    }

    func add(_ line: String) {
        waiting.change { waiting in
            append(line, &waiting)
            begin(&waiting)
        }
    }

    func add(cause: String, _ line: @escaping @Sendable (Int) -> String) {
        let now = SystemCalls.monotonicMilliseconds()
        waiting.change { waiting in
            if var repeats = waiting.repeats[cause] {
                repeats.count += 1
                repeats.line = line
                waiting.repeats[cause] = repeats
            } else {
                waiting.repeats[cause] = Repeats(next: now + Self.interval, line: line)
                append(line(0), &waiting)
            }
            begin(&waiting)
        }
    }

    func flush(milliseconds: Int64) {
        waiting.change { waiting in
            waiting.isFlushing = true
            waiting.isNew = true
        }
        waiting.wait(milliseconds: milliseconds) { !$0.hasThread || $0.isEmpty }
        waiting.change { $0.isFlushing = false }
    }

    func stop() {
        waiting.change { waiting in
            waiting.isStopped = true
            waiting.isNew = true
        }
    }

    /// Adds a line. A line larger than the buffer is accepted if the buffer is empty.
    private func append(_ line: String, _ waiting: inout Waiting) {
        guard waiting.lines.isEmpty || waiting.byteCount + line.utf8.count <= LineWriter.room else {
            waiting.lost += 1
            return
        }
        logLoss(&waiting)
        waiting.lines.append(line)
        waiting.byteCount += line.utf8.count
    }

    private func logLoss(_ waiting: inout Waiting) {
        guard waiting.lost > 0 else { return }
        let notice = lossNotice(waiting.lost)
        waiting.lost = 0
        waiting.lines.append(notice)
        waiting.byteCount += notice.utf8.count
    }

    private func begin(_ waiting: inout Waiting) {
        waiting.isNew = true
        guard !waiting.hasThread else { return }
        // If the thread cannot be started, the next line tries again.
        waiting.hasThread = (try? SystemThread(name: "log") { [self] in run() })?.detach() != nil
    }

    // MARK: On the thread

    private func run() {
        // The thread has its own descriptor table, because sharing it slows down the loops' system calls. The first
        // line does not wait for that, because a script may wait for the line.
        var isShared = descriptor <= 2
        while true {
            switch step() {
            case .write(let bytes, let lineCount):
                let isWritten = (try? SystemCalls.writeAll(bytes, to: descriptor)) != nil
                if isShared { SystemCalls.leaveSharedDescriptors() }
                isShared = false
                waiting.change { waiting in
                    waiting.isWriting = false
                    if !isWritten { waiting.lost += lineCount }
                }
            case .wait(let milliseconds):
                waiting.wait(milliseconds: milliseconds) { $0.isNew }
            case .end: return
            }
        }
    }

    private func step() -> Step {
        let now = SystemCalls.monotonicMilliseconds()
        return waiting.change { waiting in
            waiting.isNew = false
            logRepeats(&waiting, now)
            if !waiting.lines.isEmpty { return takeLines(&waiting) }
            if waiting.isStopped { return .end }
            return .wait(milliseconds: waiting.repeats.values.map(\.next).min().map { $0 - now })
        }
    }

    /// Takes as many lines as fit into one write.
    private func takeLines(_ waiting: inout Waiting) -> Step {
        var bytes: [UInt8] = []
        var count = 0
        while count < waiting.lines.count {
            let line = waiting.lines[count].utf8
            if count > 0, bytes.count + line.count > Self.largestWrite { break }
            bytes += line
            count += 1
        }
        waiting.lines.removeFirst(count)
        waiting.byteCount -= bytes.count
        if waiting.lines.isEmpty { logLoss(&waiting) }
        waiting.isWriting = true
        return .write(bytes, lineCount: count)
    }

    private func logRepeats(_ waiting: inout Waiting, _ now: Int64) {
        guard !waiting.repeats.isEmpty else { return }
        for (cause, repeats) in waiting.repeats where waiting.isFlushing || waiting.isStopped || repeats.next <= now {
            waiting.repeats[cause] = nil
            guard repeats.count > 0 else { continue }
            append(repeats.line(repeats.count), &waiting)
            waiting.repeats[cause] = Repeats(next: now + Self.interval, line: repeats.line)
        }
    }
}
