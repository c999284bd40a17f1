/// The fields of a head as lines, each with its line end. Names and values cannot end a line or forge another field.
package struct FieldLines: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(1024)
    }

    /// Adds a field unchanged.
    package mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        guard !name.isEmpty else { return }
        let start = bytes.count
        bytes += name
        endName(from: start)
        if value.contains(where: { !Self.isBlank($0) }) {
            bytes.append(0x20)
            let start = bytes.count
            bytes += value
            endText(from: start)
        }
        endLine()
    }

    /// Adds a field in ISO-8859-1, or in UTF-8 if it has other characters.
    package mutating func add(_ name: String, _ value: String) {
        guard !name.isEmpty else { return }
        let start = bytes.count
        append(name)
        endName(from: start)
        if value.utf8.contains(where: { !Self.isBlank($0) }) {
            bytes.append(0x20)
            append(value)
        }
        endLine()
    }

    mutating func endLine() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    /// Adds text that is not a field.
    mutating func append(line text: String) {
        bytes += text.utf8
    }

    mutating func append(_ lines: FieldLines) {
        bytes += lines.bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func append(_ text: String) {
        let start = bytes.count
        if text.utf8.allSatisfy({ $0 < 0x80 }) || text.unicodeScalars.contains(where: { $0.value > 0xFF }) {
            bytes += text.utf8
        } else {
            bytes += text.unicodeScalars.lazy.map { UInt8(truncatingIfNeeded: $0.value) }
        }
        endText(from: start)
    }

    /// Replaces characters in a name that would start another field, and ends the name.
    private mutating func endName(from start: Int) {
        for index in start..<bytes.count {
            switch bytes[index] {
            case 0x3A, 0x3B, 0x20, 0x00, 0x0D, 0x0A: bytes[index] = 0x3F
            default: break
            }
        }
        bytes.append(0x3A)
    }

    /// Replaces characters that would end the line by spaces.
    private mutating func endText(from start: Int) {
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == 0 || byte == 0x0D || byte == 0x0A { bytes[index] = 0x20 }
        }
    }
}

/// Compares field names, ignoring case.
package enum FieldName {
    /// - Parameter other: in lower case.
    package static func `is`(_ name: String, _ other: StaticString) -> Bool {
        guard name.utf8.count == other.utf8CodeUnitCount else { return false }
        return isSame(name.utf8, other)
    }

    /// - Parameter other: in lower case.
    package static func `is`(_ name: ArraySlice<UInt8>, _ other: StaticString) -> Bool {
        guard name.count == other.utf8CodeUnitCount else { return false }
        return isSame(name, other)
    }

    /// - Precondition: both have the same length.
    private static func isSame(_ name: some Sequence<UInt8>, _ other: StaticString) -> Bool {
        var place = other.utf8Start
        for byte in name {
            let isCapital = byte &- 0x41 < 26
            if (isCapital ? byte | 0x20 : byte) != place.pointee { return false }
            place += 1
        }
        return true
    }
}
