/// Writes a sequence of values for another process, which reads them in the same order.
package struct PackedWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 0) {
        bytes.reserveCapacity(count)
    }

    package mutating func add(byte: UInt8) { bytes.append(byte) }

    /// Adds a number, seven bits per byte, lowest first, so that small ones are short.
    package mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a non-negative number.
    package mutating func add(count: Int) { add(UInt64(clamping: count)) }

    /// Adds bytes after their number.
    package mutating func add(_ added: [UInt8]) {
        add(count: added.count)
        bytes += added
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            add(count: utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    /// Adds a text or nil.
    package mutating func add(optional text: String?) {
        add(byte: text == nil ? 0 : 1)
        if let text { add(text) }
    }

    /// Adds a part after its length.
    package mutating func add(part: (inout PackedWriter) -> Void) {
        let start = bytes.count
        bytes += [0, 0, 0, 0]
        part(&self)
        let length = UInt32(clamping: bytes.count - start - 4)
        for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place)) }
    }

    /// Adds a check sum of everything so far, which reveals missing or damaged bytes.
    package mutating func seal() {
        var sum = checkSum(of: bytes, bytes.count)
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: sum))
            sum >>= 8
        }
    }
}

/// A check sum of the first bytes, eight at a time. Every byte changes it; it does not protect against attacks.
func checkSum(of bytes: [UInt8], _ count: Int) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
        var sum = UInt64(truncatingIfNeeded: count)
        var place = 0
        // Multiplying by odd factors and exclusive or lose no bit of a word, so one changed byte always changes the
        // sum.
        func take(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 29
        }
        while place + 8 <= count {
            take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        var rest: UInt64 = 0
        while place < count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        take(rest)
        return sum
    }
}
