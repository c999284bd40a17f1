import SDBasics
import SDJSON
public import SDOpenAPI
import SDShorthand
import SDStubModel

/// An OpenAPI document that is the stub file itself, or is named in it.
public struct ParsedContract: Sendable {
    /// The document to serve, with its name and settings.
    public var served: ServedDescription
    /// The path of its file, relative to the folder of the stub file.
    public var file: String
    /// The files to which it refers, relative to the folder of the stub file.
    public var others: [String]
    /// Whether the stub file itself is the document.
    public var isOwn: Bool
}

extension ParsedStubFile {
    /// The maximum number of findings reported for a document.
    private static var maxFindings: Int { 100 }

    /// Loads the file as an OpenAPI document.
    /// - Parameter idSeed: the seed of its stubs' ids.
    mutating func take(document json: JSONValue, idSeed: String, _ neighbours: NeighbourFiles) {
        reasonToSkip = nil
        let name = String(path.split(separator: "/").last ?? "openapi")
        let description = APIDescription(
            reading: json, named: name, other: { neighbours.document($0) }, remote: neighbours.remote)
        var served = ServedDescription(description, file: idSeed, settings: OpenAPISettings(file: idSeed))
        served.isAlsoAtRoot = neighbours.servesAtRoot
        let made = served.stubs(idSeed: idSeed)
        stubs = made.map(\.stub)
        let places = description.operations.map { $0.place.document == 0 ? $0.place.pointer : .root }
        origins = made.map { StubOrigin(place: places[$0.operation]) }
        let findings = description.findings.prefix(Self.maxFindings).filter { $0.document == 0 }
        let map = map(of: places + findings.map(\.problem.place))
        lines = made.map { map.line(ofKeyAt: places[$0.operation]) ?? 1 }
        contracts = [ParsedContract(served: served, file: name, others: Self.others(of: description), isOwn: true)]
        diagnostics += self.findings(of: description, in: "", own: map, neighbours)
    }

    /// Loads a text with YAML errors if it is an OpenAPI document: generators write duplicate keys, for example, and
    /// the rest can be served.
    mutating func takeForeignDocument(idSeed: String, _ neighbours: NeighbourFiles) -> Bool {
        var warnings: [YAMLError] = []
        var outline = DocumentOutline()
        guard format == .yaml,
            let json = try? JSONValue(parsingForeignYAML: bytes, outline: &outline, warnings: &warnings),
            APIDescription.isOne(json)
        else { return false }
        diagnostics = warnings.map { diagnostic($0, .warning) }
        take(document: json, idSeed: idSeed, neighbours)
        return true
    }

    /// Loads the documents named in a file of routes. Their stubs are inserted before the file's own, which therefore
    /// win.
    mutating func take(_ named: [NamedContract], idSeed: String, _ neighbours: NeighbourFiles) {
        guard !named.isEmpty else { return }
        var names: Set<String> = []
        let place = Self.folder(of: idSeed)
        var problems: [ModelProblem] = []
        for contract in named {
            let file = contract.settings.file
            func refuse(_ message: String, _ expected: String? = nil) {
                problems.append(
                    ModelProblem(pointer: contract.place, message: message, expected: expected, found: nil))
            }
            guard let bytes = neighbours.bytes(of: file) else {
                refuse("there is no file \(file)", "the path of a file beside this one or below")
                continue
            }
            let json: JSONValue
            switch NeighbourFiles.document(bytes, file) {
            case .success(let value): json = value
            case .failure(let problem):
                refuse(problem.message, problem.expected)
                continue
            }
            guard APIDescription.isOne(json) else {
                refuse("\(file) is no OpenAPI document", "a file with \"openapi\" or \"swagger\" and \"paths\"")
                continue
            }
            let folder = Self.folder(of: file)
            let description = APIDescription(
                reading: json, named: String(file.dropFirst(folder.count)),
                other: { neighbours.document(folder + $0) }, remote: neighbours.remote)
            let served = ServedDescription(description, file: place + file, settings: contract.settings)
            guard names.insert(served.name).inserted else {
                refuse("\(file) is served twice below the same paths", "another prefix")
                continue
            }
            let made = served.stubs(
                idSeed: "\(idSeed) \(served.name)",
                bodies: served.settings.callbacks == true ? neighbours.callbackBodies(description) : { _ in nil })
            // Before the routes, which are inserted after them and win.
            stubs.insert(contentsOf: made.map(\.stub), at: 0)
            origins.insert(contentsOf: made.map { _ in StubOrigin(place: contract.place) }, at: 0)
            let line = map(of: [contract.place]).line(ofKeyAt: contract.place) ?? 1
            lines.insert(contentsOf: made.map { _ in line }, at: 0)
            contracts.append(
                ParsedContract(
                    served: served, file: file, others: Self.others(of: description).map { folder + $0 }, isOwn: false))
            diagnostics += findings(of: description, in: folder, own: nil, neighbours)
        }
        guard !problems.isEmpty else { return }
        let map = map(of: problems.map(\.place))
        diagnostics += problems.map { FileDiagnostic($0, severity: .error, file: path, map) }
    }

    /// The problems of a document, located in its files.
    /// - Parameters:
    ///   - folder: the document's folder relative to this file's, with a slash at its end.
    ///   - own: the positions in this file, if it is the document.
    private func findings(
        of description: APIDescription, in folder: String, own: SourceMap?, _ neighbours: NeighbourFiles
    ) -> [FileDiagnostic] {
        let findings = description.findings.prefix(Self.maxFindings)
        guard !findings.isEmpty else { return [] }
        var told: [FileDiagnostic] = []
        for (index, found) in Dictionary(grouping: findings, by: \.document).sorted(by: { $0.key < $1.key }) {
            let name =
                description.documents.documents.indices.contains(index)
                ? description.documents.documents[index].name : description.documents.documents[0].name
            let places = found.map(\.problem.place)
            if let own, index == 0 {
                told += found.map { FileDiagnostic($0.problem, severity: .warning, file: path, own) }
                continue
            }
            let file = Self.folder(of: path) + folder + name
            guard let format = StubFile.Format(path: name), let bytes = neighbours.bytes(of: folder + name) else {
                told += found.map {
                    FileDiagnostic(
                        severity: .warning, file: name.contains(text: "://") ? name : file, position: nil,
                        pointer: $0.problem.place, message: $0.problem.message, expected: $0.problem.expected,
                        found: $0.problem.found, suggestion: $0.problem.suggestion)
                }
                continue
            }
            let map = SourceMap(scanning: bytes, as: format, for: places)
            told += found.map { FileDiagnostic($0.problem, severity: .warning, file: file, map) }
        }
        let more = description.findings.count - findings.count
        if more > 0 {
            told.append(
                FileDiagnostic(
                    severity: .warning, file: path, position: nil, message: "\(more) more findings are not shown"))
        }
        return told
    }

    private static func others(of description: APIDescription) -> [String] {
        description.documents.documents.dropFirst().map(\.name).filter { !$0.contains(text: "://") }
    }

    /// The folder of a path, with a slash at its end; empty for a file without a folder.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
