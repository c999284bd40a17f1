import SDBasics
import SDJavaTime

/// Dates in HTTP headers (RFC 9110, section 5.6.7), in seconds since 1970.
enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The date in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ seconds: Int) -> String {
        guard let time = LocalDateTime(Moment(seconds: seconds), offset: 0) else { return text(0) }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let date = time.date
        return "\(days[date.dayOfWeek - 1]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
    }

    /// Parses any HTTP date format; nil for anything else.
    static func seconds(_ text: String) -> Int? {
        DateText.parseZoned(spelledOut(text) ?? text)?.moment.seconds
    }

    /// The obsolete format `Sunday, 06-Nov-94 08:49:37 GMT` in the preferred one; nil for any other. Two-digit years
    /// stand for 1970 to 2069.
    private static func spelledOut(_ text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count == 4, words[0].utf8.count > 4, words[0].hasSuffix(",") else { return nil }
        let date = words[1].split(separator: "-")
        guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]) else { return nil }
        return
            "\(words[0].prefix(3)), \(date[0]) \(date[1]) \((year < 70 ? 2000 : 1900) + year) \(words[2]) \(words[3])"
    }
}
