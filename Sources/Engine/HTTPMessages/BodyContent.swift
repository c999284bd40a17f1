public import HTTPTransport
public import Platform

/// The bytes of a body: in memory, or a part of a file that is too large for it and read while it is sent.
public enum BodyContent: Sendable {
    case bytes([UInt8])
    case file(OpenFile, Range<Int>)

    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
    }

    /// - Precondition: the range lies inside.
    public subscript(range: Range<Int>) -> BodyContent {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .file(let file, let whole):
            .file(file, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
        }
    }

    /// The first bytes, `count` at the most. All of bytes in memory are shared, not copied.
    public func prefix(_ count: Int) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes.count <= count ? bytes : Array(bytes.prefix(count))
        case .file(let file, let range): file.read(range.prefix(count))
        }
    }

    /// Pieces of it, as steps of one script.
    public func steps(_ pieces: [Range<Int>]) -> [WireStep] {
        switch self {
        case .bytes(let bytes):
            let shared = WireBytes(bytes)
            return pieces.map { .body(shared, $0) }
        case .file(let file, let range):
            let whole = WireFile(descriptor: file.number, owner: file, range: range)
            return pieces.map { .file(whole[$0]) }
        }
    }

    /// All of it.
    public var step: WireStep { steps([0..<count])[0] }
}
