public import SDJSON
import SDShorthand
public import SDStubModel

/// A JSON file of many mappings, `{"mappings": […]}`, of which some are read at a time, each part used by any thread.
///
/// Only files without problems are read like this: problems are reported by `StubFile.read`.
public struct StubCollection: Sendable {
    /// The size in bytes below which a file is read as quickly as a whole.
    private static let leastSize = 128 << 10
    /// The number of mappings of a text in memory that are read together.
    private static let partSize = 256
    /// The number of mappings that are read together where a block of the text does not end before.
    private static let largestPart = 1024

    private let path: String
    private let text: Text
    private let idSeed: String
    private var elements: JSONElementReader
    private let partSize: Int
    private var count = 0

    /// Some mappings in a row, not decoded yet.
    public struct Part: Sendable {
        /// The number of mappings before it in the file.
        public let start: Int
        /// The number of mappings that the file probably has, by the size of those up to here.
        public let expectedTotal: Int
        fileprivate let elements: JSONElementReader.Part
        fileprivate let idSeed: String

        /// The number of mappings.
        public var count: Int { elements.places.count }

        /// Reads the mappings, and hands each to `use` with the line on which it begins, from 1.
        /// - Returns: false as soon as there is anything to be said about one, or one is not in WireMock's form.
        public func readStubs(_ use: (borrowing StubMapping, _ line: Int) -> Void) -> Bool {
            StubDocument.readMappings(on: elements.tape, at: elements.places, from: start, idSeed: idSeed) {
                index, stub in
                use(stub, elements.lines[index - start])
            }
        }
    }

    /// The text of a file that is not in memory.
    public struct Text: Sendable {
        let count: Int
        let next: @Sendable (_ unused: ArraySlice<UInt8>, _ offset: Int) -> [UInt8]?
        let whole: @Sendable () -> [UInt8]

        /// Describes a text.
        /// - Parameters:
        ///   - count: its number of bytes.
        ///   - next: reads a part of it from an offset on, and puts it after the unused bytes right before; nil at the
        ///     end.
        ///   - whole: reads all of it, once something is to be said about it.
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

    /// Makes a collection; nil for a file that is to be read as a whole: a small one, or one of another form.
    public init?(_ bytes: [UInt8], format: StubFile.Format, path: String, idSeed: String) {
        guard format == .json, bytes.count >= Self.leastSize,
            let elements = JSONElementReader(bytes, of: "mappings")
        else { return nil }
        self.init(elements, Text(bytes), path: path, idSeed: idSeed, partSize: Self.partSize)
    }

    /// Makes a collection of a file whose parts are read when they are used; nil for one of another form, and one that
    /// cannot be read.
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

    /// Whether everything was read, and the file is a list of mappings and nothing else. False as long as there are
    /// more parts, for a text that is not valid JSON by RFC 8259, and for one with a key that stands twice in an
    /// object.
    public var isWhole: Bool { elements.end == .document && StubDocument.isCollection(ofKeys: elements.keys) }

    /// The file without its stubs, for placing problems that others find in them.
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
