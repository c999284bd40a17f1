import JSON
public import StubModel
import YAML

/// A file of stubs: one WireMock mapping, `{"mappings": […]}`, a list of mappings, or the route shorthand, in JSON or YAML.
public enum StubFile {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// As WireMock reads it: comments and single quotes are fine.
        case json
        case yaml

        /// By the extension: `.json`, `.yaml` or `.yml`, letter case irrelevant. Nil for any other file.
        public init?(path: String) {
            let name = path.lowercased()
            if name.hasSuffix(".json") {
                self = .json
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                self = .yaml
            } else {
                return nil
            }
        }
    }

    /// Reads the stubs of a file.
    ///
    /// The stubs are in the order in which they have to be inserted: among equal priorities a later one wins. A stub
    /// without an id gets one that depends on `path` and its place in the file alone, so that reading the file again keeps
    /// the ids. A file with any error has no stubs; warnings come beside them.
    /// - Parameter path: How the file is called in diagnostics; nothing is read from there.
    public static func parse(
        _ bytes: some Sequence<UInt8>, format: Format, path: String
    ) -> (stubs: [StubMapping], diagnostics: [FileDiagnostic]) {
        let parsed = read(bytes, format: format, path: path)
        return (parsed.stubs, parsed.diagnostics)
    }

    /// As `parse`, with the places of the stubs.
    /// - Parameter idSeed: what the ids of stubs without one are derived from; nil takes `path`.
    public static func read(
        _ bytes: some Sequence<UInt8>, format: Format, path: String, idSeed: String? = nil
    ) -> ParsedStubFile {
        let bytes = Array(bytes)
        let json: JSONValue
        do {
            json = try value(of: bytes, format)
        } catch {
            return ParsedStubFile(unreadable: diagnostic(of: error, bytes, path: path), format, path: path)
        }
        let document = StubDocument(json: json, idSeed: idSeed ?? path)
        guard !document.problems.isEmpty || !document.warnings.isEmpty else {
            return ParsedStubFile(document, [], bytes, format, path: path)
        }
        let map = format == .json ? SourceMap(scanningJSON: bytes) : SourceMap(scanningYAML: bytes)
        let errors = document.problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
        let warnings = document.warnings.map { FileDiagnostic($0, severity: .warning, file: path, map) }
        return ParsedStubFile(document, (errors + warnings).inFileOrder, bytes, format, path: path)
    }

    /// What keeps a text from being JSON or YAML at all.
    private static func diagnostic(of error: any Error, _ bytes: [UInt8], path: String) -> FileDiagnostic {
        switch error {
        case let error as JSONSyntaxError:
            let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
            return FileDiagnostic(
                severity: .error, file: path, position: error.position,
                message: isEmpty ? "the file is empty" : "not valid JSON",
                expected: isEmpty ? "a stub mapping, a list of them, or routes" : error.expected,
                found: isEmpty ? nil : error.found)
        case let error as YAMLError:
            return FileDiagnostic(
                severity: .error, file: path, position: error.position, message: error.message,
                expected: error.expected, found: error.found)
        default:
            return FileDiagnostic(severity: .error, file: path, position: nil, message: "\(error)")
        }
    }

    private static func value(of bytes: [UInt8], _ format: Format) throws -> JSONValue {
        switch format {
        case .json: try JSONValue(parsing: bytes, dialect: .lenient)
        case .yaml: try JSONValue(parsingYAML: bytes)
        }
    }
}
