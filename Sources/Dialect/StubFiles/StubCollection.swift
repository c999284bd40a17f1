public import SDJSON
import SDShorthand
public import SDStubModel

/// A JSON file of many mappings, `{"mappings": […]}`, of which some are read at a time, each part used by any thread.
///
/// Only files without problems are read like this: problems are reported by `StubFile.read`.
public struct StubCollection: Sendable {
    /// The size in bytes below which a file is read as quickly as a whole.
    private static let leastSize = 128 << 10
    /// The number of mappings that are read together.
    private static let partSize = 256

    private let path: String
    private let bytes: [UInt8]
    private let idSeed: String
    private var elements: JSONElementReader
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
            StubDocument.readMappings(at: start..<start + count, idSeed: idSeed) {
                elements.tape.value(at: elements.places[$0 - start])
            } use: { index, stub in
                use(stub, elements.lines[index - start])
            }
        }
    }

    /// Makes a collection; nil for a file that is to be read as a whole: a small one, or one of another form.
    public init?(_ bytes: [UInt8], format: StubFile.Format, path: String, idSeed: String) {
        guard format == .json, bytes.count >= Self.leastSize,
            let elements = JSONElementReader(bytes, of: "mappings")
        else { return nil }
        self.path = path
        self.bytes = bytes
        self.idSeed = idSeed
        self.elements = elements
    }

    /// Whether everything was read, and the file is a list of mappings and nothing else. False as long as there are
    /// more parts, for a text that is not valid JSON by RFC 8259, and for one with a key that stands twice in an
    /// object.
    public var isWhole: Bool { elements.end == .document && StubDocument.isCollection(ofKeys: elements.keys) }

    /// The file without its stubs, for placing problems that others find in them.
    public var file: ParsedStubFile {
        ParsedStubFile(path: path, format: .json, bytes: bytes, isCollection: true)
    }
}

extension StubCollection: IteratorProtocol {
    public mutating func next() -> Part? {
        guard let part = elements.next(Self.partSize) else { return nil }
        let start = count
        count += part.places.count
        let total = count.multipliedFullWidth(by: bytes.count)
        let expected = max(elements.position, 1).dividingFullWidth((total.high, total.low)).quotient
        return Part(start: start, expectedTotal: expected, elements: part, idSeed: idSeed)
    }
}
