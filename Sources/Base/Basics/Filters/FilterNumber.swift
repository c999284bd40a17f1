/// Parses numbers and ranges in a filter.
public enum FilterNumber {
    /// `500ms`, `1.5s`, `2m`, in microseconds; a bare number is milliseconds.
    public static func microseconds(_ text: String) -> Double? {
        number(
            text,
            ["us": 1, "µs": 1, "ms": 1e3, "": 1e3, "s": 1e6, "m": 60e6, "min": 60e6, "h": 3_600e6, "d": 86_400e6])
    }

    /// `10kB`, `2M`, `713`.
    public static func bytes(_ text: String) -> Double? {
        number(text, ["": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9])
    }

    private static func number(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(String(digits)), let factor = units[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        return number * factor
    }

    // MARK: Ranges

    /// `404`, `4xx`, `400-499`, `>=500`.
    public static func statuses(_ text: String) -> ClosedRange<Int>? {
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let first = Int(text.prefix(1)) {
            return first * 100...first * 100 + 99
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if parts.count == 2, let low = parts[0], let high = parts[1], low <= high { return low...high }
        return quantity(text, isExact: true) { Int($0).map(Double.init) }.map {
            Int(clamping: $0.lowerBound)...Int(clamping: $0.upperBound)
        }
    }

    /// A bound with a comparison sign, such as `>500ms`. Without a sign it is the minimum, or the exact number.
    public static func quantity(
        _ text: String, isExact: Bool = false, _ read: (String) -> Double?
    ) -> ClosedRange<UInt64>? {
        let sign = [">=", "<=", ">", "<", "="].first { text.hasPrefix($0) } ?? ""
        guard let value = read(String(text.dropFirst(sign.count))), value >= 0, value < 1e18 else { return nil }
        let (below, above) = (UInt64(value.rounded(.down)), UInt64(value.rounded(.up)))
        switch sign {
        case ">": return below + 1...UInt64.max
        case "<=": return 0...below
        case "<": return above == 0 ? nil : 0...above - 1
        case "=": return below...above
        case "" where isExact: return below...above
        default: return above...UInt64.max
        }
    }
}
