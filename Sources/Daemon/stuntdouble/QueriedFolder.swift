import SDAdminAPI
import SDCommand
import SDFolders
import SDJSON
import SDMatching
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel

/// A folder of stubs that is read to answer questions, not to be served.
struct QueriedFolder {
    private let session: Session
    /// No stub of it was bad.
    let isWhole: Bool

    /// Reads a folder. Invalid stubs are reported on standard error; the others can be used.
    /// - Throws: if there is no such folder.
    init(_ root: StubRoot) throws(AdminClientProblem) {
        guard SystemCalls.isFolder(root.path) else { throw AdminClientProblem("no such folder: \(root.path)") }
        let folder = StubFolder(root)
        session = Session(files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
        let loader = StubLoader(
            folder: folder, session: session, ownChanges: OwnChanges(), log: Log(format: .text, threshold: .error),
            looksCloser: false, keepsGoing: true)
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        let errors = diagnostics.filter { $0.severity == .error }
        isWhole = errors.isEmpty
        for error in errors { try? SystemCalls.writeAll("\(error)\n".utf8, to: 2) }
        if session.stubCount == 0 {
            let emptiness = "no stubs: \(root.emptiness(files: contents.files.count))\n"
            try? SystemCalls.writeAll(emptiness.utf8, to: 2)
        }
    }

    var stubs: [(reference: StubReference, mapping: JSONValue)] {
        session.references.map { ($0.reference, $0.mapping.json(view: .api)) }
    }

    /// Explains a request like the admin API's call.
    /// - Throws: if the request is invalid.
    func explain(_ request: JSONValue) throws(AdminClientProblem) -> JSONValue {
        let logged: LoggedRequest
        do throws(ModelProblems) {
            logged = try LoggedRequest(json: request)
        } catch {
            throw AdminClientProblem("invalid request: \(error.problems.first?.message ?? "")")
        }
        let now = UInt64(clamping: SystemCalls.wallClockMilliseconds()) &* 1_000_000
        do throws(StubRefusal) {
            return try session.explanation(of: logged, now: now).json
        } catch {
            guard case .tooCostly(let reason) = error else { throw AdminClientProblem("\(error)") }
            throw AdminClientProblem(reason)
        }
    }
}
