public import HTTPTransport
public import Platform

/// The bytes of a body: in memory, or in a part of a file that is too large for memory and is read while it is sent.
public enum BodyContent: Sendable {
    case bytes([UInt8])
    case file(OpenFile, Range<Int>)

    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
    }

    /// A part of the bytes.
    /// - Precondition: the range lies within them.
    public subscript(range: Range<Int>) -> BodyContent {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .file(let file, let whole):
            .file(file, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
        }
    }

    /// The first `count` bytes, or all if there are fewer. If all are in memory, they are shared and not copied.
    public func prefix(_ count: Int) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes.count <= count ? bytes : Array(bytes.prefix(count))
        case .file(let file, let range): file.read(range.prefix(count))
        }
    }

    /// The ranges as pieces of the body, for one script.
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

    /// All bytes as one piece of the body.
    public var step: WireStep { steps([0..<count])[0] }
}
