public import JSON
public import StubModel
import YAML

/// A stub file that was read: its stubs, what is to be said about it, and where in its text things stand.
public struct ParsedStubFile: Sendable {
    /// Empty where there is an error.
    public let stubs: [StubMapping]
    /// In the order of the file.
    public let diagnostics: [FileDiagnostic]

    private let path: String
    private let format: StubFile.Format
    private let bytes: [UInt8]
    private let places: [StubMapping.ID: JSONPointer]

    init(_ document: StubDocument, _ diagnostics: [FileDiagnostic], _ bytes: [UInt8], _ format: StubFile.Format, path: String) {
        let hasError = diagnostics.contains { $0.severity == .error }
        stubs = hasError ? [] : document.stubs
        self.diagnostics = diagnostics
        self.path = path
        self.format = format
        self.bytes = bytes
        places = document.places
    }

    init(unreadable diagnostic: FileDiagnostic, _ format: StubFile.Format, path: String) {
        stubs = []
        diagnostics = [diagnostic]
        self.path = path
        self.format = format
        bytes = []
        places = [:]
    }

    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// An error of one of the stubs that was found only when it was to be served.
    /// - Parameter pointer: the place within the mapping. The route shorthand has other keys than a mapping: there the
    ///   whole response is meant.
    public func error(in stub: StubMapping.ID, at pointer: JSONPointer, message: String) -> FileDiagnostic {
        let map = format == .json ? SourceMap(scanningJSON: bytes) : SourceMap(scanningYAML: bytes)
        let base = places[stub] ?? .root
        let place = JSONPointer(base.tokens + pointer.tokens)
        let isThere = map[place] != nil
        return FileDiagnostic(
            severity: .error, file: path, position: map.position(ofKeyAt: isThere ? place : base),
            pointer: isThere ? place : base, message: message)
    }
}
