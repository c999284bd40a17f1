/// Base64 (RFC 4648, section 4) as Java's basic decoder reads it: padding is optional, any character outside of the
/// alphabet is an error.
public enum Base64 {
    /// The reason why a text is not Base64, in Java's words.
    public struct Problem: Error, Sendable, Hashable {
        /// The reason as `java.util.Base64` words it.
        public var detail: String
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Decodes a text.
    /// - Throws: the first thing that is wrong with it.
    public static func decode(_ text: String) throws(Problem) -> [UInt8] {
        let characters = Array(text.utf8)
        if characters.isEmpty { return [] }
        guard characters.count >= 2 else {
            throw Problem(detail: "Input byte[] should at least have 2 bytes for base64 bytes")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 3)
        var pending: UInt32 = 0
        var pendingCount = 0
        var index = 0
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

    /// Encodes bytes, with padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var pending: UInt32 = 0
        var pendingCount = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            pendingCount += 1
            guard pendingCount == 3 else { continue }
            for shift in [18, 12, 6, 0] { characters.append(alphabet[Int(pending >> UInt32(shift) & 63)]) }
            pending = 0
            pendingCount = 0
        }
        switch pendingCount {
        case 1:
            characters.append(alphabet[Int(pending >> 2 & 63)])
            characters.append(alphabet[Int(pending << 4 & 63)])
            characters.append(contentsOf: "==".utf8)
        case 2:
            for shift in [10, 4] { characters.append(alphabet[Int(pending >> UInt32(shift) & 63)]) }
            characters.append(alphabet[Int(pending << 2 & 63)])
            characters.append(contentsOf: "=".utf8)
        default: break
        }
        return String(decoding: characters, as: UTF8.self)
    }

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
