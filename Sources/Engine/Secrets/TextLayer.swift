import SDPlatform

/// The ways of escaping a text within another.
enum Escape: CaseIterable {
    /// `%20`, and `+` for a space.
    case percent
    /// `\"`, `\n` and `\u0041`.
    case backslash
    /// `&lt;` and `&#65;`.
    case entity

    static let ofNames: [Escape] = [.percent, .backslash, .entity]
}

/// An unescaped text, with the origin of each of its bytes in the escaped one.
struct TextLayer {
    private(set) var bytes: [UInt8] = []
    /// The starts of runs that are contiguous in both texts: in this one, and in the original.
    private var starts: [Int32] = []
    private var origins: [Int32] = []
    /// The number of original bytes for one byte of a run.
    private var stride = 1
    private var next = -1

    private mutating func append(_ byte: UInt8, at origin: Int) {
        if origin != next {
            starts.append(Int32(truncatingIfNeeded: bytes.count))
            origins.append(Int32(truncatingIfNeeded: origin))
        }
        bytes.append(byte)
        next = origin + stride
    }

    private mutating func end(at origin: Int) {
        starts.append(Int32(truncatingIfNeeded: bytes.count))
        origins.append(Int32(truncatingIfNeeded: origin))
    }

    /// The index in the original text of a byte of this one, or of its end.
    func origin(_ index: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= index { low = middle } else { high = middle }
        }
        return Int(origins[low]) + (index - Int(starts[low])) * stride
    }

    func origin(_ range: Range<Int>) -> Range<Int> {
        let start = origin(range.lowerBound)
        return start..<max(origin(range.upperBound), start)
    }

    // MARK: Escapes

    /// The text without escapes of one kind; nil if it has none.
    init?(_ text: ArraySlice<UInt8>, _ escape: Escape) {
        guard text.count < Int(Int32.max) else { return nil }
        let sign: UInt8 =
            switch escape {
            case .percent: UInt8(ascii: "%")
            case .backslash: UInt8(ascii: "\\")
            case .entity: UInt8(ascii: "&")
            }
        let hasPlus = escape == .percent && text.contains(UInt8(ascii: "+"))
        guard hasPlus || text.contains(sign) else { return nil }
        bytes.reserveCapacity(text.count)
        var isChanged = false
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == sign, let (units, length) = Self.unescaped(text, index, escape) {
                for unit in units { append(unit, at: index) }
                next = -1
                index += length
                isChanged = true
            } else if byte == UInt8(ascii: "+"), hasPlus {
                append(UInt8(ascii: " "), at: index)
                index += 1
                isChanged = true
            } else {
                append(byte, at: index)
                index += 1
            }
        }
        guard isChanged else { return nil }
        end(at: text.endIndex)
    }

    /// The bytes that an escape stands for, and its length; nil for none.
    private static func unescaped(_ text: ArraySlice<UInt8>, _ index: Int, _ escape: Escape) -> ([UInt8], Int)? {
        switch escape {
        case .percent:
            return number(text, index + 1, digits: 2).map { ([UInt8($0)], 3) }
        case .backslash:
            guard index + 1 < text.endIndex else { return nil }
            switch text[index + 1] {
            case UInt8(ascii: "n"): return ([0x0A], 2)
            case UInt8(ascii: "r"): return ([0x0D], 2)
            case UInt8(ascii: "t"): return ([0x09], 2)
            case UInt8(ascii: "b"), UInt8(ascii: "f"): return ([0x20], 2)
            case UInt8(ascii: "x"): return number(text, index + 2, digits: 2).map { (scalar($0), 4) }
            case UInt8(ascii: "u"):
                guard let unit = number(text, index + 2, digits: 4) else { return nil }
                if (0xD800..<0xDC00).contains(unit), index + 7 < text.endIndex, text[index + 6] == UInt8(ascii: "\\"),
                    text[index + 7] == UInt8(ascii: "u"), let low = number(text, index + 8, digits: 4),
                    (0xDC00..<0xE000).contains(low)
                {
                    return (scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)), 12)
                }
                return (scalar(unit), 6)
            case let byte where byte > 0x20: return ([byte], 2)
            default: return nil
            }
        case .entity:
            let name = text[(index + 1)...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"), !name.isEmpty else {
                return nil
            }
            let length = name.count + 2
            switch String(decoding: name, as: UTF8.self) {
            case "lt": return ([UInt8(ascii: "<")], length)
            case "gt": return ([UInt8(ascii: ">")], length)
            case "amp": return ([UInt8(ascii: "&")], length)
            case "quot": return ([UInt8(ascii: "\"")], length)
            case "apos": return ([UInt8(ascii: "'")], length)
            case let text where text.hasPrefix("#x") || text.hasPrefix("#X"):
                return UInt32(text.dropFirst(2), radix: 16).map { (scalar($0), length) }
            case let text where text.hasPrefix("#"): return UInt32(text.dropFirst()).map { (scalar($0), length) }
            default: return nil
            }
        }
    }

    private static func number(_ text: ArraySlice<UInt8>, _ start: Int, digits: Int) -> UInt32? {
        guard start + digits <= text.endIndex else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + digits) {
            guard let digit = PercentEncoding.hexadecimalValue(text[index]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func scalar(_ value: UInt32) -> [UInt8] {
        Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
    }

    // MARK: Parts

    /// The concatenation of ranges of a text, separated by line feeds.
    init(_ text: [UInt8], pieces: [Range<Int>]) {
        for (number, piece) in pieces.enumerated() {
            for index in piece { append(text[index], at: index) }
            if number < pieces.count - 1 {
                next = -1
                append(0x0A, at: piece.upperBound)
                next = -1
            }
        }
        end(at: pieces.last?.upperBound ?? 0)
    }

    // MARK: Wide characters

    /// The decoded text of UTF-16 or UTF-32.
    init?(_ text: ArraySlice<UInt8>, _ encoding: WideEncoding) {
        guard text.count < Int(Int32.max) else { return nil }
        let width = encoding.width
        stride = width
        bytes.reserveCapacity(text.count / width)
        func unit(_ index: Int) -> UInt32 {
            var value: UInt32 = 0
            for place in 0..<width {
                let byte = UInt32(text[index + (encoding.isLittle ? width - 1 - place : place)])
                value = value << 8 | byte
            }
            return value
        }
        var index = text.startIndex
        while index + width <= text.endIndex {
            var value = unit(index)
            var length = width
            if width == 2, (0xD800..<0xDC00).contains(value), index + 4 <= text.endIndex {
                let low = unit(index + 2)
                if (0xDC00..<0xE000).contains(low) {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    length = 4
                }
            }
            if value < 0x80 {
                append(UInt8(value), at: index)
            } else {
                for byte in Self.scalar(value) {
                    next = -1
                    append(byte, at: index)
                }
                next = -1
            }
            index += length
        }
        end(at: index)
    }
}

/// An encoding with several bytes per character, some of them zero.
enum WideEncoding: Sendable, Hashable {
    case utf16(isLittle: Bool)
    case utf32(isLittle: Bool)

    var width: Int { if case .utf16 = self { 2 } else { 4 } }

    var isLittle: Bool {
        switch self {
        case .utf16(let isLittle), .utf32(let isLittle): isLittle
        }
    }

    /// The encoding, judging by a byte order mark, a charset, or zeros between the first characters.
    init?(_ text: ArraySlice<UInt8>, charset: String?) {
        let start = Array(text.prefix(4))
        guard start.count >= 2 else { return nil }
        let charset = charset?.lowercased() ?? ""
        let isWide = charset.hasPrefix("utf-16") || charset.hasPrefix("utf16") || charset.hasPrefix("ucs-2")
        switch (start[0], start[1]) {
        case (0xFF, 0xFE):
            let isUTF32 = start.count == 4 && start[2] == 0 && start[3] == 0
            self = isUTF32 ? .utf32(isLittle: true) : .utf16(isLittle: true)
        case (0xFE, 0xFF): self = .utf16(isLittle: false)
        default:
            let zeros = start.map { $0 == 0 }
            switch zeros {
            case [false, true, true, true]: self = .utf32(isLittle: true)
            case [true, true, true, false], [true, true, false, false]: self = .utf32(isLittle: false)
            case [false, true, false, true]: self = .utf16(isLittle: true)
            case [true, false, true, false]: self = .utf16(isLittle: false)
            default:
                guard isWide else { return nil }
                self = .utf16(isLittle: charset.hasSuffix("le") || (!charset.hasSuffix("be") && start[1] == 0))
            }
        }
    }

    /// ASCII text in this encoding.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: width - 1)
        return text.flatMap { isLittle ? [$0] + zeros : zeros + [$0] }
    }
}
