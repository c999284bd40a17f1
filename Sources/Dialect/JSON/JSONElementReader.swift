/// Reads the elements of one array in a JSON object in batches: one batch is used while the next is read, and no tape
/// of the whole document is needed. The text may come in blocks, of which only one is in memory.
///
/// Accepts the same texts as `JSONTape`. Errors are found only when reached, so the elements are valid only if reading
/// ends with the document.
package struct JSONElementReader: Sendable {
    /// Consecutive elements, with their contents on one tape.
    package struct Part: Sendable {
        package let tape: JSONTape
        /// The tape index of each element.
        package let places: [Int]
        /// The line on which each element starts, from 1.
        package let lines: [Int]
    }

    package enum End: Sendable {
        /// The whole document was read.
        case document
        /// An error, or an object with a duplicate key.
        case error
    }

    /// Reads the block at an offset, and appends it to the unused bytes before it. Nil at the end of the text.
    package typealias NextBlock = @Sendable (_ unused: ArraySlice<UInt8>, _ offset: Int) -> [UInt8]?

    /// The text, or its current block.
    private var bytes: [UInt8]
    /// The block's offset in the text.
    private var start = 0
    /// Nil after the last block.
    private var nextBlock: NextBlock?
    private var reader = JSONTapeReader(depth: Self.depth)
    /// The object's keys read so far, in document order.
    package private(set) var keys: [String] = []
    /// How reading ended; nil while there may be more elements.
    package private(set) var end: End?
    private var hasElements = false
    /// The line of the byte at `countedTo` in the block.
    private var line = 1
    private var countedTo = 0

    /// The nesting depth of the elements: the object and the array.
    private static let depth = 2

    /// Reads up to the first element.
    /// - Parameters:
    ///   - bytes: the text, or its first block.
    ///   - next: reads further blocks.
    /// - Returns: nil unless the text starts with an object and its value of `key` with `[`.
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

    /// Reads up to `most` elements; nil after the last one, and after an error.
    package mutating func next(_ most: Int) -> Part? {
        while end == nil {
            if let part = nextInBlock(most) { return part }
        }
        return nil
    }

    /// Reads the next elements that are completely inside the block. Nil if there are none: then reading has ended, or
    /// a longer block was loaded.
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
            isLast = !hasElements && reader.consume(UInt8(ascii: "]"), text.span)
            if isLast { break }
            let first = reader.index
            guard reader.value(text.span), let isFollowed = takeSeparator(text.span) else {
                // Either an error, or an element that continues in the next block.
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

    /// The number of bytes read so far.
    package var position: Int { start + reader.index }

    /// Loads the next block, keeping the bytes from `place`, after which nothing was used.
    /// - Parameter entries: the expected number of entries in it.
    /// - Returns: false if the text ends with this block.
    private mutating func readOn(from place: Int, expecting entries: Int = 0) -> Bool {
        guard let read = nextBlock else { return false }
        _ = countLines(upTo: place)
        let unused = bytes[place...]
        let block = read(unused, start + bytes.count)
        // The unused bytes may be the end of the text.
        if block == nil { nextBlock = nil }
        bytes = block ?? Array(unused)
        start += place
        countedTo = 0
        reader = JSONTapeReader(depth: Self.depth)
        _ = reader.takeEntries(expecting: entries)
        return bytes.count < UInt32.max
    }

    /// The line, from 1, of a byte after those counted so far. A line ends with LF, CRLF or CR.
    private mutating func countLines(upTo place: Int) -> Int {
        (line, countedTo) = Self.line(line, at: countedTo, of: bytes.span, upTo: place)
        return line
    }

    /// Counts the line ends between two offsets.
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

    /// What the text starts with, as far as it is in the block.
    private enum Beginning {
        /// The array.
        case list
        /// Something other than an object with the array.
        case other
        /// Incomplete, unless it is an error.
        case unfinished
    }

    private mutating func readBeginning(of key: String) -> Beginning {
        let text = bytes
        reader.skipByteOrderMark(text.span)
        reader.skipBlanks(text.span)
        guard reader.index < text.count else { return .unfinished }
        guard reader.consume(UInt8(ascii: "{"), text.span) else { return .other }
        repeat {
            guard readKey() else { return .unfinished }
            if keys.last == key { break }
            guard reader.value(text.span) else { return .unfinished }
            reader.skipBlanks(text.span)
        } while reader.consume(UInt8(ascii: ","), text.span)
        guard reader.index < text.count else { return .unfinished }
        return keys.last == key && reader.consume(UInt8(ascii: "["), text.span) ? .list : .other
    }

    /// Consumes the separator after an element.
    /// - Returns: whether another element follows; nil for an error.
    private mutating func takeSeparator(_ text: Span<UInt8>) -> Bool? {
        reader.skipBlanks(text)
        if reader.consume(UInt8(ascii: ","), text) { return true }
        return reader.consume(UInt8(ascii: "]"), text) ? false : nil
    }

    /// Reads a key and the colon after it.
    /// - Returns: false for an error, and for a duplicate key.
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
        guard reader.consume(UInt8(ascii: ":"), text.span) else { return false }
        reader.skipBlanks(text.span)
        return true
    }

    /// Reads the rest of the document after the array, over any number of blocks.
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

    /// - Returns: false for an error, and if the text may continue.
    private mutating func readRestOfBlock() -> Bool {
        let text = bytes
        reader.skipBlanks(text.span)
        while reader.consume(UInt8(ascii: ","), text.span) {
            guard readKey(), reader.value(text.span) else { return false }
            reader.skipBlanks(text.span)
        }
        guard reader.consume(UInt8(ascii: "}"), text.span) else { return false }
        reader.skipBlanks(text.span)
        return reader.index == text.count && nextBlock == nil
    }
}

extension Span<UInt8> {
    /// Whether 32 bytes contain no control character, and no non-ASCII byte that could hide one.
    fileprivate func hasOnlyLetters(inFourWordsAt place: Int) -> Bool {
        var signs: UInt64 = 0
        for word in 0..<4 { signs |= eightBytes(at: place &+ word &* 8) &- 0x2020_2020_2020_2020 }
        return signs & 0x8080_8080_8080_8080 == 0
    }
}
