/// A word of a request filter, separated by spaces. Quotes keep spaces together; an unclosed quote ends with the line.
public struct FilterWord: Sendable, Equatable {
    /// The maximum number of words in a filter.
    public static let most = 64
    /// The maximum size of a filter in bytes.
    public static let longest = 4_096

    public private(set) var isNegated = false
    /// The key before the first colon, in lower case; nil for none.
    public private(set) var key: String?
    /// The text after the key, or the whole word.
    public private(set) var value = ""
    /// Whether it begins with a quote, so that it is a free text.
    public private(set) var isQuoted = false
    /// The word without its quotes and the `-`.
    public private(set) var text = ""

    /// The alternatives of the value.
    public var values: [String] { value.split(separator: "|").map { String($0) } }

    /// The words of a filter; only the first ones if it is too long.
    public static func all(in line: String) -> [FilterWord] { read(line).words }

    /// Whether a filter exceeds the limits, so that its end is ignored.
    public static func isTooLong(_ line: String) -> Bool { read(line).isCut }

    private static func read(_ line: String) -> (words: [FilterWord], isCut: Bool) {
        var words: [FilterWord] = []
        let isLong = line.utf8.count > longest
        var rest = (isLong ? String(decoding: line.utf8.prefix(longest), as: UTF8.self) : line)[...]
        rest = rest.drop { $0.isWhitespace }
        while !rest.isEmpty {
            guard words.count < most else { return (words, true) }
            words.append(FilterWord(from: &rest))
            rest = rest.drop { $0.isWhitespace }
        }
        return (words, isLong)
    }

    /// Consumes the first word of a text that begins with one.
    private init(from rest: inout Substring) {
        if rest.first == "-", let next = rest.dropFirst().first, !next.isWhitespace {
            isNegated = true
            rest.removeFirst()
        }
        isQuoted = rest.first == "\""
        var isInQuotes = false
        while let character = rest.first, isInQuotes || !character.isWhitespace {
            rest.removeFirst()
            switch character {
            case "\"": isInQuotes.toggle()
            case "\\" where isInQuotes && !rest.isEmpty: add(rest.removeFirst())
            case ":" where !isInQuotes && !isQuoted && key == nil && !text.isEmpty:
                key = text.lowercased()
                text.append(character)
                value = ""
            default: add(character)
            }
        }
    }

    private mutating func add(_ character: Character) {
        text.append(character)
        value.append(character)
    }
}

extension FilterWord {
    /// The methods that a word without a key can mean, in upper case.
    private static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]

    /// The methods that a word without a key and quotes means; nil for other words.
    public var methods: [String]? {
        let values = values
        return key == nil && !isQuoted && !values.isEmpty && values.allSatisfy(Self.methods.contains) ? values : nil
    }

    /// The status ranges that a word without a key and quotes means, such as `404` and `5xx`; nil for other words.
    public var statuses: [ClosedRange<Int>]? {
        let values = values
        guard key == nil, !isQuoted, !values.isEmpty else { return nil }
        let ranges = values.compactMap { value -> ClosedRange<Int>? in
            guard value.utf8.count == 3, let first = value.first, "12345".contains(first), !value.contains("-") else {
                return nil
            }
            return FilterNumber.statuses(value)
        }
        return ranges.count == values.count ? ranges : nil
    }
}
