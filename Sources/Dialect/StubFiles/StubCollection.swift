import JSON
import Shorthand
public import StubModel

/// A JSON file of many mappings, `{"mappings": […]}`, of which some are read at a time, on any thread.
///
/// Only files without problems are read like this: problems are reported by `StubFile.read`.
public struct StubCollection: Sendable {
    /// The size in bytes below which a file is read as quickly as a whole.
    private static let leastSize = 128 << 10

    private let path: String
    private let bytes: [UInt8]
    private let idSeed: String
    private let tape: JSONTape
    /// The place of each mapping on the tape.
    private let places: [Int]
    /// The line on which each mapping begins, from 1.
    private let lines: [Int]

    public var count: Int { places.count }

    /// Makes a collection; nil for a file that must be read as a whole: a small one, one of another form, one that is
    /// not valid JSON by RFC 8259, and one with a repeated key in an object.
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

    /// The mappings in a range, in the order of the file; nil if one has a problem or is not in WireMock's form.
    public func stubs(at range: Range<Int>) -> [StubMapping]? {
        StubDocument.mappings(at: range, idSeed: idSeed) { tape.value(at: places[$0]) }
    }

    /// The lines on which the mappings in a range begin, from 1.
    public func lines(at range: Range<Int>) -> [Int] { Array(lines[range]) }

    /// The file without its stubs, for placing problems that others find in them.
    public var file: ParsedStubFile {
        ParsedStubFile(path: path, format: .json, bytes: bytes, isCollection: true)
    }
}
