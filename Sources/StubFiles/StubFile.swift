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
        let bytes = Array(bytes)
        let json: JSONValue
        do {
            json = try value(of: bytes, format)
        } catch let error as JSONSyntaxError {
            let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
            return (
                [],
                [
                    FileDiagnostic(
                        severity: .error, file: path, position: error.position,
                        message: isEmpty ? "the file is empty" : "not valid JSON",
                        expected: isEmpty ? "a stub mapping, a list of them, or routes" : error.expected,
                        found: isEmpty ? nil : error.found)
                ]
            )
        } catch let error as YAMLError {
            return (
                [],
                [
                    FileDiagnostic(
                        severity: .error, file: path, position: error.position, message: error.message,
                        expected: error.expected, found: error.found)
                ]
            )
        } catch {
            return ([], [FileDiagnostic(severity: .error, file: path, position: nil, message: "\(error)")])
        }
        let document = StubDocument(json: json, idSeed: path)
        guard !document.problems.isEmpty || !document.warnings.isEmpty else { return (document.stubs, []) }
        let places = (document.problems + document.warnings).map(\.place)
        let map =
            format == .json
            ? SourceMap(scanningJSON: bytes, for: places) : SourceMap(scanningYAML: bytes, for: places)
        let errors = document.problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
        let warnings = document.warnings.map { FileDiagnostic($0, severity: .warning, file: path, map) }
        return (errors.isEmpty ? document.stubs : [], (errors + warnings).inFileOrder)
    }

    private static func value(of bytes: [UInt8], _ format: Format) throws -> JSONValue {
        switch format {
        case .json: try JSONValue(parsing: bytes, dialect: .lenient)
        case .yaml: try JSONValue(parsingYAML: bytes)
        }
    }
}
