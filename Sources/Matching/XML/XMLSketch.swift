internal import SDBudget

/// What a text costs to parse, seen before it is parsed, because nothing interrupts libxml2: it compares each attribute
/// of an element with all others, and a small tag becomes a node a hundred times as large.
struct XMLSketch {
    /// The number of tags, comments and instructions.
    private(set) var tags = 0
    private(set) var attributes = 0
    /// The pairs of attributes of one element, of all elements.
    private(set) var pairs = 0
    private var declaresEntities = false
    private let byteCount: Int

    /// The most tags and attributes of a document, which bounds its memory to some 250 MiB.
    static let mostNodes = 1_000_000

    /// The least times in nanoseconds.
    private enum Cost {
        /// What libxml2 makes for each text before it reads the first byte.
        static let document = 3_000
        static let byte = 2
        static let node = 100
        /// libxml2 walks along an element's attributes to add one, through memory that no cache may hold.
        static let pair = 3
        static let declaredPair = 10
    }

    /// Reads as much of a text as tells whether it may be parsed: nothing of one that is too long for the budget, and
    /// no more of one that has too many nodes.
    init(_ bytes: ArraySlice<UInt8>, _ budget: WorkBudget) {
        byteCount = bytes.count
        guard budget.affords(Cost.document + Cost.byte * byteCount, for: work) else { return }
        let text = bytes.span
        var place = 0
        while place < text.count, tags + attributes <= Self.mostNodes {
            guard text[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            tags += 1
            place += 1
            if Self.begins(text, place, "!--") {
                place = Self.end(of: "-->", text, place + 3)
            } else if Self.begins(text, place, "![CDATA[") {
                place = Self.end(of: "]]>", text, place + 8)
            } else {
                // Entities may hold elements, which count wherever they are used.
                if Self.begins(text, place, "!ENTITY") { declaresEntities = true }
                place = readTag(text, place)
            }
        }
    }

    /// Counts the attributes up to the end of a tag, and returns the place after it.
    private mutating func readTag(_ text: Span<UInt8>, _ start: Int) -> Int {
        let isDeclaration = start < text.count && text[start] == UInt8(ascii: "!")
        var place = start
        var count = 0
        var quote: UInt8 = 0
        while place < text.count {
            let byte = text[place]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") || (isDeclaration && byte == UInt8(ascii: "<")) {
                break
            } else if byte == UInt8(ascii: "=") {
                count += 1
            } else if !isDeclaration, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            place += 1
        }
        attributes += count
        pairs += count * count
        return place
    }

    private static func begins(_ text: Span<UInt8>, _ place: Int, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= text.count else { return false }
        return word.withUTF8Buffer { word in
            for index in 0..<count where text[place + index] != word[index] { return false }
            return true
        }
    }

    private static func end(of word: StaticString, _ text: Span<UInt8>, _ start: Int) -> Int {
        var place = start
        while place < text.count, !begins(text, place, word) { place += 1 }
        return place
    }

    private var work: WorkBudget.Work { WorkBudget.Work("XML document", "of \(byteCount) bytes") }

    /// Whether the document may be parsed. If not, the budget is spent.
    func fits(_ budget: WorkBudget) -> Bool {
        guard !budget.isSpent else { return false }
        guard tags + attributes <= Self.mostNodes else {
            budget.refuse("has more than \(Self.mostNodes) tags and attributes, the most that are read", for: work)
            return false
        }
        let pairs = pairs * (declaresEntities ? Cost.declaredPair : Cost.pair)
        return budget.affords(Cost.byte * byteCount + Cost.node * (tags + attributes) + pairs, for: work)
    }
}
