/// Reads bytes in sequence, never past the end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Throws: if there are fewer bytes.
    mutating func take(_ count: Int) throws(StoreContents.Failure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .malformed("which is truncated") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A big-endian number of at most seven bytes.
    mutating func number(_ count: Int) throws(StoreContents.Failure) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    /// A field preceded by its length, a number of `count` bytes.
    mutating func counted(_ count: Int) throws(StoreContents.Failure) -> ArraySlice<UInt8> {
        try take(try number(count))
    }

    /// A Java text, preceded by its length in two bytes.
    mutating func text() throws(StoreContents.Failure) -> String {
        String(decoding: try counted(2), as: UTF8.self)
    }

    /// The content of the next DER value.
    /// - Throws: if its tag differs.
    mutating func value(_ tag: Int) throws(StoreContents.Failure) -> ByteReader {
        guard try number(1) == tag else { throw .malformed("whose key is in no form that is known") }
        let first = try number(1)
        guard first >= 0x80 else { return ByteReader(try take(first)) }
        guard (0x81...0x84).contains(first) else { throw .malformed("whose key is in no form that is known") }
        return ByteReader(try counted(first - 0x80))
    }
}
