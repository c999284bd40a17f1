/// Reads the elements of one array in a JSON object, a few at a time: some are used while the next are read, and the
/// document as a whole needs no tape.
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

    private let bytes: [UInt8]
    private var reader = JSONTapeReader(depth: 2)
    /// The object's keys in the order of the document, as far as they have been read.
    package private(set) var keys: [String] = []
    /// The end of the reading; nil as long as there may be more elements.
    package private(set) var end: End?
    private var hasElements = false
    /// The line of the byte at `countedTo`.
    private var line = 1
    private var countedTo = 0

    /// Reads up to the first element.
    /// - Returns: nil unless the text begins with an object, and its value of `key` with a bracket.
    package init?(_ bytes: [UInt8], of key: String) {
        guard bytes.count < UInt32.max else { return nil }
        self.bytes = bytes
        reader.skipByteOrderMark(bytes.span)
        reader.skipBlanks(bytes.span)
        guard reader.take(UInt8(ascii: "{"), bytes.span) else { return nil }
        repeat {
            guard readKey() else { return nil }
            if keys.last == key { break }
            guard reader.value(bytes.span) else { return nil }
            reader.skipBlanks(bytes.span)
        } while reader.take(UInt8(ascii: ","), bytes.span)
        guard keys.last == key, reader.take(UInt8(ascii: "["), bytes.span) else { return nil }
        _ = reader.takeEntries(expecting: 0)
    }

    /// Reads the next elements, `most` at most; nil after the last one and after an error.
    package mutating func next(_ most: Int) -> Part? {
        guard end == nil else { return nil }
        let text = bytes
        var places: [Int] = []
        var lines: [Int] = []
        places.reserveCapacity(most)
        lines.reserveCapacity(most)
        var isLast = false
        while places.count < most, !isLast {
            reader.skipBlanks(text.span)
            isLast = !hasElements && reader.take(UInt8(ascii: "]"), text.span)
            if isLast { break }
            hasElements = true
            places.append(reader.place)
            lines.append(lineOfNextByte())
            guard reader.value(text.span) else {
                end = .error
                return nil
            }
            reader.skipBlanks(text.span)
            if reader.take(UInt8(ascii: ","), text.span) { continue }
            isLast = reader.take(UInt8(ascii: "]"), text.span)
            if !isLast {
                end = .error
                return nil
            }
        }
        // The next elements have about as many entries.
        let entries = reader.takeEntries(expecting: reader.place + reader.place / 8)
        if isLast { end = readRest() ? .document : .error }
        guard !places.isEmpty, end != .error else { return nil }
        return Part(tape: JSONTape(entries, of: text), places: places, lines: lines)
    }

    /// The number of bytes that have been read.
    package var position: Int { reader.index }

    /// The line of the next byte, from 1. A line ends with LF, CR LF, or CR.
    private mutating func lineOfNextByte() -> Int {
        (line, countedTo) = Self.line(line, at: countedTo, of: bytes.span, upTo: reader.index)
        return line
    }

    /// Counts the ends of lines from a place of a line to another place.
    private static func line(
        _ line: Int, at start: Int, of text: Span<UInt8>, upTo end: Int
    ) -> (line: Int, place: Int) {
        var line = line
        var place = start
        while place < end {
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

    /// Reads what comes after the array.
    /// - Returns: false for an error.
    private mutating func readRest() -> Bool {
        let text = bytes
        reader.skipBlanks(text.span)
        while reader.take(UInt8(ascii: ","), text.span) {
            guard readKey(), reader.value(text.span) else { return false }
            reader.skipBlanks(text.span)
        }
        guard reader.take(UInt8(ascii: "}"), text.span) else { return false }
        reader.skipBlanks(text.span)
        return reader.index == text.count
    }
}
