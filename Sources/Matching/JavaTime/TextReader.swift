/// A position in a text that is parsed from left to right by bytes. A failed parse leaves the position unchanged.
struct TextReader {
    let text: [UInt8]
    var place = 0
    var isStrict = true
    var ignoresCase = false

    init(_ text: [UInt8]) {
        self.text = text
    }

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    var isAtEnd: Bool { place == text.count }
    var rest: ArraySlice<UInt8> { text[place...] }

    func byte(ahead: Int = 0) -> UInt8? {
        place + ahead < text.count ? text[place + ahead] : nil
    }

    func digit(ahead: Int = 0) -> Int? {
        guard let byte = byte(ahead: ahead), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }

    func starts(with wanted: String) -> Bool {
        guard text.count - place >= wanted.utf8.count else { return false }
        var at = place
        for byte in wanted.utf8 {
            guard text[at] == byte || (ignoresCase && Self.lower(text[at]) == Self.lower(byte)) else { return false }
            at += 1
        }
        return true
    }

    mutating func accept(_ wanted: String) -> Bool {
        guard starts(with: wanted) else { return false }
        place += wanted.utf8.count
        return true
    }

    mutating func twoDigits(upTo limit: Int) -> Int? {
        guard let tens = digit(), let ones = digit(ahead: 1), tens * 10 + ones <= limit else { return nil }
        place += 2
        return tens * 10 + ones
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension TextReader {
    /// Reads a zone's identifier like Java's `ZoneIdPrinterParser`, and with `style` also names in that style.
    mutating func zoneID(namedByText style: TextStyle?) -> Zone? {
        let zero = OffsetStyle(hours: .two, minutes: .always, seconds: .optional, colon: true, zero: "Z")
        if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") {
            return zero.read(&self).map { .fixed($0) }
        }
        for prefix in ["UTC", "GMT", "UT"] where starts(with: prefix) {
            // A longer region such as `GMT0` or `UTC/…` is not an offset.
            if let next = byte(ahead: prefix.utf8.count), next != UInt8(ascii: "+"), next != UInt8(ascii: "-") { break }
            place += prefix.utf8.count
            return .fixed(zero.read(&self) ?? 0)
        }
        if let style, let zone = ZoneNames.read(&self, style: style) { return zone }
        if let zone = region() { return zone }
        for prefix in ["UTC", "GMT", "UT", "Z"] where accept(prefix) { return .fixed(0) }
        return nil
    }

    /// Reads the longest region name at this position.
    mutating func region() -> Zone? {
        let name = rest.prefix(64).prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        for length in stride(from: name.count, to: 1, by: -1) {
            if let zone = ZoneFiles.shared.region(String(decoding: name.prefix(length), as: UTF8.self)) {
                place += length
                return zone
            }
        }
        return nil
    }
}
