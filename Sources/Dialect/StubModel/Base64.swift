import SDBasics

/// Base64 (RFC 4648, section 4) as decoded by Java's basic decoder: padding is optional, and any character outside of
/// the alphabet is an error.
public enum Base64 {
    /// Why a text is not Base64, in Java's words.
    public struct Problem: Error, Sendable, Hashable {
        /// The message of `java.util.Base64`.
        public var detail: String
    }

    /// Decodes a text.
    /// - Throws: the first problem of the text.
    public static func decode(_ text: String) throws(Problem) -> [UInt8] {
        let characters = Array(text.utf8)
        if characters.isEmpty { return [] }
        guard characters.count >= 2 else {
            throw Problem(detail: "Input byte[] should at least have 2 bytes for base64 bytes")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 3)
        var index = decodeGroups(of: characters, into: &bytes)
        var pending: UInt32 = 0
        var pendingCount = 0
        while index < characters.count, characters[index] != UInt8(ascii: "=") {
            guard let value = value(of: characters[index]) else {
                throw Problem(detail: "Illegal base64 character \(String(characters[index], radix: 16))")
            }
            pending = pending << 6 | UInt32(value)
            pendingCount += 1
            index += 1
            if pendingCount == 4 {
                bytes.append(UInt8(truncatingIfNeeded: pending >> 16))
                bytes.append(UInt8(truncatingIfNeeded: pending >> 8))
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending = 0
                pendingCount = 0
            }
        }
        let padding = characters.count - index
        switch (pendingCount, padding) {
        case (0, 0): break
        case (2, 0), (2, 2): bytes.append(UInt8(truncatingIfNeeded: pending >> 4))
        case (3, 0), (3, 1):
            bytes.append(UInt8(truncatingIfNeeded: pending >> 10))
            bytes.append(UInt8(truncatingIfNeeded: pending >> 2))
        case (1, 0): throw Problem(detail: "Last unit does not have enough valid bits")
        case (2, 1), (0, 1...), (1, 1...):
            throw Problem(detail: "Input byte array has wrong 4-byte ending unit")
        default: throw Problem(detail: "Input byte array has incorrect ending byte at \(index + 4 - pendingCount)")
        }
        guard characters[index...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            throw Problem(detail: "Input byte array has wrong 4-byte ending unit")
        }
        return bytes
    }

    /// Decodes the longest prefix of complete groups of four characters without padding.
    /// - Returns: the number of characters.
    private static func decodeGroups(of characters: [UInt8], into bytes: inout [UInt8]) -> Int {
        let values = values
        var index = 0
        while index + 4 <= characters.count {
            let (first, second) = (values[Int(characters[index])], values[Int(characters[index + 1])])
            let (third, fourth) = (values[Int(characters[index + 2])], values[Int(characters[index + 3])])
            guard (first | second | third | fourth) & 0xC0 == 0 else { break }
            bytes.append(first << 2 | second >> 4)
            bytes.append(second << 4 | third >> 2)
            bytes.append(third << 6 | fourth)
            index += 4
        }
        return index
    }

    /// The values of all bytes; 255 outside of the alphabet.
    private static let values = (0...255).map { value(of: $0) ?? 255 }

    /// Encodes bytes, with padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String { base64(bytes) }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
