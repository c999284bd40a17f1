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

    func document(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        switch format {
        case .json: try json(&outline)
        case .yaml: try yaml(&outline)
        }
    }

    /// The line on which each of `places` begins.
    func lines(of places: [JSONPointer], in document: JSONValue, _ outline: DocumentOutline) -> [Int] {
        if let lookup = DocumentOutline.Lookup(outline, of: document) { return places.map(lookup.line) }
        let map = map(of: places)
        return places.map { map.position(ofKeyAt: $0)?.line ?? 1 }
    }

    private func json(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes, dialect: .lenient, outline: &outline)
        } catch {
            let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
            throw FileDiagnostic(
                severity: .error, file: path, position: error.position,
                message: isEmpty ? "the file is empty" : "not valid JSON",
                expected: isEmpty ? "a stub mapping, a list of them, or routes" : error.expected,
                found: isEmpty ? nil : error.found)
        }
    }

    private func yaml(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        do throws(YAMLError) {
            return try JSONValue(parsingYAML: bytes, outline: &outline)
        } catch {
            throw FileDiagnostic(
                severity: .error, file: path, position: error.position, message: error.message,
                expected: error.expected, found: error.found)
        }
    }
}
