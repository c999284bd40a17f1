public import SDJSON
import SDOpenAPI
public import SDShorthand
public import SDStubModel

/// The stubs of a file, and its diagnostics.
public struct ParsedStubFile: Sendable {
    public let path: String
    public let format: StubFile.Format
    /// Returns the text, possibly by reading it again.
    private let text: @Sendable () -> [UInt8]
    /// The stubs in insertion order; empty if there is any error.
    public internal(set) var stubs: [StubMapping] = []
    /// The origin of each of `stubs` in the file.
    public internal(set) var origins: [StubOrigin] = []
    /// The stubs with problems, as far as they could be read; only if good stubs are kept.
    public internal(set) var badStubs: [(stub: StubMapping, origin: StubOrigin)] = []
    /// The message stubs in insertion order, from a file of message stubs or of routes.
    public internal(set) var messageStubs: [MessageStub] = []
    public internal(set) var messageOrigins: [MessageOrigin] = []
    /// The line on which each of `messageStubs` starts, from 1.
    public var messageLines: [Int] {
        guard !messageStubs.isEmpty else { return [] }
        let map = map(of: messageOrigins.map(\.place))
        return messageOrigins.map { map.line(ofKeyAt: $0.place) ?? 1 }
    }
    /// The fault sets; empty if there is any error.
    public internal(set) var faultSets: [FaultSet] = []
    /// The CORS policy for the stubs in the file's folder; nil if the file has none.
    public internal(set) var cors: CORSPolicy?
    /// Additional names of secrets from the file; empty if there is any error.
    public internal(set) var redacted: [String] = []
    /// The OpenAPI documents that the file is or names.
    public internal(set) var contracts: [ParsedContract] = []
    /// Why this is not a stub file and is ignored; nil for a stub file, even an invalid one.
    public internal(set) var reasonToSkip: String?
    /// The line on which each of `stubs` starts, from 1.
    public internal(set) var lines: [Int] = []
    /// The diagnostics in file order.
    public internal(set) var diagnostics: [FileDiagnostic] = []

    /// Moves the stubs out of this value. Problems can still be located afterwards.
    public mutating func takeStubs() -> [StubMapping] {
        defer { stubs = [] }
        return stubs
    }

    /// Drops stubs. Problems of the others can still be located.
    /// - Parameter isKept: called with the index of each stub.
    public mutating func keepStubs(_ isKept: (Int) -> Bool) {
        let kept = stubs.indices.filter(isKept)
        guard kept.count < stubs.count else { return }
        stubs = kept.map { stubs[$0] }
        origins = kept.filter(origins.indices.contains).map { origins[$0] }
        lines = kept.filter(lines.indices.contains).map { lines[$0] }
    }

    /// Drops the fault sets.
    public mutating func leaveOutSets() { faultSets = [] }

    /// Whether a YAML scalar is spelt differently from its JSON value.
    private var hasSpellings = false

    /// Returns the document with each scalar as spelt; nil if no spelling differs from JSON.
    var texts: (() -> JSONValue?)? {
        hasSpellings ? { try? JSONValue(textsOfYAML: bytes) } : nil
    }

    /// Whether the stubs are the elements of `mappings`; `origins` is empty then.
    let isCollection: Bool

    init(
        path: String, format: StubFile.Format, isCollection: Bool = false, text: @escaping @Sendable () -> [UInt8]
    ) {
        self.isCollection = isCollection
        self.path = path
        self.format = format
        self.text = text
    }

    /// A single JSON mapping that was read elsewhere, for locating its problems.
    public init(mapping text: [UInt8], named path: String) {
        self.init(path: path, format: .json) { text }
        origins = [StubOrigin(place: .root)]
    }

    var bytes: [UInt8] { text() }

    /// The document; null for an invalid text.
    var value: JSONValue {
        switch format {
        case .json: (try? JSONValue(parsing: bytes, dialect: .lenient)) ?? .null
        case .yaml: (try? JSONValue(parsingYAML: bytes)) ?? .null
        }
    }

    /// Locates problems of `stubs[index]`. Their pointers refer to WireMock's JSON, such as `/request/headers/Accept`;
    /// they are translated if the file has another format.
    public func diagnostics(
        for problems: [ModelProblem], inStubAt index: Int, severity: FileDiagnostic.Severity = .error
    ) -> [FileDiagnostic] {
        diagnostics(for: problems.map { (stub: index, problem: $0) }, severity: severity)
    }

    /// Locates problems of the document, with pointers into the document itself.
    public func diagnostics(ofDocument problems: [ModelProblem]) -> [FileDiagnostic] {
        let map = map(of: problems.map(\.place))
        return problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
    }

    /// Adds errors with pointers into the document itself.
    public mutating func add(_ problems: [ModelProblem]) {
        guard !problems.isEmpty else { return }
        diagnostics = (diagnostics + diagnostics(ofDocument: problems)).inFileOrder
    }

    /// Adds warnings with pointers into the document itself.
    public mutating func add(warnings: [ModelProblem]) {
        guard !warnings.isEmpty else { return }
        let map = map(of: warnings.map(\.place))
        let added = warnings.map { FileDiagnostic($0, severity: .warning, file: path, map) }
        diagnostics = (diagnostics + added).inFileOrder
    }

    /// Adds a warning if the file has no stubs although its author probably expects responses from it.
    func tellingMistake(in document: JSONValue) -> ParsedStubFile {
        guard let mistake = StubDocument.mistake(in: document) else { return self }
        var file = self
        file.diagnostics = [
            FileDiagnostic(mistake, severity: .warning, file: path, map(of: [mistake.place]))
        ]
        return file
    }

    func map(of places: [JSONPointer]) -> SourceMap {
        SourceMap(scanning: bytes, as: format, for: places)
    }

    /// Parses the file. Adds duplicate keys, which the parsed value does not show, to `diagnostics`.
    /// - Throws: the diagnostic for a text that is not JSON or YAML.
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

    /// Why a file of several documents, such as Kubernetes manifests, is not a stub file: none of them could be one.
    /// Nil if one could.
    var reasonToSkipDocuments: String? {
        guard format == .yaml, let documents = try? JSONValue.documents(ofYAML: bytes), documents.count > 1 else {
            return nil
        }
        if documents.contains(where: APIDescription.isOne) { return nil }
        let reasons = documents.map { StubDocument.reasonToSkip($0) }
        return reasons.contains(nil) ? nil : "none of its \(documents.count) documents looks like stubs"
    }

    /// The line on which each of `places` starts.
    func lines(of places: [JSONPointer], in document: JSONValue, _ outline: DocumentOutline) -> [Int] {
        // In a file with one mapping, the document is the mapping.
        if places == [.root], let line = outline.firstLine { return [line] }
        if let lookup = DocumentOutline.Lookup(outline, of: document) { return places.map(lookup.line) }
        let map = map(of: places)
        return places.map { map.line(ofKeyAt: $0) ?? 1 }
    }

    /// Sets the lines of CORS policies to those of their keys.
    mutating func placePolicies() {
        var pointers = Set([cors?.place.pointer].compactMap(\.self))
        for index in stubs.indices { if let pointer = stubs[index].cors?.place.pointer { pointers.insert(pointer) } }
        guard !pointers.isEmpty else { return }
        let map = map(of: Array(pointers))
        func placed(_ policy: CORSPolicy) -> CORSPolicy {
            var policy = policy
            policy.place.line = policy.place.pointer.flatMap { map.line(ofKeyAt: $0) }
            policy.place.pointer = nil
            return policy
        }
        cors = cors.map(placed)
        for index in stubs.indices where stubs[index].cors?.place.pointer != nil {
            stubs[index].cors = stubs[index].cors.map(placed)
        }
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
        diagnostics += repeated.prefix(Self.maxWarnings).map { diagnostic($0, in: value) }
        return value
    }

    /// The maximum number of warnings about one file; further ones are dropped.
    private static let maxWarnings = 100

    /// A duplicate route key would silently drop routes, and YAML forbids it: an error. A duplicate key in a mapping
    /// has the same meaning as in WireMock: a warning.
    private func diagnostic(_ key: RepeatedKey, in value: JSONValue) -> FileDiagnostic {
        let name = JSONValue.string(key.pointer.tokens.last ?? "").compactText
        let message = "duplicate key \(name), first in \(key.first.words)"
        let isOfRoutes = StubDocument.isOfRoutes(key.pointer, in: value)
        return FileDiagnostic(
            severity: isOfRoutes ? .error : .warning, file: path, position: key.position, pointer: key.pointer,
            message: isOfRoutes ? message : message + "; the last one counts, as in WireMock", expected: "each key once"
        )
    }

    private mutating func yaml(_ outline: inout DocumentOutline) throws(FileDiagnostic) -> JSONValue {
        var warnings: [YAMLError] = []
        let value: JSONValue
        do throws(YAMLError) {
            value = try JSONValue(
                parsingYAML: bytes, outline: &outline, warnings: &warnings, hasSpellings: &hasSpellings)
        } catch {
            throw diagnostic(error, .error)
        }
        diagnostics += warnings.map { diagnostic($0, .warning) }
        return value
    }

    func diagnostic(_ error: YAMLError, _ severity: FileDiagnostic.Severity) -> FileDiagnostic {
        FileDiagnostic(
            severity: severity, file: path, position: error.position, message: error.message,
            expected: error.expected, found: error.found, suggestion: error.suggestion)
    }
}

/// An encoding other than UTF-8, detected from the first bytes of a file.
private enum ForeignEncoding: String {
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    init?(_ bytes: [UInt8]) {
        let start = Array(bytes.prefix(4))
        switch start {
        case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: self = .utf32
        case _ where start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]): self = .utf16
        // Without a byte order mark: the first character of any stub file is ASCII.
        case _ where start.count == 4 && start.filter { $0 == 0 }.count == 3: self = .utf32
        case _
        where start.count == 4 && (start[0] == 0) != (start[1] == 0) && (start[2] == 0) == (start[0] == 0)
            && (start[3] == 0) == (start[1] == 0):
            self = .utf16
        default: return nil
        }
    }

    var found: String { "\(rawValue), in which some editors and PowerShell save text" }
}
