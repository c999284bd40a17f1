import SDPlatform

/// `randomValue`, except for UUIDs: a random text over an alphabet.
struct RandomText: Sendable {
    let length: Int
    private let alphabet: [UInt8]

    /// - Throws: `RenderError` for an invalid length.
    init(_ options: CallOptions) throws(RenderError) {
        length = options.option("length")?.integer ?? 36
        guard (0...1 << 20).contains(length) else { throw RenderError("a random value of \(length) characters") }
        let letters: [UInt8] =
            switch options.text("type") ?? "ALPHANUMERIC" {
            case "ALPHANUMERIC": Self.digits + Self.letters
            case "ALPHABETIC": Self.letters
            case "NUMERIC": Self.digits
            case "HEXADECIMAL": Array("0123456789abcdef".utf8)
            case "ALPHANUMERIC_AND_SYMBOLS": Array(33...125)
            default: Array(32...126)
            }
        // The case applies to the alphabet before sampling, so that frequencies stay the same.
        alphabet = options.isSet("uppercase") ? letters.map(Self.upper) : letters.map(Self.lower)
    }

    private static let digits = Array("0123456789".utf8)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte & ~0x20 : byte }
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The minimum time that it takes, in nanoseconds.
    var cost: Int { 30 * length }

    /// Writes a random letter for each position, in order.
    func write(_ system: any RenderSystem, to output: inout [UInt8]) {
        let count = UInt64(alphabet.count)
        for _ in 0..<length { output.append(alphabet[Int(truncatingIfNeeded: system.random() % count)]) }
    }

    func text(_ system: any RenderSystem) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(length)
        write(system, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// `randomInt`.
struct RandomInteger: Sendable {
    private let lower: Int
    /// The distance may exceed the range of `Int`.
    private let distance: UInt64

    /// - Throws: `RenderError` for an empty range.
    init(_ options: CallOptions) throws(RenderError) {
        lower = options.option("lower")?.integer ?? Int(Int32.min)
        let upper = options.option("upper")?.integer ?? Int(Int32.max)
        guard lower < upper else { throw RenderError("bound must be greater than origin") }
        distance = UInt64(bitPattern: Int64(upper &- lower))
    }

    func sample(_ system: any RenderSystem) -> Int {
        lower &+ Int(truncatingIfNeeded: system.random() % distance)
    }
}

/// A random version 4 UUID.
enum RandomUUID {
    static func write(_ system: any RenderSystem, to output: inout [UInt8], uppercase: Bool = false) {
        // Byte 6 holds the version, byte 8 the variant; words are little-endian.
        let first = system.random() & ~(0xF0 << 48) | 0x40 << 48
        let second = system.random() & ~0xC0 | 0x80
        let letter: UInt8 = (uppercase ? 0x41 : 0x61) - 10
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : letter + value }
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { output.append(UInt8(ascii: "-")) }
            let byte = UInt8(truncatingIfNeeded: (index < 8 ? first : second) >> UInt64(index % 8 * 8))
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
    }

    static func text(_ system: any RenderSystem, uppercase: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        write(system, to: &text, uppercase: uppercase)
        return String(decoding: text, as: UTF8.self)
    }
}
