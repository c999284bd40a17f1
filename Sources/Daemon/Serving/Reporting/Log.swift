internal import SDPlatform

/// The daemon's log: one line per event, written atomically, so that threads' lines never mix. Callers never wait for
/// the log's reader: see `LineWriter`.
public struct Log: Sendable {
    public enum Format: Sendable, Hashable {
        /// `2026-01-31T09:30:00.123Z warning: message (name=value)`
        case text
        /// `{"time":…,"level":…,"message":…,"fields":{…}}`; start-up errors also have `fix`, and errors in files the
        /// members that `--json` gives them
        case json
    }

    public enum Level: String, Sendable, Hashable, Comparable, CaseIterable {
        case debug
        case info
        case warning
        case error

        public static func < (first: Level, second: Level) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    public let format: Format
    /// The lowest level that is written.
    public let threshold: Level
    private let output: Output

    private enum Output: Sendable {
        case writer(LineWriter)
        case reader(@Sendable (String) -> Void)
    }

    /// Makes a log.
    /// - Parameter descriptor: an open file that stays open; standard error by default.
    public init(format: Format, threshold: Level = .info, descriptor: Int32 = 2) {
        self.format = format
        self.threshold = threshold
        output = .writer(
            LineWriter(descriptor: descriptor) { count in
                let lines = count == 1 ? "1 line was" : "\(count) lines were"
                return Self.line(
                    format, .now, .warning, "\(lines) lost here because they could not be written fast enough", [])
            })
    }

    /// Makes a log that is passed to a closure instead of a file.
    /// - Parameter reader: called with each line and its newline, on any thread.
    public init(format: Format, threshold: Level = .info, reader: @escaping @Sendable (String) -> Void) {
        self.format = format
        self.threshold = threshold
        output = .reader(reader)
    }

    /// Waits until all lines are written, at most this long, so that a log without a reader does not delay the exit.
    public func flush(milliseconds: Int64 = 1_000) {
        if case .writer(let writer) = output { writer.flush(milliseconds: milliseconds) }
    }

    public func debug(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.debug, message, fields) }
    public func info(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.info, message, fields) }
    public func warning(_ message: @autoclosure () -> String, _ fields: LogField...) {
        write(.warning, message, fields)
    }
    public func error(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.error, message, fields) }

    /// Logs an error with its parts as separate JSON members: what was expected, the fix.
    public func error(_ message: @autoclosure () -> String, parts: [LogField]) {
        write(.error, message, [], parts: parts)
    }

    public func warning(_ message: @autoclosure () -> String, _ fields: [LogField]) {
        write(.warning, message, fields)
    }
    public func error(_ message: @autoclosure () -> String, _ fields: [LogField]) { write(.error, message, fields) }

    /// Logs an event that may be repeated: at most one line per second for each cause. The others are counted, and the
    /// next line has the count.
    public func repeated(_ level: Level, cause: String, _ message: String) {
        guard level >= threshold else { return }
        let format = format
        let line = { @Sendable (more: Int) in
            let count = more == 0 ? "" : more == 1 ? " (and once more)" : " (and \(more) more times)"
            return Self.line(format, .now, level, message + count, [])
        }
        switch output {
        case .writer(let writer): writer.write(cause: cause, line)
        case .reader(let read): read(line(0))
        }
    }

    /// Writes the line of a request, whatever the threshold.
    public func request(_ record: RequestRecord) {
        let time = Timestamp.now
        switch format {
        case .text: write("\(time) \(record.text)\n")
        case .json: write(Self.json(time, .info, "request", record.fields))
        }
    }

    /// Writes a request or a response as a debug message, whatever the threshold.
    public func traffic(_ message: String) {
        write(Self.line(format, .now, .debug, message, []))
    }

    private func write(_ line: String) {
        switch output {
        case .writer(let writer): writer.write(line)
        case .reader(let read): read(line)
        }
    }

    private func write(_ level: Level, _ message: () -> String, _ fields: [LogField], parts: [LogField] = []) {
        guard level >= threshold else { return }
        write(Self.line(format, .now, level, message(), fields, parts: parts))
    }

    /// The maximum number of lines in one message.
    private static var maxLines: Int { 200 }

    /// The line of an event, including its newline.
    static func line(
        _ format: Format, _ time: Timestamp, _ level: Level, _ message: String, _ fields: [LogField],
        parts: [LogField] = []
    ) -> String {
        switch format {
        case .json: return json(time, level, message, fields, parts)
        case .text:
            // Continuation lines are indented, so that none looks like a log line.
            let all = message.split(separator: "\n", omittingEmptySubsequences: false)
            var lines = all.prefix(maxLines).map { singleLine(String($0)) }
            if all.count > maxLines { lines.append("… (\(all.count - maxLines) more lines)") }
            var text = "\(time) \(level.rawValue): " + lines.joined(separator: "\n    ")
            if !fields.isEmpty {
                text += " (" + fields.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ") + ")"
            }
            return text + "\n"
        }
    }

    private static func json(
        _ time: Timestamp, _ level: Level, _ message: String, _ fields: [LogField], _ parts: [LogField] = []
    ) -> String {
        var members =
            [
                LogField("time", .string(time.description)), LogField("level", .string(level.rawValue)),
                LogField("message", .string(message)),
            ] + parts
        if !fields.isEmpty { members.append(LogField("fields", .object(fields))) }
        return LogValue.object(members).json + "\n"
    }
}
