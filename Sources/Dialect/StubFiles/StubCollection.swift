public import SDJSON
import SDShorthand
public import SDStubModel

/// A JSON file with many mappings, `{"mappings": […]}`, read in parts that can be decoded on any thread.
///
/// Only for files without problems: `StubFile.read` reports problems.
public struct StubCollection: Sendable {
    /// The size in bytes from which reading in parts pays off.
    private static let minSize = 128 << 10
    /// The number of mappings in a part of a text in memory.
    private static let partSize = 256
    /// The maximum number of mappings in a part of a text that is read in blocks.
    private static let largestPart = 1024

    private let path: String
    private let text: Text
    private let idSeed: String
    private var elements: JSONElementReader
    private let partSize: Int
    private var count = 0

    /// Consecutive mappings that are not decoded yet.
    public struct Part: Sendable {
        /// The number of mappings before it in the file.
        public let start: Int
        /// The expected number of mappings in the file, extrapolated from the size of those read so far.
        public let expectedTotal: Int
        fileprivate let elements: JSONElementReader.Part
        fileprivate let idSeed: String

        /// The number of mappings.
        public var count: Int { elements.places.count }

        /// Reads the mappings, and calls `use` for each with its line, from 1.
        /// - Returns: false as soon as one causes a diagnostic, or is not in WireMock's format.
        public func readStubs(_ use: (borrowing StubMapping, _ line: Int) -> Void) -> Bool {
            StubDocument.readMappings(on: elements.tape, at: elements.places, from: start, idSeed: idSeed) {
                index, stub in
                use(stub, elements.lines[index - start])
            }
        }
    }

    /// The text of a file that is read on demand.
    public struct Text: Sendable {
        let count: Int
        let next: @Sendable (_ unused: ArraySlice<UInt8>, _ offset: Int) -> [UInt8]?
        let whole: @Sendable () -> [UInt8]

        /// Describes a text.
        /// - Parameters:
        ///   - count: its size in bytes.
        ///   - next: reads the next part from an offset, and appends it to the unused bytes; nil at the end.
        ///   - whole: reads the whole text, once a diagnostic is needed.
        public init(
            count: Int, next: @escaping @Sendable (_ unused: ArraySlice<UInt8>, _ offset: Int) -> [UInt8]?,
            whole: @escaping @Sendable () -> [UInt8]
        ) {
            self.count = count
            self.next = next
            self.whole = whole
        }

        init(_ bytes: [UInt8]) {
            self.init(count: bytes.count, next: { _, _ in nil }, whole: { bytes })
        }
    }

    /// Makes a collection; nil for a file that must be read as a whole, because it is small or has another format.
    public init?(_ bytes: [UInt8], format: StubFile.Format, path: String, idSeed: String) {
        guard format == .json, bytes.count >= Self.minSize,
            let elements = JSONElementReader(bytes, of: "mappings")
        else { return nil }
        self.init(elements, Text(bytes), path: path, idSeed: idSeed, partSize: Self.partSize)
    }

    /// Makes a collection of a file whose parts are read on demand; nil for another format, and for a file that cannot
    /// be read.
    public init?(_ text: Text, format: StubFile.Format, path: String, idSeed: String) {
        guard format == .json, let first = text.next([], 0),
            let elements = JSONElementReader(first, of: "mappings", next: text.next)
        else { return nil }
        self.init(elements, text, path: path, idSeed: idSeed, partSize: Self.largestPart)
    }

    private init(_ elements: JSONElementReader, _ text: Text, path: String, idSeed: String, partSize: Int) {
        self.partSize = partSize
        self.path = path
        self.text = text
        self.idSeed = idSeed
        self.elements = elements
    }

    /// Whether everything was read and the file is only a list of mappings. False while parts remain, for JSON that is
    /// invalid by RFC 8259, and for an object with a duplicate key.
    public var isWhole: Bool { elements.end == .document && StubDocument.isCollection(ofKeys: elements.keys) }

    /// The file without its stubs, for locating problems found later.
    public var file: ParsedStubFile {
        ParsedStubFile(path: path, format: .json, isCollection: true, text: text.whole)
    }
}

extension StubCollection: IteratorProtocol {
    public mutating func next() -> Part? {
        guard let part = elements.next(partSize) else { return nil }
        let start = count
        count += part.places.count
        let total = count.multipliedFullWidth(by: text.count)
        let expected = max(elements.position, 1).dividingFullWidth((total.high, total.low)).quotient
        return Part(start: start, expectedTotal: expected, elements: part, idSeed: idSeed)
    }
}
