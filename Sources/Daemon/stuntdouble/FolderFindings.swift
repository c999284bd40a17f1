import SDAdminAPI
import SDFolders
import SDJSON
import SDLinting
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel

/// A diagnostic with the check that found it.
struct Finding {
    var diagnostic: FileDiagnostic
    /// The stub that answers instead.
    var other: LocatedStub?

    /// A stub with its position in the current file.
    struct LocatedStub {
        var stub: StubReference
        var file: String?
        var position: TextPosition?

        /// For example `stub "two dogs" (mocks/dogs.json:3)` or `mocks/dogs.yaml:3 GET /dogs`.
        var text: String {
            let named = StubReference(
                id: stub.id, name: stub.name, file: file, line: position?.line, key: stub.key)
            return stub.name?.isEmpty == false ? "stub " + named.text() : named.text()
        }
    }

    var json: JSONValue {
        guard case .object(var object) = diagnostic.json else { return diagnostic.json }
        object["code"] = .string(diagnostic.check ?? "format")
        if let other {
            var stub = other.stub.json
            stub["file"] = other.file.map(JSONValue.string)
            stub["line"] = other.position.map { .number(JSONNumber($0.line)) }
            object["otherStub"] = .object(stub)
        }
        return .object(object)
    }
}

/// Findings about a folder's stubs, with positions in the files.
struct FolderFindings {
    /// A stub file with the positions of its stubs.
    private struct Parsed {
        let file: ParsedStubFile
        let indices: [StubMapping.ID: Int]
    }

    private let findings: [StubFinding]
    private var parsed: [String: Parsed] = [:]
    /// The stubs that answer instead of others.
    private var located: [StubMapping.ID: Finding.LocatedStub] = [:]

    /// Collects the findings about a session's stubs.
    /// - Parameter isWhole: whether all stubs of the folder could be loaded.
    init(_ session: Session, _ folder: StubFolder, _ contents: StubFolderContents, isWhole: Bool) {
        let all = session.findings(bodyFileNames: Self.bodyFileNames(folder.bodyFilesPath))
        // A stub that was left out may be the one that leads to the state.
        findings = isWhole ? all : all.filter { $0.code != .unreachableState }
        parse(contents, in: folder)
        locateOthers()
    }

    /// The findings by file, in the order of the files' names.
    var all: [Finding] {
        let byFile = [String: [StubFinding]](grouping: findings) { $0.stub.file ?? "" }
        return byFile.sorted { $0.key < $1.key }.flatMap { placed($1, in: $0) }
    }

    private func placed(_ findings: [StubFinding], in name: String) -> [Finding] {
        guard let file = parsed[name] else { return [] }
        // The position determines the wording.
        let positions = file.file.positions(ofStubsAt: findings.map { file.indices[$0.stub.id] ?? -1 })
        let problems = zip(findings, positions).map { finding, position in
            var problem = ModelProblem(
                pointer: finding.pointer, isAboutName: finding.isAboutName || finding.other != nil,
                message: message(finding, position), expected: finding.expected, suggestion: finding.suggestion)
            problem.check = finding.code.rawValue
            return (stub: file.indices[finding.stub.id] ?? -1, problem: problem)
        }
        return zip(findings, file.file.diagnostics(for: problems, severity: .warning)).map { finding, diagnostic in
            Finding(diagnostic: diagnostic, other: finding.other.flatMap { located[$0.stub.id] })
        }
    }

    private func message(_ finding: StubFinding, _ position: TextPosition?) -> String {
        guard let (stub, precedence) = finding.other else { return finding.message }
        let other = located[stub.id] ?? Finding.LocatedStub(stub: stub)
        let reason: String
        switch precedence {
        case .priority(let number): reason = "which has priority \(number)"
        case .newer where stub.file != finding.stub.file: reason = "whose file name sorts later"
        case .newer:
            let isAbove = (other.position?.offset ?? 0) < (position?.offset ?? 0)
            reason = isAbove ? "which is above it in the file" : "which is below it in the file"
        }
        return "\(finding.message) \(other.text), \(reason)"
    }

    // MARK: - Places

    /// Parses the files with findings again, for their positions.
    private mutating func parse(_ contents: StubFolderContents, in folder: StubFolder) {
        let names = Set(findings.flatMap { [$0.stub.file, $0.other?.stub.file] }.compactMap(\.self))
        for file in contents.files where names.contains(file.relativePath) {
            guard let format = StubFile.Format(path: file.relativePath) else { continue }
            let read = StubFile.read(
                file.bytes, format: format, path: file.path, idSeed: file.relativePath, keepsGood: true,
                neighbours: folder.neighbours(of: file.relativePath))
            let indices = read.stubs.enumerated().map { ($1.id, $0) }
            parsed[file.relativePath] = Parsed(file: read, indices: Dictionary(indices) { first, _ in first })
        }
    }

    private mutating func locateOthers() {
        let others = findings.compactMap(\.other?.stub)
        for (name, stubs) in [String: [StubReference]](grouping: others, by: { $0.file ?? "" }) {
            guard let file = parsed[name] else { continue }
            let positions = file.file.positions(ofStubsAt: stubs.map { file.indices[$0.id] ?? -1 })
            for (stub, position) in zip(stubs, positions) {
                located[stub.id] = Finding.LocatedStub(stub: stub, file: file.file.path, position: position)
            }
        }
    }

    // MARK: - Body files

    /// The maximum depth and number of names searched for a misspelt file.
    private static let deepest = 16
    private static let maxNames = 100_000

    private static func bodyFileNames(_ root: String) -> [String] {
        var names: [String] = []
        func visit(_ folder: String, _ depth: Int) {
            let path = folder.isEmpty ? root : root + "/" + folder
            for entry in (try? SystemCalls.entries(of: path)) ?? [] where names.count < maxNames {
                let name = folder.isEmpty ? entry.name : folder + "/" + entry.name
                if entry.kind == .file { names.append(name) }
                if entry.kind == .folder, depth < deepest { visit(name, depth + 1) }
            }
        }
        visit("", 0)
        return names.sorted()
    }
}
