import SDBytes

/// The supported character encodings of a request's body. Everything is matched as UTF-8.
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

    /// The text in UTF-8. Bytes that are invalid in this encoding become U+FFFD.
    public func utf8(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if bytes.isASCII, [.utf8, .latin1, .latin9, .ascii, .windows1252].contains(self) { return bytes }
        switch self {
        case .utf8: return bytes
        case .latin1: return Self.text(bytes.lazy.map { Unicode.Scalar($0) })
        case .latin9: return Self.text(bytes.lazy.map { Self.latin9Letters[$0] ?? Unicode.Scalar($0) })
        case .ascii: return Self.text(bytes.lazy.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" })
        case .windows1252: return Self.text(bytes.lazy.map { Self.windows1252($0) })
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

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> ArraySlice<UInt8> {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return Array(String(view).utf8)[...]
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> ArraySlice<UInt8> {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes
        while let first = rest.popFirst() {
            guard let second = rest.popFirst() else {
                units.append(0xFFFD)
                break
            }
            units.append(bigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }

    private static func utf32(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> ArraySlice<UInt8> {
        let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4)
        return text(
            starts.lazy.map { start in
                let unit = bytes[start..<min(start + 4, bytes.endIndex)]
                guard unit.count == 4 else { return "\u{FFFD}" }
                let number: UInt32 =
                    bigEndian
                    ? unit.reduce(0) { $0 << 8 | UInt32($1) } : unit.reversed().reduce(0) { $0 << 8 | UInt32($1) }
                return Unicode.Scalar(number) ?? "\u{FFFD}"
            })
    }

    /// The bytes that differ between ISO 8859-15 and ISO 8859-1.
    private static let latin9Letters: [UInt8: Unicode.Scalar] = [
        0xA4: "\u{20AC}", 0xA6: "\u{160}", 0xA8: "\u{161}", 0xB4: "\u{17D}", 0xB8: "\u{17E}", 0xBC: "\u{152}",
        0xBD: "\u{153}", 0xBE: "\u{178}",
    ]

    /// The bytes from 0x80 to 0x9F, which are control characters in ISO 8859-1.
    private static let upper: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upper[Int(byte - 0x80)]) ?? "\u{FFFD}"
    }
}
