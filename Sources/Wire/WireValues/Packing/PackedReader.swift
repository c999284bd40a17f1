/// Reads what a `PackedWriter` wrote. The input is untrusted: each step is checked, and no more memory is allocated
/// than there are bytes left.
package struct PackedReader {
    /// Why the bytes are invalid, as a clause.
    package struct Problem: Error, Sendable, Equatable {
        package let message: String

        package init(_ message: String) {
            self.message = message
        }

        static let short = Problem("it ends in the middle of a value")
    }

    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    package init(_ bytes: [UInt8]) {
        self.init(bytes, 0, bytes.count)
    }

    private init(_ bytes: [UInt8], _ place: Int, _ end: Int) {
        self.bytes = bytes
        self.place = place
        self.end = end
    }

    /// Reads sealed bytes.
    package init(sealed bytes: [UInt8]) throws(Problem) {
        guard bytes.count >= 8 else { throw .short }
        let count = bytes.count - 8
        let stated = bytes[count...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stated == checkSum(of: bytes, count) else { throw Problem("its check sum is wrong") }
        self.init(bytes, 0, count)
    }

    package var isAtEnd: Bool { place == end }

    /// The number of bytes left.
    package var left: Int { end - place }

    package mutating func byte() throws(Problem) -> UInt8 {
        guard place < end else { throw .short }
        defer { place += 1 }
        return bytes[place]
    }

    package mutating func number() throws(Problem) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let next = UInt64(try byte())
            guard shift < 63 || next < 2 else { break }
            value |= (next & 0x7F) << shift
            if next < 0x80 { return value }
        }
        throw Problem("a number has more than 64 bits")
    }

    /// A number below 2³².
    package mutating func word() throws(Problem) -> UInt32 {
        guard let word = UInt32(exactly: try number()) else { throw Problem("a number has more than 32 bits") }
        return word
    }

    /// The number of following values, each of which takes at least a byte.
    package mutating func count() throws(Problem) -> Int {
        let count = try number()
        guard count <= UInt64(left) else { throw Problem("it counts \(count) where \(left) bytes are left") }
        return Int(count)
    }

    /// A number of at most `most`, for which nothing is allocated.
    package mutating func count(upTo most: UInt64) throws(Problem) -> Int {
        let count = try number()
        guard count <= most else { throw Problem("\(count) is more than \(most)") }
        return Int(count)
    }

    package mutating func array() throws(Problem) -> [UInt8] {
        let count = try count()
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    package mutating func text() throws(Problem) -> String {
        let count = try count()
        defer { place += count }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }

    package mutating func optionalText() throws(Problem) -> String? {
        switch try byte() {
        case 0: nil
        case 1: try text()
        default: throw Problem("a value is neither there nor absent")
        }
    }

    /// A flag, encoded as a byte 0 or 1.
    package mutating func flag() throws(Problem) -> Bool {
        let value = try byte()
        guard value < 2 else { throw Problem("a flag is neither set nor unset") }
        return value == 1
    }

    /// The next part, with a reader of its own.
    package mutating func part() throws(Problem) -> PackedReader {
        guard left >= 4 else { throw .short }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        place += 4
        guard length <= left else { throw .short }
        defer { place += length }
        return PackedReader(bytes, place, place + length)
    }
}
