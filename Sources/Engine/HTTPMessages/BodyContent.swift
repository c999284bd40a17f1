public import SDHTTPTransport
public import SDPlatform

/// The bytes of a body: in memory, or a range of a file that is too large for memory and is read while it is sent.
public enum BodyContent: Sendable {
    case memory(BodyBytes, Range<Int>)
    case file(OpenFile, Range<Int>)

    public static func bytes(_ bytes: [UInt8]) -> BodyContent { .memory(BodyBytes(bytes), 0..<bytes.count) }

    public static func bytes(_ bytes: BodyBytes) -> BodyContent { .memory(bytes, 0..<bytes.count) }

    public var count: Int {
        switch self {
        case .memory(_, let range), .file(_, let range): range.count
        }
    }

    /// Whether the content is in memory.
    public var isInMemory: Bool {
        if case .memory = self { true } else { false }
    }

    /// The whole bytes, if they are in memory; nil for a range of them, and for a file.
    public var wholeBytes: BodyBytes? {
        if case .memory(let bytes, let range) = self, range == 0..<bytes.count { bytes } else { nil }
    }

    /// A range of the bytes.
    /// - Precondition: the range lies within them.
    public subscript(range: Range<Int>) -> BodyContent {
        func inside(_ whole: Range<Int>) -> Range<Int> {
            (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound)
        }
        return switch self {
        case .memory(let bytes, let whole): .memory(bytes, inside(whole))
        case .file(let file, let whole): .file(file, inside(whole))
        }
    }

    /// The first `count` bytes, or all if there are fewer. If all are in memory, they are shared and not copied.
    public func prefix(_ count: Int) -> [UInt8] {
        switch self {
        case .memory(let bytes, let range):
            range.count <= count && range == 0..<bytes.count ? bytes.bytes : Array(bytes.bytes[range].prefix(count))
        case .file(let file, let range): file.read(range.prefix(count))
        }
    }

    /// The ranges as steps of a body, for one script.
    public func steps(_ pieces: [Range<Int>]) -> [WireStep] {
        switch self {
        case .memory(let bytes, let range):
            let shared = bytes.wire
            return pieces.map { .body(shared, (range.lowerBound + $0.lowerBound)..<(range.lowerBound + $0.upperBound)) }
        case .file(let file, let range):
            let whole = WireFile(descriptor: file.number, owner: file, range: range)
            return pieces.map { .file(whole[$0]) }
        }
    }

    /// All bytes as one step of a body.
    public var step: WireStep { steps([0..<count])[0] }
}
