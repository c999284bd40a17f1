import SDBasics
import SDJSON
import SDJavaTime
import SDPlatform
import SDStubModel

/// A date that passes `before`, `after` or `equalToDateTime`: that date, or some days beside it. Relative to the present
/// if the matcher says `now`.
struct DateExample {
    let text: String

    /// - Throws: the reason why there is none.
    init(_ matcher: ValueMatcher) throws(NoExample) {
        guard let operand = matcher.operand.stringValue else { throw NoExample("a date") }
        var seconds: Int
        var days = 1
        if let moving = Self.moving(operand, matcher.json) {
            seconds = moving
            // The matcher's zone may have another day now, and so a result in months up to three days apart.
            days = 5
        } else if operand.first?.isNumber == true {
            // Unchanged, which is also right if nothing in it is relative.
            if matcher.operator == .equalToDateTime {
                text = operand
                return
            }
            guard let date = Self.fixed(operand) else { throw NoExample("the date \(operand)") }
            seconds = date
        } else {
            throw NoExample("the date \(operand)")
        }
        // The longest way is that to the first day of a year.
        if matcher.json["truncateExpected"] != nil || matcher.json["truncateActual"] != nil { days = 400 }
        switch matcher.operator {
        case .before: seconds -= days * 86_400
        case .after: seconds += days * 86_400
        default:
            // A relative time is fine if, for example, only its day counts.
            guard matcher.json["truncateExpected"] != nil, matcher.json["truncateActual"] != nil else {
                throw NoExample("a date that moves")
            }
        }
        text = try Self.written(seconds, matcher.json["actualFormat"]?.stringValue)
    }

    /// `now` or `now +3 days` in seconds since 1970; nil for another text.
    private static func moving(_ operand: String, _ options: JSONObject) -> Int? {
        guard operand.split(separator: " ").first?.lowercased() == "now" else { return nil }
        var distance = (try? DateOffset(operand)) ?? .none
        // Instead of the one in the text, as the matcher has it; it ignores this one where a date is fixed.
        if let amount = options["expectedOffset"]?.intValue,
            let unit = options["expectedOffsetUnit"]?.stringValue.flatMap({ DateUnit(inAnyCase: $0) })
        {
            distance = DateOffset(amount: amount, unit: unit)
        }
        let now = Int(SystemCalls.wallClockMilliseconds() / 1_000)
        return LocalDateTime(Moment(seconds: now), offset: 0)?.adding(distance)?.localSeconds ?? now
    }

    /// The seconds of an ISO date, with or without a time.
    private static func fixed(_ text: String) -> Int? {
        let numbers = text.prefix(19).split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 3, let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            return nil
        }
        let time = numbers.count >= 6 ? numbers[3] * 3_600 + numbers[4] * 60 + numbers[5] : 0
        return date.epochDay * 86_400 + time
    }

    /// A time in the matcher's format: ISO, or a pattern of letters.
    private static func written(_ seconds: Int, _ format: String?) throws(NoExample) -> String {
        if format == "unix" { return String(seconds) }
        if format == "epoch" { return String(seconds * 1_000) }
        let (day, time) = seconds.flooredDivision(by: 86_400)
        let date = CivilDate.parts(epochDay: day)
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let values: [Character: Int] = [
            "y": date.year, "u": date.year, "M": date.month, "d": date.day, "H": time / 3_600, "m": time / 60 % 60,
            "s": time % 60, "S": 0,
        ]
        var text = ""
        var rest = (format ?? "yyyy-MM-dd'T'HH:mm:ss'Z'")[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest[run.endIndex...]
            if letter == "'" {
                let end = rest.firstIndex(of: "'") ?? rest.endIndex
                text += rest[..<end]
                rest = rest[end...].dropFirst()
            } else if !letter.isLetter {
                text += run
            } else if "XZ".contains(letter) {
                text += letter == "X" ? "Z" : "+0000"
            } else if let value = values[letter], run.count <= 2 || "yuS".contains(letter) {
                let isYear = letter == "y" || letter == "u"
                text += isYear && run.count == 2 ? padded(value % 100, 2) : padded(value, run.count)
            } else {
                throw NoExample("a date as `\(format ?? "")`")
            }
        }
        return text
    }
}
