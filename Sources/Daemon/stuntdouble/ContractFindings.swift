import SDFolders
import SDJSON
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel

/// Stubs of a folder that violate an OpenAPI document: `stuntdouble validate mocks --openapi openapi.yaml`.
enum ContractFindings {
    /// - Parameters:
    ///   - document: the path of the OpenAPI document, which may be outside of the folder.
    ///   - remote: reads the documents at URLs; nil if references to URLs are off.
    static func of(
        _ contents: StubFolderContents, in folder: StubFolder, _ session: Session, document: String,
        _ remote: RemoteDocuments?
    ) -> [Finding] {
        let home = StubFolder(path: SystemCalls.parent(of: document))
        let name = String(SystemCalls.lastName(of: document))
        guard SystemCalls.isFolder(home.path), home.state(of: name) != nil else {
            return [problem(document, SystemCalls.isFolder(document) ? "this is a folder" : "no such file")]
        }
        guard let format = StubFile.Format(path: document) else {
            return [problem(document, "the OpenAPI document cannot be read: its name ends in .json, .yaml or .yml")]
        }
        guard let bytes = home.neighbour(name, of: "") else {
            return [problem(document, "the OpenAPI document cannot be read")]
        }
        let file = StubFile.read(
            bytes, format: format, path: document, idSeed: document, neighbours: home.neighbours(of: "", remote))
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
            let passedOver = read.stubs.enumerated().compactMap { index, stub in
                Self.passedOver(stub).map { (stub: index, problem: $0) }
            }
            let diagnostics =
                read.diagnostics(for: problems, severity: .error)
                + read.diagnostics(for: passedOver, severity: .warning)
            findings += diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.check = "contract"
                return Finding(diagnostic: diagnostic)
            }
        }
        return findings
    }

    /// The finding that a stub's pattern of paths fits no single operation, so it is not checked.
    private static func passedOver(_ stub: StubMapping) -> ModelProblem? {
        let member: String
        switch stub.request.url {
        case .urlPattern: member = "urlPattern"
        case .urlPathPattern: member = "urlPathPattern"
        default: return nil
        }
        guard stub.response.openapi == nil, stub.resource == nil else { return nil }
        return ModelProblem(
            pointer: JSONPointer(["request", member]),
            message: "not validated against the contract: a regular expression does not determine the operation",
            expected: "urlPathTemplate")
    }

    /// Warnings about an OpenAPI document of the folder.
    static func placed(
        _ problems: [ModelProblem], in file: String, of folder: StubFolder, _ contents: StubFolderContents
    ) -> [Finding] {
        let known = contents.files.first { $0.relativePath == file }
        let text = known?.bytes ?? folder.neighbour(file, of: "") ?? []
        return FileDiagnostic.placing(problems, .warning, in: text, named: known?.path ?? folder.path + "/" + file).map
        {
            var diagnostic = $0
            diagnostic.check = "contract-document"
            return Finding(diagnostic: diagnostic)
        }
    }

    private static func problem(_ document: String, _ message: String) -> Finding {
        var diagnostic = FileDiagnostic(severity: .error, file: document, position: nil, message: message)
        diagnostic.check = "contract"
        return Finding(diagnostic: diagnostic)
    }
}
