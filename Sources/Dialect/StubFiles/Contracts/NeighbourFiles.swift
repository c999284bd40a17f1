public import SDJSON
public import SDOpenAPI
public import SDStubModel

/// The files and URLs to which an OpenAPI document may refer, read through closures.
public struct NeighbourFiles: Sendable {
    /// Reads a file relative to the folder of the stub file; nil if it is missing or not accessible.
    private let read: @Sendable (String) -> [UInt8]?
    /// Whether requests for operations may omit the path of the document's servers.
    public var servesAtRoot = false
    /// Reads the document of a URL; nil if remote documents are disabled.
    public var remote: (@Sendable (String) -> RemoteDocument)?
    /// Returns the last valid content of a broken file, given its path and its problem; nil if there is none.
    public var lastGood: (@Sendable (String, FileDiagnostic) -> JSONValue?)?

    /// Makes the request bodies of an OpenAPI document's callbacks.
    public var callbackBodies: @Sendable (APIDescription) -> RequestBodies = { _ in { _ in nil } }

    /// - Parameter read: reads a file relative to the folder of the stub file; nil if it is missing or not accessible.
    public init(read: @escaping @Sendable (String) -> [UInt8]?) {
        self.read = read
    }

    /// No files: for stubs that did not come from a folder.
    public static let none = NeighbourFiles { _ in nil }

    /// The bytes of a file; nil if it is missing.
    func bytes(of path: String) -> [UInt8]? { read(path) }

    /// The document in a file; nil if it is missing.
    func document(_ path: String) -> Result<JSONValue, ModelProblem>? {
        guard let bytes = read(path) else { return nil }
        do throws(FileDiagnostic) {
            return .success(try Self.value(of: bytes, Self.format(of: path), path))
        } catch {
            return lastGood?(path, error).map { .success($0) } ?? .failure(Self.problem(error))
        }
    }

    static func document(_ bytes: [UInt8], _ path: String) -> Result<JSONValue, ModelProblem> {
        do throws(FileDiagnostic) {
            return .success(try value(of: bytes, format(of: path), path))
        } catch {
            return .failure(problem(error))
        }
    }

    private static func problem(_ error: FileDiagnostic) -> ModelProblem {
        ModelProblem(
            pointer: .root, message: "\(error.file):\(error.line ?? 1):\(error.column ?? 1) is \(error.message)",
            expected: error.expected, found: error.found)
    }

    private static func format(of path: String) -> StubFile.Format { StubFile.Format(path: path) ?? .yaml }

    private static func value(
        of bytes: [UInt8], _ format: StubFile.Format, _ path: String
    ) throws(FileDiagnostic) -> JSONValue {
        func mistake(_ position: TextPosition, _ what: String, _ expected: String?, _ found: String?) -> FileDiagnostic
        {
            FileDiagnostic(
                severity: .error, file: path, position: position, message: "not valid \(what)", expected: expected,
                found: found)
        }
        guard format != .json else {
            do throws(JSONSyntaxError) {
                return try JSONValue(parsing: bytes, dialect: .lenient)
            } catch {
                throw mistake(error.position, "JSON", error.expected, error.found)
            }
        }
        do throws(YAMLError) {
            var (outline, warnings) = (DocumentOutline(), [YAMLError]())
            return try JSONValue(parsingForeignYAML: bytes, outline: &outline, warnings: &warnings)
        } catch {
            throw mistake(error.position, "YAML", error.expected, error.found)
        }
    }

    /// Parses the document of a URL, whose name need not tell its format.
    public static func document(_ bytes: [UInt8], url: String) -> Result<JSONValue, ModelProblem> {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        do throws(FileDiagnostic) {
            let json = try value(of: bytes, isJSON ? .json : .yaml, url)
            // An HTML page parses as a YAML string.
            if json.objectValue != nil || json.arrayValue != nil { return .success(json) }
            return .failure(
                ModelProblem(
                    pointer: .root, message: "it is no document", expected: "an object in JSON or YAML",
                    found: json.shortDescription))
        } catch {
            return .failure(problem(error))
        }
    }
}
