extension RequestFilter.Term {
    init(_ word: FilterWord) {
        self.init(condition: Self.condition(word), isNegated: word.isNegated)
    }

    private static func condition(_ word: FilterWord) -> RequestFilter.Condition {
        if word.isQuoted { return .text([TextGlob(part: word.text)]) }
        return (word.key == nil ? plain(word) : keyed(word)) ?? .text(alternatives(word.text))
    }

    /// A word without a key: methods or statuses; nil if it is a text.
    private static func plain(_ word: FilterWord) -> RequestFilter.Condition? {
        let values = word.values
        guard !values.isEmpty else { return nil }
        if values.allSatisfy(methods.contains) { return .method(values) }
        let isStatus = values.allSatisfy { value in
            value.utf8.count == 3 && value.first.map { "12345".contains($0) } == true && !value.contains("-")
        }
        return isStatus ? statuses(values) : nil
    }

    /// What a key and a value ask for; nil if they are a text.
    private static func keyed(_ word: FilterWord) -> RequestFilter.Condition? {
        guard let key = word.key, keys.contains(key) else { return nil }
        let values = word.values
        guard !values.isEmpty else { return .anything }
        switch key {
        case "method": return .method(values.map { $0.uppercased() })
        case "status": return statuses(values) ?? .ending(values.map { TextGlob(part: $0) })
        case "is":
            let states = values.compactMap { RequestFilter.State(rawValue: $0.lowercased()) }
            return states.isEmpty ? nil : .state(states)
        case "header": return .header(values.map(header))
        case "body": return .body(values.map { TextGlob(part: $0) })
        case "time": return quantity(word.value, FilterNumber.microseconds).map { .duration($0) }
        case "size": return quantity(word.value, FilterNumber.bytes).map { .size($0) }
        case "last":
            let isBare = word.value.last?.isNumber == true
            return FilterNumber.microseconds(isBare ? word.value + "s" : word.value)
                .flatMap { $0 < 1e18 ? .last(UInt64($0 / 1_000)) : nil }
        case "proto": return .field(.proto, values.map { TextGlob(part: protocols[$0.lowercased()] ?? $0) })
        default: return RequestFilter.Field(rawValue: key).map { .field($0, alternatives(word.value)) }
        }
    }

    private static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
    private static let keys = Set(
        ["method", "status", "is", "header", "body", "time", "size", "last"]
            + RequestFilter.Field.allCases.map(\.rawValue))
    private static let protocols = ["h1": "http/1", "http1": "http/1", "h2": "http/2", "http2": "http/2"]

    private static func alternatives(_ text: String) -> [TextGlob] {
        let parts = text.split(separator: "|").map { TextGlob(String($0)) }
        return parts.isEmpty ? [TextGlob(part: text)] : parts
    }

    /// `NAME=TEXT`, or a name alone.
    private static func header(_ text: String) -> RequestFilter.HeaderText {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return RequestFilter.HeaderText(
            name: Array(parts[0].lowercased().utf8), text: parts.count > 1 ? TextGlob(String(parts[1])) : nil)
    }

    // MARK: Numbers

    private static func statuses(_ values: [String]) -> RequestFilter.Condition? {
        let ranges = values.compactMap(status)
        return ranges.count == values.count ? .status(ranges) : nil
    }

    /// `404`, `4xx`, `400-499`, `>=500`.
    private static func status(_ text: String) -> ClosedRange<Int>? {
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let first = Int(text.prefix(1)) {
            return first * 100...first * 100 + 99
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if parts.count == 2, let low = parts[0], let high = parts[1], low <= high { return low...high }
        return quantity(text, isExact: true) { Int($0).map(Double.init) }.map {
            Int(clamping: $0.lowerBound)...Int(clamping: $0.upperBound)
        }
    }

    /// A bound with a sign, such as `>500ms`. Without a sign it is the least, or the number itself.
    private static func quantity(
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

/// Numbers with a unit, as people write them.
enum FilterNumber {
    /// `500ms`, `1.5s`, `2m`, in microseconds; a bare number is milliseconds.
    static func microseconds(_ text: String) -> Double? {
        number(
            text,
            ["us": 1, "µs": 1, "ms": 1e3, "": 1e3, "s": 1e6, "m": 60e6, "min": 60e6, "h": 3_600e6, "d": 86_400e6])
    }

    /// `10kB`, `2M`, `713`.
    static func bytes(_ text: String) -> Double? {
        number(text, ["": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9])
    }

    private static func number(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(String(digits)), let factor = units[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        return number * factor
    }
}
