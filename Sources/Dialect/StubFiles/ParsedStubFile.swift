import JSON
public import StubModel
import YAML

/// The stubs of one file, and what is to be said about it.
public struct ParsedStubFile: Sendable {
    public let path: String
    public let format: StubFile.Format
    private let bytes: [UInt8]
    /// In the order in which they have to be inserted; empty if there is any error.
    public internal(set) var stubs: [StubMapping] = []
    /// Where each of `stubs` stands in the file.
    public internal(set) var origins: [StubOrigin] = []
    /// Why it is no stub file and is left alone; nil for a stub file, be it a bad one.
    public internal(set) var reasonToSkip: String?
    /// The line on which each of `stubs` begins, from 1.
    public internal(set) var lines: [Int] = []
    /// From the top of the file to its end.
    public internal(set) var diagnostics: [FileDiagnostic] = []

    /// Hands the stubs over to those who go on with them. Problems can be placed as before.
    public mutating func takeStubs() -> [StubMapping] {
        defer { stubs = [] }
        return stubs
    }

    init(path: String, format: StubFile.Format, bytes: [UInt8]) {
        self.path = path
        self.format = format
        self.bytes = bytes
    }

    /// Places problems of the stub `stubs[index]` whose pointers are those of WireMock's form of it, such as
    /// `/request/headers/Accept`, also where the file says it otherwise.
    public func diagnostics(
        for problems: [ModelProblem], inStubAt index: Int, severity: FileDiagnostic.Severity = .error
    ) -> [FileDiagnostic] {
        diagnostics(for: problems.map { (stub: index, problem: $0) }, severity: severity)
    }

    func map(of places: [JSONPointer]) -> SourceMap {
        switch format {
        case .json: SourceMap(scanningJSON: bytes, for: places)
        case .yaml: SourceMap(scanningYAML: bytes, for: places)
        }
    }

    /// The file's value. What its text says more than once goes to `diagnostics`: errors and warnings without which the
    /// value would be less than what the author wrote.
    mutating func document(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        if let encoding = ForeignEncoding(bytes) {
            throw FileDiagnostic(
                severity: .error, file: path, position: TextPosition(line: 1, column: 1, offset: 0),
                message: "the file is in \(encoding.rawValue)", expected: "UTF-8", found: encoding.found)
        }
        return switch format {
        case .json: try json(&outline)
        case .yaml: try yaml(&outline)
        }
    }

    /// The line on which each of `places` begins.
    func lines(of places: [JSONPointer], in document: JSONValue, _ outline: DocumentOutline) -> [Int] {
        // A file of one mapping is that mapping.
        if places == [.root], let line = outline.firstLine { return [line] }
        if let lookup = DocumentOutline.Lookup(outline, of: document) { return places.map(lookup.line) }
        let map = map(of: places)
        return places.map { map.position(ofKeyAt: $0)?.line ?? 1 }
    }

    private mutating func json(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        var repeated: [RepeatedKey] = []
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: bytes, dialect: .lenient, outline: &outline, repeatedKeys: &repeated)
        } catch {
            throw FileDiagnostic(
                severity: .error, file: path, position: error.position, message: "not valid JSON",
                expected: error.expected, found: error.found)
        }
        diagnostics += repeated.prefix(Self.mostRemarks).map { diagnostic($0, in: value) }
        return value
    }

    /// Nobody reads more.
    private static let mostRemarks = 100

    /// Routes would be lost in silence, as no YAML loses them; a mapping in WireMock's form means there what it means here.
    private func diagnostic(_ key: RepeatedKey, in value: JSONValue) -> FileDiagnostic {
        let name = JSONValue.string(key.pointer.tokens.last ?? "").compactText
        let message = "the key \(name) stands twice in one object, first in \(key.first.words)"
        let isOfRoutes = StubDocument.isOfRoutes(key.pointer, in: value)
        return FileDiagnostic(
            severity: isOfRoutes ? .error : .warning, file: path, position: key.position, pointer: key.pointer,
            message: isOfRoutes ? message : message + "; the last one counts, as in WireMock", expected: "each key once"
        )
    }

    private mutating func yaml(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        var remarks: [YAMLError] = []
        let value: JSONValue
        do throws(YAMLError) {
            value = try JSONValue(parsingYAML: bytes, outline: &outline, remarks: &remarks)
        } catch {
            throw diagnostic(error, .error)
        }
        diagnostics += remarks.map { diagnostic($0, .warning) }
        return value
    }

    private func diagnostic(_ error: YAMLError, _ severity: FileDiagnostic.Severity) -> FileDiagnostic {
        FileDiagnostic(
            severity: severity, file: path, position: error.position, message: error.message,
            expected: error.expected, found: error.found, suggestion: error.suggestion)
    }
}

/// An encoding other than UTF-8 that the first bytes of a file give away.
private enum ForeignEncoding: String {
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    init?(_ bytes: [UInt8]) {
        let start = Array(bytes.prefix(4))
        switch start {
        case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: self = .utf32
        case _ where start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]): self = .utf16
        // Without a mark, the first character of any stub file is ASCII.
        case _ where start.count == 4 && start.filter { $0 == 0 }.count == 3: self = .utf32
        case _
        where start.count == 4 && (start[0] == 0) != (start[1] == 0) && (start[2] == 0) == (start[0] == 0)
            && (start[3] == 0) == (start[1] == 0):
            self = .utf16
        default: return nil
        }
    }

    var found: String { "the bytes of \(rawValue), as some editors and PowerShell save a text" }
}
