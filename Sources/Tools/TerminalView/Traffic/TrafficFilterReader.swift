import SDBasics

/// Parses the words of a filter into conditions.
struct TrafficFilterReader {
    private(set) var warnings: [String] = []

    private static let keys =
        TrafficFilter.Field.allCases.map(\.rawValue) + [
            "is", "status", "method", "time", "size", "last", "header", "body",
        ]

    mutating func read(_ text: String) -> [TrafficFilter.Condition] {
        if FilterWord.isTooLong(text) {
            warnings.append("a filter has at most \(FilterWord.most) words and \(FilterWord.longest) bytes")
        }
        return FilterWord.all(in: text).compactMap { condition($0) }
    }

    private mutating func condition(_ word: FilterWord) -> TrafficFilter.Condition? {
        guard !word.text.isEmpty else { return nil }
        let positive = word.isQuoted ? .text(word.text.lowercased()) : understood(word)
        return word.isNegated ? .not(positive) : positive
    }

    private mutating func understood(_ word: FilterWord) -> TrafficFilter.Condition {
        if let methods = word.methods { return any(methods.map { .method($0) }) }
        if let ranges = word.statuses { return any(ranges.map { .status($0) }) }
        if let key = word.key {
            if Self.keys.contains(key) {
                let values = word.values
                return values.isEmpty ? .any([.unknowable]) : any(values.map { keyed(key, $0, whole: word.text) })
            }
            if key.allSatisfy(\.isLetter) {
                let meant = nearestName(to: key, among: Self.keys).map { ", did you mean \"\($0)\"?" } ?? ""
                warnings.append("no filter \"\(key)\"\(meant)")
            }
        }
        return any(word.text.split(separator: "|").map { .text($0.lowercased()) })
    }

    private func any(_ conditions: [TrafficFilter.Condition]) -> TrafficFilter.Condition {
        conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func keyed(_ key: String, _ value: String, whole: String) -> TrafficFilter.Condition {
        switch key {
        case "is":
            if let state = TrafficFilter.State(rawValue: value.lowercased()) { return .state(state) }
            let names = TrafficFilter.State.allCases.map(\.rawValue)
            let meant = nearestName(to: value, among: names).map { ", did you mean \"\($0)\"?" } ?? ""
            warnings.append("no state \"\(value)\"\(meant)")
            return .text(whole.lowercased())
        case "status": return FilterNumber.statuses(value).map { .status($0) } ?? .outcome(value.lowercased())
        case "method": return .method(value.uppercased())
        case "time":
            if let range = FilterNumber.quantity(value, FilterNumber.microseconds) { return .time(range) }
        case "size":
            if let range = FilterNumber.quantity(value, FilterNumber.bytes) { return .size(range) }
        case "last":
            let isBare = value.last?.isNumber == true
            if let time = FilterNumber.microseconds(isBare ? value + "s" : value), time < 1e15 {
                return .last(milliseconds: Int(time / 1_000))
            }
        case "header", "body":
            warnings.append("\(key): is not looked at here")
            return .unknowable
        default:
            if let field = TrafficFilter.Field(rawValue: key) { return .field(field, value.lowercased()) }
        }
        warnings.append("\(key): takes no \"\(value)\"")
        return .text(whole.lowercased())
    }
}
