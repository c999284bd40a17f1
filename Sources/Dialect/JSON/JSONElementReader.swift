/// Reads the elements of one array in a JSON object, a few at a time: some are used while the next are read, and the
/// document as a whole needs no tape. The text may come in blocks, of which only one is in memory.
///
/// Accepts what `JSONTape` accepts. It finds an error when it comes to it, so the elements count only if the reading
/// ends with the document.
package struct JSONElementReader: Sendable {
    /// Some elements in a row, with their contents on one tape.
    package struct Part: Sendable {
        package let tape: JSONTape
        /// The place of each element on the tape.
        package let places: [Int]
        /// The line on which each element begins, from 1.
        package let lines: [Int]
    }

    package enum End: Sendable {
        /// Everything was read.
        case document
        /// An error, or an object that repeats a key.
        case error
    }

    /// Reads the text from an offset on, and puts it after the bytes right before, which were not used yet. Nil where
    /// the text ends.
    package typealias NextBlock = @Sendable (_ unused: ArraySlice<UInt8>, _ offset: Int) -> [UInt8]?

    /// The text, or the block of it that is being read.
    private var bytes: [UInt8]
    /// The block's offset in the text.
    private var start = 0
    /// Nil once the text ends with the block.
    private var nextBlock: NextBlock?
    private var reader = JSONTapeReader(depth: Self.depth)
    /// The object's keys in the order of the document, as far as they have been read.
    package private(set) var keys: [String] = []
    /// The end of the reading; nil as long as there may be more elements.
    package private(set) var end: End?
    private var hasElements = false
    /// The line of the byte at `countedTo` in the block.
    private var line = 1
    private var countedTo = 0

    /// The object and the array around the elements.
    private static let depth = 2

    /// Reads up to the first element.
    /// - Parameters:
    ///   - bytes: the text, or its first block.
    ///   - next: what reads the further blocks.
    /// - Returns: nil unless the text begins with an object, and its value of `key` with a bracket.
    package init?(_ bytes: [UInt8], of key: String, next: NextBlock? = nil) {
        guard bytes.count < UInt32.max else { return nil }
        self.bytes = bytes
        nextBlock = next
        while true {
            switch readBeginning(of: key) {
            case .list:
                _ = reader.takeEntries(expecting: 0)
                return
            case .other: return nil
            case .unfinished:
                keys = []
                guard readOn(from: 0) else { return nil }
            }
        }
    }

    /// Reads the next elements, `most` at most; nil after the last one and after an error.
    package mutating func next(_ most: Int) -> Part? {
        while end == nil {
            if let part = nextInBlock(most) { return part }
        }
        return nil
    }

    /// Reads the next elements that are in the block as a whole. Nil if there are none: then either the reading has
    /// ended, or there is a longer block.
    private mutating func nextInBlock(_ most: Int) -> Part? {
        let text = bytes
        var places: [Int] = []
        var lines: [Int] = []
        places.reserveCapacity(most)
        lines.reserveCapacity(most)
        var isLast = false
        while places.count < most, !isLast {
            let before = (index: reader.index, place: reader.place)
            reader.skipBlanks(text.span)
            isLast = !hasElements && reader.take(UInt8(ascii: "]"), text.span)
            if isLast { break }
            let first = reader.index
            guard reader.value(text.span), let isFollowed = takeSeparator(text.span) else {
                // Either an error, or an element that goes on in the next block.
                var entries = reader.takeEntries(expecting: 0)
                entries.removeLast(entries.count - before.place)
                guard readOn(from: before.index, expecting: before.place + before.place / 8) else {
                    end = .error
                    return nil
                }
                return places.isEmpty ? nil : Part(tape: JSONTape(entries, of: text), places: places, lines: lines)
            }
            hasElements = true
            places.append(before.place)
            lines.append(countLines(upTo: first))
            isLast = !isFollowed
        }
        // The next elements have about as many entries.
        let entries = reader.takeEntries(expecting: reader.place + reader.place / 8)
        if isLast { end = readRest() ? .document : .error }
        guard !places.isEmpty, end != .error else { return nil }
        return Part(tape: JSONTape(entries, of: text), places: places, lines: lines)
    }

    /// The number of bytes that have been read.
    package var position: Int { start + reader.index }

    /// Continues with a block that begins at a place of this one, behind which nothing was used, and goes on behind it.
    /// - Parameter entries: the number of entries that it probably has.
    /// - Returns: false if the text ends with this block.
    private mutating func readOn(from place: Int, expecting entries: Int = 0) -> Bool {
        guard let read = nextBlock else { return false }
        _ = countLines(upTo: place)
        let unused = bytes[place...]
        let block = read(unused, start + bytes.count)
        // Once more what was not used: it may be the end of the text.
        if block == nil { nextBlock = nil }
        bytes = block ?? Array(unused)
        start += place
        countedTo = 0
        reader = JSONTapeReader(depth: Self.depth)
        _ = reader.takeEntries(expecting: entries)
        return bytes.count < UInt32.max
    }

    /// The line of a byte behind those counted so far, from 1. A line ends with LF, CR LF, or CR.
    private mutating func countLines(upTo place: Int) -> Int {
        (line, countedTo) = Self.line(line, at: countedTo, of: bytes.span, upTo: place)
        return line
    }

    /// Counts the ends of lines from a place of a line to another place.
    private static func line(
        _ line: Int, at start: Int, of text: Span<UInt8>, upTo end: Int
    ) -> (line: Int, place: Int) {
        var line = line
        var place = start
        while place < end {
            // Most elements are on one line.
            while end &- place >= 32, text.hasOnlyLetters(inFourWordsAt: place) { place &+= 32 }
            if end &- place >= 8 {
                let passed = text.countOfLetters(inEightAt: place)
                place &+= passed
                if passed == 8 { continue }
            }
            let byte = text[place]
            place &+= 1
            if byte == 0x0A { line &+= 1 }
            if byte == 0x0D, place == text.count || text[place] != 0x0A { line &+= 1 }
        }
        return (line, place)
    }

    // MARK: - Around the elements

    /// What the beginning of the text is, as far as it is in the block.
    private enum Beginning {
        /// That of the array.
        case list
        /// Not one of an object with the array.
        case other
        /// More of it is to be seen, unless it is an error.
        case unfinished
    }

    private mutating func readBeginning(of key: String) -> Beginning {
        let text = bytes
        reader.skipByteOrderMark(text.span)
        reader.skipBlanks(text.span)
        guard reader.index < text.count else { return .unfinished }
        guard reader.take(UInt8(ascii: "{"), text.span) else { return .other }
        repeat {
            guard readKey() else { return .unfinished }
            if keys.last == key { break }
            guard reader.value(text.span) else { return .unfinished }
            reader.skipBlanks(text.span)
        } while reader.take(UInt8(ascii: ","), text.span)
        guard reader.index < text.count else { return .unfinished }
        return keys.last == key && reader.take(UInt8(ascii: "["), text.span) ? .list : .other
    }

    /// Reads what comes after an element.
    /// - Returns: whether another element follows; nil for an error.
    private mutating func takeSeparator(_ text: Span<UInt8>) -> Bool? {
        reader.skipBlanks(text)
        if reader.take(UInt8(ascii: ","), text) { return true }
        return reader.take(UInt8(ascii: "]"), text) ? false : nil
    }

    /// Reads a key and the colon after it.
    /// - Returns: false for an error, and for a key that was there before.
    private mutating func readKey() -> Bool {
        let text = bytes
        reader.skipBlanks(text.span)
        guard text.indices.contains(reader.index), text[reader.index] == UInt8(ascii: "\""), reader.string(text.span)
        else { return false }
        let entries = reader.takeEntries(expecting: 1)
        let key = JSONTape(entries, of: text).text(at: entries.count - 1)
        guard !keys.contains(where: { $0.hasSameCodePoints(as: key) }) else { return false }
        keys.append(key)
        reader.skipBlanks(text.span)
        guard reader.take(UInt8(ascii: ":"), text.span) else { return false }
        reader.skipBlanks(text.span)
        return true
    }

    /// Reads what comes after the array, whatever the number of its blocks.
    /// - Returns: false for an error.
    private mutating func readRest() -> Bool {
        let known = keys
        while true {
            let place = reader.index
            if readRestOfBlock() { return true }
            keys = known
            guard readOn(from: place) else { return false }
        }
    }

    /// - Returns: false for an error, and if the text may go on.
    private mutating func readRestOfBlock() -> Bool {
        let text = bytes
        reader.skipBlanks(text.span)
        while reader.take(UInt8(ascii: ","), text.span) {
            guard readKey(), reader.value(text.span) else { return false }
            reader.skipBlanks(text.span)
        }
        guard reader.take(UInt8(ascii: "}"), text.span) else { return false }
        reader.skipBlanks(text.span)
        return reader.index == text.count && nextBlock == nil
    }
}

extension Span<UInt8> {
    /// Whether there is no control character among 32 bytes, and none beyond ASCII that could hide one.
    fileprivate func hasOnlyLetters(inFourWordsAt place: Int) -> Bool {
        var signs: UInt64 = 0
        for word in 0..<4 { signs |= eightBytes(at: place &+ word &* 8) &- 0x2020_2020_2020_2020 }
        return signs & 0x8080_8080_8080_8080 == 0
    }
}
