/// A word of a filter: what stands between blanks. Quotes keep blanks together, and an open one ends with the line.
struct FilterWord: Equatable {
    var isNegated = false
    /// The key before the first colon, in small letters; nil for none.
    var key: String?
    /// What stands behind it, or the whole word.
    var value = ""
    /// Whether it begins with a quote, so that it is a text.
    var isQuoted = false
    /// The word without its quotes and the `-`.
    var text = ""

    /// The alternatives of the value.
    var values: [String] { value.split(separator: "|").map { String($0) } }

    /// The words of a text.
    static func all(in line: String) -> [FilterWord] {
        var words: [FilterWord] = []
        var rest = line[...].drop { $0.isWhitespace }
        while !rest.isEmpty {
            words.append(FilterWord(from: &rest))
            rest = rest.drop { $0.isWhitespace }
        }
        return words
    }

    /// Takes the first word from a text that begins with one.
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
