import JSON
public import StubModel

/// A JSON file of many mappings, `{"mappings": […]}`, of which a few are read at a time, on any thread.
///
/// Reads the good files: of one that there is anything to be said about, `StubFile.read` says it.
public struct StubCollection: Sendable {
    /// Smaller files are read as quickly as a whole.
    private static let leastSize = 128 << 10

    private let path: String
    private let bytes: [UInt8]
    private let idSeed: String
    private let tape: JSONTape
    /// Where each mapping stands on the tape.
    private let places: [Int]
    /// On which each begins, from 1.
    private let lines: [Int]

    public var count: Int { places.count }

    /// Nil for a file that is to be read as a whole: a small one, one of another form, one that is not valid JSON by
    /// RFC 8259, and one with a key that stands twice in an object.
    public init?(_ bytes: [UInt8], format: StubFile.Format, path: String, idSeed: String) {
        guard format == .json, bytes.count >= Self.leastSize, let tape = JSONTape(bytes[...]),
            let mappings = tape.member("mappings", of: 0), tape.entries[mappings].kind == .array,
            StubDocument.isCollection(ofKeys: tape.keys(of: 0))
        else { return nil }
        self.path = path
        self.bytes = bytes
        self.idSeed = idSeed
        self.tape = tape
        places = tape.elements(of: mappings)
        lines = tape.lines(of: places)
    }

    /// The mappings at these places, in the order of the file; nil where there is anything to be said about one, or where one
    /// is not in WireMock's form.
    public func stubs(at range: Range<Int>) -> [StubMapping]? {
        StubDocument.mappings(at: range, idSeed: idSeed) { tape.value(at: places[$0]) }
    }

    /// The lines on which the mappings at these places begin, from 1.
    public func lines(at range: Range<Int>) -> [Int] { Array(lines[range]) }

    /// The file without its stubs, to place what others find wrong with them.
    public var file: ParsedStubFile {
        ParsedStubFile(path: path, format: .json, bytes: bytes, isCollection: true)
    }
}
