extension JSONTape {
    /// The whole document as a tree.
    public var value: JSONValue { value(at: 0) }

    /// The value at `place` as the tree that the parser would have built.
    public func value(at place: Int) -> JSONValue {
        switch entries[place].kind {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(number(at: place))
        case .string: .string(text(at: place))
        case .array: array(at: place)
        case .object: object(at: place)
        }
    }

    /// The value of a string, with escapes decoded.
    public func text(at place: Int) -> String {
        let entry = entries[place]
        guard entry.hasEscapes else { return plainText(entry.range) }
        return Self.text(of: entry, in: bytes.span)
    }

    /// The number at `place`, with its exact text.
    public func number(at place: Int) -> JSONNumber {
        JSONNumber(validText: plainText(entries[place].range))
    }

    private func plainText(_ range: Range<Int>) -> String {
        let start = bytes.startIndex
        return String(decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self)
    }

    @inline(never)
    private func array(at place: Int) -> JSONValue {
        var elements: [JSONValue] = []
        elements.reserveCapacity(entries[place].count)
        var child = place + 1
        for _ in 0..<entries[place].count {
            elements.append(value(at: child))
            child = next(after: child)
        }
        return .array(elements)
    }

    @inline(never)
    private func object(at place: Int) -> JSONValue {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(entries[place].count)
        var name = place + 1
        for _ in 0..<entries[place].count {
            members.append(JSONObject.Member(key: text(at: name), value: value(at: name + 1)))
            name = next(after: name + 1)
        }
        return .object(JSONObject(distinct: members))
    }
}

extension JSONTape.Entry {
    /// The number, if its text is an integer of up to 18 digits. `bytes` are those of the tape.
    public func smallInteger(in bytes: Span<UInt8>) -> Int? {
        var range = range
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        if isNegative { range = range.lowerBound &+ 1..<range.upperBound }
        guard range.count <= 18 else { return nil }
        var value = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return isNegative ? -value : value
    }
}

// MARK: - Escapes

extension JSONTape {
    static func text(of entry: Entry, in bytes: Span<UInt8>) -> String {
        // No escape is shorter than its character.
        String(unsafeUninitializedCapacity: entry.range.count) { text in
            var count = 0
            var place = entry.range.lowerBound
            while place < entry.range.upperBound {
                if bytes[place] == UInt8(ascii: "\\") {
                    let scalar = escaped(in: bytes, at: &place)
                    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        text[count] = unit
                        count += 1
                    }
                } else {
                    text[count] = bytes[place]
                    place += 1
                    count += 1
                }
            }
            return count
        }
    }

    /// Decodes an escape, or two that form a surrogate pair. A lone surrogate becomes U+FFFD.
    static func escaped(in bytes: Span<UInt8>, at place: inout Int) -> Unicode.Scalar {
        let letter = bytes[place + 1]
        place += 2
        switch letter {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return Unicode.Scalar(letter)
        }
        let first = fourHexDigits(in: bytes, at: place)
        place += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let second = fourHexDigits(in: bytes, at: place + 2)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return "\u{FFFD}" }
        place += 6
        return scalar
    }

    private static func fourHexDigits(in bytes: Span<UInt8>, at place: Int) -> UInt32 {
        var value: UInt32 = 0
        for place in place..<place + 4 { value = value << 4 | UInt32(hexDigit(bytes[place]) ?? 0) }
        return value
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        if JSONNumber.isDigit(byte) { return byte - UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
