import SDBasics

/// Numbers for people, the same in all views.
public enum TrafficFormats {
    /// `09:23:56.842`, in a zone.
    /// - Parameters:
    ///   - milliseconds: since 1970.
    ///   - offset: the time zone, in seconds east of Greenwich.
    public static func time(_ milliseconds: Int, offset: Int) -> String {
        let local = milliseconds + offset * 1_000
        let ofDay = ((local % 86_400_000) + 86_400_000) % 86_400_000
        let second = ofDay / 1_000
        return
            "\(digits(second / 3_600)):\(digits(second / 60 % 60)):\(digits(second % 60)).\(digits(ofDay % 1_000, 3))"
    }

    /// `09:23`.
    public static func clock(_ milliseconds: Int, offset: Int) -> String {
        String(time(milliseconds, offset: offset).prefix(5))
    }

    /// A duration: `<1ms`, `14ms`, `1.24s`, `1m04s`.
    public static func duration(microseconds: Int) -> String {
        let milliseconds = microseconds / 1_000
        if milliseconds < 1 { return "<1ms" }
        if milliseconds < 1_000 { return "\(milliseconds)ms" }
        if milliseconds < 10_000 {
            let hundredths = milliseconds / 10
            return "\(hundredths / 100).\(digits(hundredths % 100))s"
        }
        return age(seconds: milliseconds / 1_000)
    }

    /// An age: `4s`, `1m04s`, `2h05m`, `3d04h`.
    public static func age(seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(max(seconds, 0))s"
        case ..<3_600: "\(seconds / 60)m\(digits(seconds % 60))s"
        case ..<86_400: "\(seconds / 3_600)h\(digits(seconds / 60 % 60))m"
        default: "\(seconds / 86_400)d\(digits(seconds / 3_600 % 24))h"
        }
    }

    /// `713 B`, `1.3 kB`, `2.1 MB`, in thousands.
    public static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        var (tenths, unit) = ((bytes + 50) / 100, 0)
        let units = ["kB", "MB", "GB", "TB"]
        while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = ((tenths + 500) / 1_000, unit + 1) }
        return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }

    /// `9,204`.
    public static func count(_ number: Int) -> String {
        let text = String(abs(number))
        var result = ""
        for (index, digit) in text.enumerated() {
            if index > 0, (text.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return number < 0 ? "-" + result : result
    }

    private static func digits(_ number: Int, _ width: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
