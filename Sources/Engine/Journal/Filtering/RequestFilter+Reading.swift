import SDBasics

extension RequestFilter.Term {
    init(_ word: FilterWord) {
        self.init(condition: Self.condition(word), isNegated: word.isNegated)
    }

    private static func condition(_ word: FilterWord) -> RequestFilter.Condition {
        if word.isQuoted { return .text([TextGlob(part: word.text)]) }
        return (word.key == nil ? plain(word) : keyed(word)) ?? .text(alternatives(word.text))
    }

    /// The condition of a word without a key: methods or statuses; nil if it is a text.
    private static func plain(_ word: FilterWord) -> RequestFilter.Condition? {
        if let methods = word.methods { return .method(methods) }
        return word.statuses.map { .status($0) }
    }

    /// The condition of a key and a value; nil if they are a text.
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
        case "time": return FilterNumber.quantity(word.value, FilterNumber.microseconds).map { .duration($0) }
        case "size": return FilterNumber.quantity(word.value, FilterNumber.bytes).map { .size($0) }
        case "last":
            let isBare = word.value.last?.isNumber == true
            return FilterNumber.microseconds(isBare ? word.value + "s" : word.value)
                .flatMap { $0 < 1e18 ? .last(UInt64($0 / 1_000)) : nil }
        case "proto": return .field(.proto, values.map { TextGlob(part: protocols[$0.lowercased()] ?? $0) })
        default: return RequestFilter.Field(rawValue: key).map { .field($0, alternatives(word.value)) }
        }
    }

    private static let keys = Set(RequestFilter.keys)
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
        let ranges = values.compactMap(FilterNumber.statuses)
        return ranges.count == values.count ? .status(ranges) : nil
    }
}
