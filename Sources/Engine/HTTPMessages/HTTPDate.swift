import SDCalendar
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

    /// Parses any form of HTTP's dates; nil for anything else.
    static func seconds(_ text: String) -> Int? {
        DateText.parseZoned(text)?.moment.seconds
    }
}
