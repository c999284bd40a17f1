/// A format of offsets from Greenwich: Java's patterns from `+HH` to `+HH:MM:SS`.
struct OffsetStyle: Sendable, Equatable {
    enum Part: Sendable { case never, optional, always }
    enum Hours: Sendable { case two, oneOrTwo }

    let hours: Hours
    let minutes: Part
    let seconds: Part
    let colon: Bool
    /// The text for an offset of 0; empty if there is none.
    let zero: String

    func text(_ offset: Int) -> String {
        guard offset != 0 else { return zero }
        let size = abs(offset)
        let (hour, minute, second) = (size / 3600, size / 60 % 60, size % 60)
        if minutes == .never, hour == 0 { return zero }
        var text = offset < 0 ? "-" : "+"
        text += hours == .two ? zeroPadded(hour, 2) : String(hour)
        let showsSecond = seconds == .always || (seconds == .optional && second != 0)
        if minutes == .always || (minutes == .optional && (minute != 0 || showsSecond)) {
            text += (colon ? ":" : "") + zeroPadded(minute, 2)
            if showsSecond { text += (colon ? ":" : "") + zeroPadded(second, 2) }
        }
        return text
    }

    /// Parses an offset in seconds east of Greenwich. Nil, with nothing consumed, if there is none or it exceeds 18
    /// hours.
    func read(_ reader: inout TextReader) -> Int? {
        let start = reader.place
        if zero.isEmpty, reader.isAtEnd { return 0 }
        if !zero.isEmpty, reader.accept(zero) { return 0 }
        let negative = reader.accept("-")
        guard negative || reader.accept("+"), var offset = hour(&reader) else {
            reader.place = start
            return zero.isEmpty ? 0 : nil
        }
        let minutes = reader.isStrict ? minutes : .optional
        let seconds = reader.isStrict ? seconds : .optional
        if minutes != .never {
            if let minute = part(&reader) {
                offset += minute * 60
                if seconds != .never {
                    if let second = part(&reader) {
                        offset += second
                    } else if seconds == .always {
                        reader.place = start
                        return nil
                    }
                }
            } else if minutes == .always {
                reader.place = start
                return nil
            }
        }
        guard offset <= 18 * 3600 else {
            reader.place = start
            return nil
        }
        return negative ? -offset : offset
    }

    private func hour(_ reader: inout TextReader) -> Int? {
        if let hour = reader.twoDigits(upTo: 99) { return hour * 3600 }
        guard hours == .oneOrTwo, let hour = reader.digit() else { return nil }
        reader.place += 1
        return hour * 3600
    }

    private func part(_ reader: inout TextReader) -> Int? {
        let start = reader.place
        if !colon || reader.accept(":"), let value = reader.twoDigits(upTo: 59) { return value }
        reader.place = start
        return nil
    }
}

/// The number padded with leading zeros.
func zeroPadded(_ number: Int, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
