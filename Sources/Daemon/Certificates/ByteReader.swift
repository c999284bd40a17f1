/// Reads the bytes of a store one after another, and never past their end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Throws: if there are not as many.
    mutating func take(_ count: Int) throws(StoreContents.Failure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .malformed("which ends before what it promises") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number of at most seven bytes, the highest first.
    mutating func number(_ count: Int) throws(StoreContents.Failure) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    /// What follows its own length, a number of so many bytes.
    mutating func counted(_ count: Int) throws(StoreContents.Failure) -> ArraySlice<UInt8> {
        try take(try number(count))
    }

    /// Text of Java's, behind its length in two bytes.
    mutating func text() throws(StoreContents.Failure) -> String {
        String(decoding: try counted(2), as: UTF8.self)
    }

    /// The content of the value that comes, in DER.
    /// - Throws: if it is of another kind.
    mutating func value(_ tag: Int) throws(StoreContents.Failure) -> ByteReader {
        guard try number(1) == tag else { throw .malformed("whose key is in no form that is known") }
        let first = try number(1)
        guard first >= 0x80 else { return ByteReader(try take(first)) }
        guard (0x81...0x84).contains(first) else { throw .malformed("whose key is in no form that is known") }
        return ByteReader(try counted(first - 0x80))
    }
}
