import SDFolders
import SDJSON
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel

/// What a contract does not allow of the stubs of a folder: `stuntdouble validate mocks --openapi openapi.yaml`.
enum ContractFindings {
    /// - Parameter document: the path of the OpenAPI document, which may be outside of the folder.
    static func of(
        _ contents: StubFolderContents, in folder: StubFolder, _ session: Session, document: String
    ) -> [Finding] {
        let home = StubFolder(path: SystemCalls.parent(of: document))
        let name = String(SystemCalls.lastName(of: document))
        guard let format = StubFile.Format(path: document), let bytes = home.neighbour(name, of: "") else {
            return [problem(document, "the OpenAPI document cannot be read")]
        }
        let file = StubFile.read(
            bytes, format: format, path: document, idSeed: document, neighbours: home.neighbours(of: ""))
        guard !file.contracts.isEmpty else {
            return file.diagnostics.map { Finding(diagnostic: $0) } + [problem(document, "this is no OpenAPI document")]
        }
        session.importContracts(file.contracts.map(\.served), named: document, isAlsoAtRoot: true)
        var findings = file.diagnostics.map { Finding(diagnostic: $0) }
        for file in contents.files {
            guard let format = StubFile.Format(path: file.relativePath) else { continue }
            let read = StubFile.read(
                file.bytes, format: format, path: file.path, idSeed: file.relativePath, keepsGood: true)
            guard read.contracts.isEmpty else { continue }
            let problems = read.stubs.enumerated().flatMap { index, stub in
                session.contractProblems(of: stub, in: document).map { (stub: index, problem: $0) }
            }
            findings += read.diagnostics(for: problems, severity: .error).map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.check = "contract"
                return Finding(diagnostic: diagnostic)
            }
        }
        return findings
    }

    private static func problem(_ document: String, _ message: String) -> Finding {
        var diagnostic = FileDiagnostic(severity: .error, file: document, position: nil, message: message)
        diagnostic.check = "contract"
        return Finding(diagnostic: diagnostic)
    }
}
