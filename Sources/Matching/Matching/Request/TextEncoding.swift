import SDBasics
import SDPlatform

/// The supported character encodings of request bodies. Matching uses UTF-8.
public enum TextEncoding: Sendable {
    case utf8, latin1, latin9, windows1252, ascii
    case utf16, utf16LittleEndian, utf16BigEndian, utf32, utf32LittleEndian, utf32BigEndian

    /// The encoding by the `charset` of a Content-Type; UTF-8 if it is missing or unknown.
    init(contentType: ArraySlice<UInt8>?) {
        self = TextEncoding(charsetOf: contentType) ?? .utf8
    }

    /// The encoding by the `charset` of a Content-Type; UTF-8 if it is missing, nil if it is unknown.
    public init?(charsetOf contentType: ArraySlice<UInt8>?) {
        let name = contentType.flatMap { HeaderParameters.value("charset", in: $0) }
        guard let name else {
            self = .utf8
            return
        }
        let encoding: TextEncoding? =
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "utf-8", "utf8": .utf8
            case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1": .latin1
            case "iso-8859-15", "iso8859-15", "iso_8859-15", "latin9", "latin-9": .latin9
            case "windows-1252", "cp1252": .windows1252
            case "us-ascii", "ascii", "iso646-us": .ascii
            case "utf-16", "utf16": .utf16
            case "utf-16le": .utf16LittleEndian
            case "utf-16be": .utf16BigEndian
            case "utf-32", "utf32": .utf32
            case "utf-32le": .utf32LittleEndian
            case "utf-32be": .utf32BigEndian
            default: nil
            }
        guard let encoding else { return nil }
        self = encoding
    }

    /// The minimum time for decoding, in nanoseconds per byte.
    static let nanosecondsAByte = 3

    /// Whether bytes in this encoding are also UTF-8, so that nothing has to be decoded.
    func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .utf8: true
        case .latin1, .latin9, .windows1252, .ascii: bytes.isASCII
        case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian: bytes.isEmpty
        }
    }

    /// The text in UTF-8. Invalid bytes become U+FFFD.
    public func utf8(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if isUTF8(bytes) { return bytes }
        switch self {
        case .utf8: return bytes
        case .latin1: return Self.text(bytes) { UInt32($0) }
        case .latin9: return Self.text(bytes) { Self.latin9($0) }
        case .ascii: return Self.text(bytes) { $0 < 0x80 ? UInt32($0) : 0xFFFD }
        case .windows1252:
            let upper = Self.upper
            return Self.text(bytes) { (0x80...0x9F).contains($0) ? upper[Int($0 - 0x80)] : UInt32($0) }
        case .utf16:
            if bytes.starts(with: [0xFF, 0xFE]) { return Self.utf16(bytes.dropFirst(2), bigEndian: false) }
            return Self.utf16(bytes.starts(with: [0xFE, 0xFF]) ? bytes.dropFirst(2) : bytes, bigEndian: true)
        case .utf16LittleEndian: return Self.utf16(bytes, bigEndian: false)
        case .utf16BigEndian: return Self.utf16(bytes, bigEndian: true)
        case .utf32:
            if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return Self.utf32(bytes.dropFirst(4), bigEndian: false) }
            return Self.utf32(bytes.starts(with: [0, 0, 0xFE, 0xFF]) ? bytes.dropFirst(4) : bytes, bigEndian: true)
        case .utf32LittleEndian: return Self.utf32(bytes, bigEndian: false)
        case .utf32BigEndian: return Self.utf32(bytes, bigEndian: true)
        }
    }

    // MARK: - Decoding

    /// Decodes a single-byte encoding.
    private static func text(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> ArraySlice<UInt8> {
        let bytes = bytes.span
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for index in bytes.indices { append(scalar(bytes[index]), to: &text) }
        return text[...]
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> ArraySlice<UInt8> {
        let bytes = bytes.span
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2 * 3 + 3)
        /// The high surrogate of a pair, whose low one may follow.
        var high: UInt32?
        for index in 0..<bytes.count / 2 {
            let (first, second) = (UInt32(bytes[2 &* index]), UInt32(bytes[2 &* index &+ 1]))
            let unit = bigEndian ? first << 8 | second : second << 8 | first
            if let half = high {
                high = nil
                if (0xDC00..<0xE000).contains(unit) {
                    append(0x1_0000 &+ (half & 0x3FF) << 10 &+ (unit & 0x3FF), to: &text)
                    continue
                }
                append(half, to: &text)
            }
            if (0xD800..<0xDC00).contains(unit) { high = unit } else { append(unit, to: &text) }
        }
        if let high { append(high, to: &text) }
        if !bytes.count.isMultiple(of: 2) { append(0xFFFD, to: &text) }
        return text[...]
    }

    private static func utf32(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> ArraySlice<UInt8> {
        let bytes = bytes.span
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 3)
        for index in 0..<bytes.count / 4 {
            var number: UInt32 = 0
            for place in 0..<4 { number = number << 8 | UInt32(bytes[4 &* index &+ (bigEndian ? place : 3 &- place)]) }
            append(number, to: &text)
        }
        if !bytes.count.isMultiple(of: 4) { append(0xFFFD, to: &text) }
        return text[...]
    }

    /// Appends a scalar in UTF-8; U+FFFD for an invalid number.
    @inline(__always)
    private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        func lead(_ mark: UInt8, _ shift: UInt32) -> UInt8 { mark | UInt8(truncatingIfNeeded: scalar >> shift) }
        switch scalar {
        case ..<0x80: text.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            text.append(lead(0xC0, 6))
            text.append(tail(0))
        case 0xD800..<0xE000, 0x11_0000...:
            text.append(0xEF)
            text.append(0xBF)
            text.append(0xBD)
        case ..<0x1_0000:
            text.append(lead(0xE0, 12))
            text.append(tail(6))
            text.append(tail(0))
        default:
            text.append(lead(0xF0, 18))
            text.append(tail(12))
            text.append(tail(6))
            text.append(tail(0))
        }
    }

    /// A character in ISO 8859-15, which differs from ISO 8859-1 in eight.
    private static func latin9(_ byte: UInt8) -> UInt32 {
        switch byte {
        case 0xA4: 0x20AC
        case 0xA6: 0x160
        case 0xA8: 0x161
        case 0xB4: 0x17D
        case 0xB8: 0x17E
        case 0xBC: 0x152
        case 0xBD: 0x153
        case 0xBE: 0x178
        default: UInt32(byte)
        }
    }

    /// The characters from 0x80 to 0x9F, which are controls in ISO 8859-1.
    private static let upper: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
