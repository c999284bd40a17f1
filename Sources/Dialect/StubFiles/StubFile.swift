public import SDJSON
import SDOpenAPI
import SDShorthand
public import SDStubModel

/// Parses stub files in JSON or YAML: one WireMock mapping, `{"mappings": […]}`, a list of mappings, or the route
/// shorthand.
public enum StubFile {
    public typealias Format = DocumentFormat

    /// Parses the stubs of a file.
    ///
    /// The stubs are in insertion order: among equal priorities the later one wins. The id of a stub without one is
    /// derived from `path` and its position in the file, so that it stays the same on a reload. A file with an error
    /// has no stubs; warnings do not matter. A file that is not a stub file has neither stubs nor diagnostics.
    /// - Parameter path: the file's name in diagnostics; nothing is read from there.
    public static func parse(
        _ bytes: some Sequence<UInt8>, format: Format, path: String
    ) -> (stubs: [StubMapping], diagnostics: [FileDiagnostic]) {
        let file = read(bytes, format: format, path: path)
        return (file.stubs, file.diagnostics)
    }

    /// Parses a file like `parse`, with a result that can also locate problems found later, such as an invalid regular
    /// expression.
    /// - Parameters:
    ///   - idSeed: replaces `path` in the ids of stubs without one.
    ///   - keepsGood: whether a file with errors keeps its valid stubs.
    ///   - neighbours: the files to which OpenAPI documents may refer, and which routes may name.
    public static func read(
        _ bytes: some Sequence<UInt8>, format: Format, path: String, idSeed: String? = nil, keepsGood: Bool = false,
        neighbours: NeighbourFiles = .none
    ) -> ParsedStubFile {
        read(Array(bytes), format: format, path: path, idSeed: idSeed, keepsGood: keepsGood, neighbours: neighbours)
    }

    /// Parses a file without copying its bytes.
    public static func read(
        _ bytes: [UInt8], format: Format, path: String, idSeed: String? = nil, keepsGood: Bool = false,
        neighbours: NeighbourFiles = .none
    ) -> ParsedStubFile {
        var file = ParsedStubFile(path: path, format: format) { bytes }
        if format == .json, JSONValue.isBlank(bytes, dialect: .lenient) {
            file.reasonToSkip = StubDocument.reasonToSkip(.null)
            return file
        }
        let json: JSONValue
        var outline = DocumentOutline()
        do throws(FileDiagnostic) {
            json = try file.document(&outline)
        } catch {
            if file.takeForeignDocument(idSeed: idSeed ?? path, neighbours) { return file }
            file.reasonToSkip = file.reasonToSkipDocuments
            file.diagnostics = file.reasonToSkip == nil ? [error] : []
            return file
        }
        if APIDescription.isOne(json) {
            file.take(document: json, idSeed: idSeed ?? path, neighbours)
            return file
        }
        if let place = APIDescription.placeWithoutVersion(json) {
            let problem = ModelProblem(
                pointer: place, isAboutName: true, message: "an OpenAPI document without its version",
                expected: "openapi: 3.0.3, or swagger: \"2.0\", beside it")
            file.diagnostics = file.diagnostics(ofDocument: [problem])
            return file
        }
        file.reasonToSkip = StubDocument.reasonToSkip(json)
        if file.reasonToSkip != nil { return file.tellingMistake(in: json) }
        var document = StubDocument(json: json, idSeed: idSeed ?? path, texts: file.texts)
        let repeated = file.diagnostics.filter { $0.severity == .error }.map(\.pointer)
        if keepsGood { document.removeBadStubs(besides: repeated) }
        if keepsGood || (document.problems.isEmpty && repeated.isEmpty) {
            file.stubs = document.stubs
            file.messageStubs = document.messageStubs
            file.messageOrigins = document.messageOrigins
            file.badStubs = document.badStubs
            file.faultSets = document.faultSets
            file.cors = document.cors
            file.redacted = document.redacted
            file.origins = document.origins
            file.lines = file.lines(of: document.origins.map(\.place), in: json, outline)
            file.placePolicies()
            file.take(document.contracts, idSeed: idSeed ?? path, neighbours)
        }
        guard !document.problems.isEmpty || !document.warnings.isEmpty else { return file }
        let map = file.map(of: (document.problems + document.warnings).map(\.place))
        let errors = document.problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
        let warnings = document.warnings.map { FileDiagnostic($0, severity: .warning, file: path, map) }
        file.diagnostics = (file.diagnostics + errors + warnings).inFileOrder
        return file
    }
}

extension StubFile {
    /// Whether a document is an object of routes rather than a mapping.
    public static func isOfRoutes(_ document: JSONValue) -> Bool { StubDocument.isOfRoutes(.root, in: document) }
}
