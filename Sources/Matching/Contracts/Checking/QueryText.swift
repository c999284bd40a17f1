import SDPlatform

/// A query or a form, split into its pairs but not decoded.
struct QueryText: Sendable {
    struct Pair: Sendable {
        /// The name, decoded.
        var name: String
        /// The undecoded value; empty without `=`.
        var value: ArraySlice<UInt8>
    }

    let pairs: [Pair]
    /// The indices of the pairs by name.
    private let places: [String: [Int]]

    /// The maximum number of pairs.
    static let limit = 10_000

    init(_ text: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: "&")) {
        pairs = text.split(separator: separator, maxSplits: Self.limit).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            return Pair(
                name: Self.decoded(pair[..<(equals ?? pair.endIndex)]).text,
                value: equals.map { pair[($0 + 1)...] } ?? pair[pair.endIndex...])
        }
        places = Dictionary(grouping: pairs.indices) { [pairs] in pairs[$0].name }
    }

    /// The undecoded values of a name.
    func values(_ name: String) -> [ArraySlice<UInt8>] {
        (places[name] ?? []).map { pairs[$0].value }
    }

    /// A decoded name or value. `+` is a space, and itself in the alternative reading.
    static func decoded(_ text: ArraySlice<UInt8>) -> WrittenText {
        let plain = String(decoding: PercentEncoding.decodeLeniently(text), as: UTF8.self)
        guard text.contains(UInt8(ascii: "+")) else { return WrittenText(plain) }
        let blank = Array(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
        return WrittenText(
            String(decoding: PercentEncoding.decodeLeniently(blank[...]), as: UTF8.self), other: plain)
    }

    /// Splits a value at any of the separators, which may be escapes such as `%20`.
    static func split(_ text: ArraySlice<UInt8>, at separators: [String]) -> [ArraySlice<UInt8>] {
        let separators = separators.map { Array($0.utf8) }
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var place = text.startIndex
        while place < text.endIndex {
            let rest = text[place...]
            guard let found = separators.first(where: { rest.startsIgnoringCase(with: $0) }) else {
                place += 1
                continue
            }
            parts.append(text[start..<place])
            place += found.count
            start = place
        }
        parts.append(text[start...])
        return parts
    }
}

extension ArraySlice<UInt8> {
    fileprivate func startsIgnoringCase(with other: [UInt8]) -> Bool {
        count >= other.count
            && zip(self, other).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 && ($0 | 0x20) &- 0x61 < 26 }
    }
}
