internal import SDPlatform

/// An estimate of the cost of parsing a text, made before, because libxml2 cannot be interrupted: it compares each
/// attribute of an element with all others, and a small tag becomes a node a hundred times as large. A part that is
/// used many times, such as an entity or an attribute's default, is counted once: its uses check the clock.
struct XMLParseCost {
    /// The number of tags, comments and instructions.
    private(set) var tags = 0
    private(set) var attributes = 0
    /// The number of pairs of attributes within one element, summed over all elements.
    private(set) var pairs = 0
    private var declaresEntities = false
    /// Whether the document has a DTD, whose literals may contain what looks like tags and comments: from there on
    /// nothing is skipped, and everything up to the next `<` counts as a tag.
    private var hasDTD = false
    /// The number of declarations in a DTD, and of names in their lists.
    private var declared = 0
    /// The number of attributes with a default, over all elements; one element may have all of them.
    private var defaults = 0
    /// The pairs of attributes that libxml2 compares only if it continues after an error in a malformed document.
    private var hiddenPairs = 0
    private let byteCount: Int

    /// The maximum number of tags and attributes of a document, which bounds its memory to some 250 MiB.
    static let maxNodes = 1_000_000

    /// Minimum times in nanoseconds.
    private enum Cost {
        /// libxml2's fixed time per text, before the first byte.
        static let document = 3_000
        static let byte = 2
        static let node = 100
        static let declared = 1_000
        /// To add an attribute, libxml2 walks along the element's others, in uncached memory.
        static let pair = 3
        static let declaredPair = 10
        /// The number of hidden pairs compared per nanosecond.
        static let hiddenPairs = 3
    }

    /// Reads as much of a text as needed for the decision: nothing of one too long for the budget, and no more once
    /// there are too many nodes.
    init(_ bytes: ArraySlice<UInt8>, _ budget: WorkBudget) {
        byteCount = bytes.count
        guard budget.tryReserve(Cost.document + Cost.byte * byteCount, for: work) else { return }
        let text = bytes.span
        var place = 0
        while place < text.count, tags + attributes <= Self.maxNodes {
            guard text[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            tags += 1
            place = hasDTD ? readStretch(text, place + 1) : readMarkup(text, place + 1)
        }
        pairs += defaults * defaults
    }

    /// Reads a tag, comment or similar from the offset after its `<`, and returns the offset after it.
    private mutating func readMarkup(_ text: Span<UInt8>, _ place: Int) -> Int {
        if Self.begins(text, place, "!--") { return skip(to: "-->", text, place + 3) }
        if Self.begins(text, place, "![CDATA[") { return skip(to: "]]>", text, place + 8) }
        if Self.begins(text, place, "?") { return skip(to: "?>", text, place + 1) }
        hasDTD = Self.begins(text, place, "!DOCTYPE")
        return hasDTD ? readStretch(text, place) : readTag(text, place)
    }

    /// Counts the attributes up to the end of a tag, and returns the offset after it.
    private mutating func readTag(_ text: Span<UInt8>, _ start: Int) -> Int {
        var place = start
        var count = 0
        var quote: UInt8 = 0
        while place < text.count, text[place] != UInt8(ascii: "<") {
            let byte = text[place]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                break
            } else if byte == UInt8(ascii: "=") {
                count += 1
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            place += 1
        }
        attributes += count
        pairs += count * count
        return place
    }

    /// Counts possible attributes and declarations up to the next `<`, and returns its offset. Entities may contain
    /// elements, which count for each use.
    private mutating func readStretch(_ text: Span<UInt8>, _ start: Int) -> Int {
        var (place, count, references, names, quotes) = (start, 0, 0, 0, 0)
        while place < text.count, text[place] != UInt8(ascii: "<") {
            switch text[place] {
            case UInt8(ascii: "="): count += 1
            case UInt8(ascii: "#"):
                references += 1
                if Self.isEqualsSign(text, place + 1) { count += 1 }
            case UInt8(ascii: "|"), UInt8(ascii: ","): names += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quotes += 1
            default: break
            }
            place += 1
        }
        switch true {
        case Self.begins(text, start, "!ATTLIST"): declare(names: names, defaults: quotes / 2)
        case Self.begins(text, start, "!ENTITY"):
            declaresEntities = true
            // The text of a parameter entity may be a list of attributes with references instead of punctuation.
            declare(names: names + references, defaults: quotes / 2)
        case Self.begins(text, start, "!ELEMENT"), Self.begins(text, start, "!NOTATION"): declared += 1 + names
        default: break
        }
        attributes += count
        pairs += count * count
        return place
    }

    /// - Parameter names: the number of names in an enumeration, each of which libxml2 compares with all others.
    private mutating func declare(names: Int, defaults: Int) {
        declared += 1 + names + defaults
        pairs += names * names
        self.defaults += defaults
    }

    /// Whether the rest of a character reference denotes `=`, as in `&#61;` and `&#x3D;`.
    private static func isEqualsSign(_ text: Span<UInt8>, _ start: Int) -> Bool {
        let isHexadecimal = begins(text, start, "x")
        var place = isHexadecimal ? start + 1 : start
        while begins(text, place, "0") { place += 1 }
        return isHexadecimal
            ? begins(text, place, "3d;") || begins(text, place, "3D;") : begins(text, place, "61;")
    }

    private static func begins(_ text: Span<UInt8>, _ place: Int, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= text.count else { return false }
        return word.withUTF8Buffer { word in
            for index in 0..<count where text[place + index] != word[index] { return false }
            return true
        }
    }

    /// Returns the offset of a word, or the end of the text.
    private mutating func skip(to word: StaticString, _ text: Span<UInt8>, _ start: Int) -> Int {
        var place = start
        var count = 0
        while place < text.count, !Self.begins(text, place, word) {
            if text[place] == UInt8(ascii: "=") { count += 1 }
            if text[place] == UInt8(ascii: "<") {
                hiddenPairs += count * count
                count = 0
            }
            place += 1
        }
        hiddenPairs += count * count
        return place
    }

    private var work: WorkBudget.Work { WorkBudget.Work("XML document", "of \(byteCount) bytes") }

    /// Whether the document may be parsed. If not, the budget is exhausted.
    func fits(_ budget: WorkBudget) -> Bool {
        guard !budget.isSpent else { return false }
        guard tags + attributes <= Self.maxNodes else {
            budget.refuse("has more than \(Self.maxNodes) tags and attributes, the most that are read", for: work)
            return false
        }
        let pairs = pairs * (declaresEntities ? Cost.declaredPair : Cost.pair)
        let nodes = Cost.byte * byteCount + Cost.node * (tags + attributes) + Cost.declared * declared
        return budget.tryReserve(nodes + pairs + hiddenPairs / Cost.hiddenPairs, for: work)
    }
}
