/// Ranges of numbers suggested by names.
enum NumberNames {
    /// A range, and whether its numbers are whole.
    struct Range {
        var numbers: ClosedRange<Int>
        var isWhole: Bool
        /// The number of decimal places.
        var places = 2
    }

    /// The range for a member's name.
    static func range(for name: String, isInteger: Bool) -> Range {
        let words = NameWords(name)
        for (endings, range) in named where endings.contains(where: { words.ends(with: $0) }) {
            return Range(numbers: range.numbers, isWhole: range.isWhole || isInteger, places: range.places)
        }
        return Range(numbers: 1...1_000, isWhole: isInteger)
    }

    private static let named: [([String], Range)] = [
        (["id"], Range(numbers: 1_000...9_999, isWhole: true)),
        (["latitude", "lat"], Range(numbers: -60...60, isWhole: false, places: 6)),
        (["longitude", "lng", "lon", "long"], Range(numbers: -120...120, isWhole: false, places: 6)),
        (["age"], Range(numbers: 21...79, isWhole: true)),
        (["year"], Range(numbers: 2_015...2_025, isWhole: true)),
        (["month"], Range(numbers: 1...12, isWhole: true)),
        (["day", "days"], Range(numbers: 1...28, isWhole: true)),
        (["hour", "hours"], Range(numbers: 0...23, isWhole: true)),
        (["minute", "minutes", "second", "seconds"], Range(numbers: 0...59, isWhole: true)),
        (["port"], Range(numbers: 1_024...65_535, isWhole: true)),
        (["status", "code"], Range(numbers: 200...299, isWhole: true)),
        (
            ["page", "offset", "version", "level", "priority", "rank", "index", "position", "order"],
            Range(numbers: 1...9, isWhole: true)
        ),
        (["limit", "per page", "page size"], Range(numbers: 10...100, isWhole: true)),
        (
            ["count", "quantity", "qty", "total count", "size", "pages", "stock"],
            Range(numbers: 1...100, isWhole: true)
        ),
        (["percent", "percentage", "progress"], Range(numbers: 1...99, isWhole: false, places: 1)),
        (["rating", "score", "stars"], Range(numbers: 1...5, isWhole: false, places: 1)),
        (["rate", "ratio", "probability", "confidence", "weight"], Range(numbers: 0...1, isWhole: false)),
        (["width", "height", "length"], Range(numbers: 100...2_000, isWhole: true)),
        (
            ["timestamp", "created", "updated", "created at", "updated at", "time", "expires", "date"],
            Range(numbers: 1_704_067_200...1_735_689_599, isWhole: true)
        ),
    ]
}

/// The words of a name such as `created_at`, `createdAt` or `X-Created-At`, in lower case.
struct NameWords: Hashable {
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for scalar in name.unicodeScalars.prefix(200) {
            let isCapital = scalar.properties.isUppercase
            if !scalar.properties.isAlphabetic, !(scalar.value >= 48 && scalar.value < 58) {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                if isCapital, wasSmall, !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                word += String(scalar).lowercased()
            }
            wasSmall = !isCapital
        }
        if !word.isEmpty { words.append(word) }
        self.words = words
    }

    /// Whether the name ends with these words, which are separated by spaces.
    func ends(with text: String) -> Bool {
        let wanted = text.split(separator: " ")
        return words.count >= wanted.count && zip(words.suffix(wanted.count), wanted).allSatisfy { $0 == $1 }
    }

    /// Whether one of the words equals this.
    func contain(_ word: String) -> Bool { words.contains(word) }

    /// The words joined without separators.
    var joined: String { words.joined() }
}
