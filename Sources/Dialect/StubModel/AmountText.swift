package import SDJSON

/// Parses sizes and rates with units: `3KB`, `64KiB`; `3KB/s`, `2Mbit/s`.
package enum AmountText {
    package static let expectedSize = "a number of bytes, or a size with its unit, such as 3KB or 64KiB"
    package static let expectedRate = "a rate with its unit, such as 500B/s, 3KB/s, 1MiB/s or 2Mbit/s"

    // Longer units first, because a unit may end with another.
    private static let units: [(suffix: String, bytes: Double)] = [
        ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1e3), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9),
        ("kbit", 125), ("Kbit", 125), ("Mbit", 125_000), ("Gbit", 125e6), ("bit", 0.125), ("B", 1),
    ]

    /// The maximum size: 1 TiB.
    private static let most = 1 << 40

    private static func bytes(_ text: String) -> Int? {
        let text = text.trimmingBlanks
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = String(text.dropLast(unit.suffix.count)).trimmingBlanks
        guard let number = JSONNumber(text: digits)?.doubleValue, number >= 0 else { return nil }
        let bytes = (number * unit.bytes).rounded()
        return bytes <= Double(most) ? Int(bytes) : nil
    }

    /// Reads a size of at least `least` bytes.
    package static func readSize(_ value: JSONValue, atLeast least: Int, _ reader: inout ModelReader) -> Int? {
        if let size = value.intValue ?? value.stringValue.flatMap(bytes), (least...most).contains(size) { return size }
        reader.report(
            detail: nil, message: "not a size", expected: expectedSize + (least > 0 ? ", at least \(least)" : ""),
            found: value.shortDescription)
        return nil
    }

    /// Reads a rate of at least one byte per second.
    package static func readRate(_ value: JSONValue, _ reader: inout ModelReader) -> ByteRate? {
        if let text = value.stringValue?.trimmingBlanks, text.hasSuffix("/s"),
            let bytes = bytes(String(text.dropLast(2))), bytes > 0
        {
            return ByteRate(bytesPerSecond: bytes)
        }
        var suggestion: String?
        if let text = value.stringValue, bytes(text) ?? 0 > 0 { suggestion = text.trimmingBlanks + "/s" }
        if let number = value.numberValue, (number.intValue ?? 0) > 0 { suggestion = number.text + "B/s" }
        reader.report(
            detail: nil, message: "not a rate", expected: expectedRate, found: value.shortDescription,
            suggestion: suggestion)
        return nil
    }
}
