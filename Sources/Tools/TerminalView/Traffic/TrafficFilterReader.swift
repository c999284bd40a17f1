import SDBasics

/// Reads the words of a filter.
struct TrafficFilterReader {
    private var rest: Substring
    private(set) var remarks: [String] = []

    init(_ text: String) {
        rest = Substring(text)
    }

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
    private static let keys =
        TrafficFilter.Field.allCases.map(\.rawValue) + [
            "is", "status", "method", "time", "size", "last", "header", "body",
        ]

    mutating func read() -> [TrafficFilter.Condition] {
        var conditions: [TrafficFilter.Condition] = []
        while let word = nextWord() {
            if let condition = condition(word) { conditions.append(condition) }
        }
        return conditions
    }

    private struct Word {
        var text = ""
        /// Where its quotes begin; nil if it has none.
        var quote: String.Index?
        var isNegated = false
    }

    /// Takes the next word. A quote ends with the line at the latest.
    private mutating func nextWord() -> Word? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard !rest.isEmpty else { return nil }
        var word = Word()
        if rest.first == "-", rest.count > 1 {
            word.isNegated = true
            rest.removeFirst()
        }
        var isQuoted = false
        while let next = rest.first {
            if next == " " || next == "\t", !isQuoted { break }
            rest.removeFirst()
            if next == "\"" {
                isQuoted.toggle()
                if word.quote == nil { word.quote = word.text.endIndex }
            } else {
                word.text.append(next)
            }
        }
        return word
    }

    private mutating func condition(_ word: Word) -> TrafficFilter.Condition? {
        guard !word.text.isEmpty else { return nil }
        let positive = word.quote == word.text.startIndex ? .text(word.text.lowercased()) : understood(word)
        return word.isNegated ? .not(positive) : positive
    }

    private mutating func understood(_ word: Word) -> TrafficFilter.Condition {
        let text = word.text
        if let colon = text.firstIndex(of: ":"), colon > text.startIndex, word.quote.map({ $0 > colon }) ?? true {
            let key = text[..<colon].lowercased()
            let value = String(text[text.index(after: colon)...])
            if Self.keys.contains(key) {
                if value.isEmpty { return .any([.unknowable]) }
                let parts = value.split(separator: "|").map { keyed(key, String($0), whole: text) }
                return parts.count == 1 ? parts[0] : .any(parts)
            }
            if key.allSatisfy(\.isLetter) {
                let meant = nearestName(to: key, among: Self.keys).map { ", did you mean \"\($0)\"?" } ?? ""
                remarks.append("no filter \"\(key)\"\(meant)")
            }
        }
        let parts = text.split(separator: "|").map { part in
            Self.methods.contains(String(part))
                ? .method(String(part)) : status(String(part)) ?? .text(part.lowercased())
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func keyed(_ key: String, _ value: String, whole: String) -> TrafficFilter.Condition {
        switch key {
        case "is":
            if let state = TrafficFilter.State(rawValue: value.lowercased()) { return .state(state) }
            let names = TrafficFilter.State.allCases.map(\.rawValue)
            let meant = nearestName(to: value, among: names).map { ", did you mean \"\($0)\"?" } ?? ""
            remarks.append("no state \"\(value)\"\(meant)")
            return .text(whole.lowercased())
        case "status": return status(value) ?? .outcome(value.lowercased())
        case "method": return .method(value.uppercased())
        case "time":
            let (comparison, rest) = comparison(value)
            if let limit = microseconds(rest) { return .time(comparison ?? .atLeast, microseconds: limit) }
        case "size":
            let (comparison, rest) = comparison(value)
            if let limit = Self.number(rest, ["": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "k": 1_000, "m": 1_000_000])
            {
                return .size(comparison ?? .atLeast, bytes: limit)
            }
        case "last":
            if let time = microseconds(value) { return .last(milliseconds: time / 1_000) }
        case "header", "body":
            remarks.append("\(key): is not looked at here")
            return .unknowable
        default:
            if let field = TrafficFilter.Field(rawValue: key) { return .field(field, value.lowercased()) }
        }
        remarks.append("\(key): takes no \"\(value)\"")
        return .text(whole.lowercased())
    }

    /// `404`, `5xx`, `400-499`, `>=500`.
    private func status(_ text: String) -> TrafficFilter.Condition? {
        let lower = text.lowercased()
        if lower.utf8.count == 3, lower.hasSuffix("xx"), let first = Int(lower.prefix(1)), (1...9).contains(first) {
            return .status(first * 100...first * 100 + 99)
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        if ends.count == 2, let low = Int(ends[0]), let high = Int(ends[1]), low <= high { return .status(low...high) }
        let (comparison, rest) = comparison(text)
        guard rest.utf8.count == 3, let number = Int(rest), number >= 100 else { return nil }
        switch comparison {
        case nil: return .status(number...number)
        case .above: return .status(number + 1...10_000)
        case .atLeast: return .status(number...10_000)
        case .below: return .status(0...number - 1)
        case .atMost: return .status(0...number)
        }
    }

    private func comparison(_ text: String) -> (TrafficFilter.Comparison?, String) {
        let kinds: [(String, TrafficFilter.Comparison)] = [
            (">=", .atLeast), ("<=", .atMost), (">", .above), ("<", .below),
        ]
        for (sign, comparison) in kinds where text.hasPrefix(sign) {
            return (comparison, String(text.dropFirst(sign.count)))
        }
        return (nil, text)
    }

    private func microseconds(_ text: String) -> Int? {
        Self.number(text, ["": 1_000, "us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000])
    }

    private static func number(_ text: String, _ units: [String: Double]) -> Int? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let unit = units[text[digits.endIndex...].lowercased()] else { return nil }
        let result = number * unit
        return result < 1e15 ? Int(result) : nil
    }
}
