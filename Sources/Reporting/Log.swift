internal import Platform

/// The daemon's log: one line an event, written at once and whole, so that lines of several threads never mix.
public struct Log: Sendable {
    public enum Format: Sendable, Hashable {
        /// `2026-01-31T09:30:00.123Z warning: message (name=value)`
        case text
        /// `{"time":…,"level":…,"message":…,"fields":{…}}`
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
    /// What is less important than this is not written.
    public let threshold: Level
    private let descriptor: Int32

    /// - Parameter descriptor: an open file that stays open; standard error by default.
    public init(format: Format, threshold: Level = .info, descriptor: Int32 = 2) {
        self.format = format
        self.threshold = threshold
        self.descriptor = descriptor
    }

    public func debug(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.debug, message, fields) }
    public func info(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.info, message, fields) }
    public func warning(_ message: @autoclosure () -> String, _ fields: LogField...) {
        write(.warning, message, fields)
    }
    public func error(_ message: @autoclosure () -> String, _ fields: LogField...) { write(.error, message, fields) }

    public func warning(_ message: @autoclosure () -> String, _ fields: [LogField]) {
        write(.warning, message, fields)
    }
    public func error(_ message: @autoclosure () -> String, _ fields: [LogField]) { write(.error, message, fields) }

    /// Writes the line of a request, whatever the threshold.
    public func request(_ record: RequestRecord) {
        let time = Timestamp.now
        switch format {
        case .text: emit("\(time) \(record.text)\n")
        case .json: emit(Self.json(time, .info, "request", record.fields))
        }
    }

    private func write(_ level: Level, _ message: () -> String, _ fields: [LogField]) {
        guard level >= threshold else { return }
        emit(Self.line(format, Timestamp.now, level, message(), fields))
    }

    /// The line of an event, with the newline at its end.
    static func line(
        _ format: Format, _ time: Timestamp, _ level: Level, _ message: String, _ fields: [LogField]
    ) -> String {
        switch format {
        case .json: return json(time, level, message, fields)
        case .text:
            // The lines of a message that has several are set in, so that none looks like a line of the log.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { singleLine(String($0)) }
            var text = "\(time) \(level.rawValue): " + lines.joined(separator: "\n    ")
            if !fields.isEmpty {
                text += " (" + fields.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ") + ")"
            }
            return text + "\n"
        }
    }

    private static func json(_ time: Timestamp, _ level: Level, _ message: String, _ fields: [LogField]) -> String {
        var members = [
            LogField("time", .string(time.description)), LogField("level", .string(level.rawValue)),
            LogField("message", .string(message)),
        ]
        if !fields.isEmpty { members.append(LogField("fields", .object(fields))) }
        return LogValue.object(members).json + "\n"
    }

    private func emit(_ line: String) {
        // A log that cannot be written has nowhere to be complained of.
        try? SystemCalls.writeAll(line.utf8, to: descriptor)
    }
}
