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

/// A point in time, in UTC by milliseconds: `2026-01-31T09:30:00.123Z` (RFC 3339).
struct Timestamp: Sendable, Hashable, CustomStringConvertible {
    /// Since 1970.
    var milliseconds: Int64

    static var now: Timestamp { Timestamp(milliseconds: SystemCalls.wallClockMilliseconds()) }

    var description: String {
        let (days, rest) = Self.divide(milliseconds, by: 86_400_000)
        let (year, month, day) = Self.date(days)
        let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hours, 2)):\(padded(minutes, 2)):"
            + "\(padded(seconds, 2)).\(padded(rest % 1_000, 3))Z"
    }

    private func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The date of a day counted from 1970, in the Gregorian calendar. Years are counted from March, so that the day that
    /// leap years add is the last one; 400 such years have 146,097 days.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
