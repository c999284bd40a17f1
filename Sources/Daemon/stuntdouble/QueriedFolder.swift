import SDAdminAPI
import SDBasics
import SDCommand
import SDExplanations
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
    private let path: String
    /// Says which files have errors.
    private let loader: StubLoader

    /// Reads a folder. Invalid stubs are reported on standard error; the others can be used.
    /// - Throws: if there is no such folder.
    init(_ options: QueryOptions) throws(AdminClientProblem) {
        let root = options.root
        guard SystemCalls.isFolder(root.path) else {
            throw AdminClientProblem("no such folder: \(root.path)", fix: "stuntdouble init \(shellWord(root.path))")
        }
        let folder = StubFolder(root)
        path = root.path
        session = Session(
            options: SessionOptions(options.serve), files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
        loader = StubLoader(
            folder: folder, session: session, ownChanges: OwnChanges(), log: Log(format: .text, threshold: .error),
            looksCloser: false, keepsGoing: true)
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        let errors = diagnostics.filter { $0.severity == .error }
        isWhole = errors.isEmpty
        Console.tell(errors)
        if session.stubCount == 0 {
            Console.complain(Complaint(noStubsIn: root, files: contents.files.count))
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
            throw AdminClientProblem(
                "invalid request: \(error.problems.first?.message ?? "")", fix: "stuntdouble help explain")
        }
        let now = UInt64(clamping: SystemCalls.wallClockMilliseconds()) &* 1_000_000
        do throws(StubRefusal) {
            return try session.explanation(of: logged, now: now).json
        } catch {
            let fix = "stuntdouble validate \(shellWord(path))"
            guard case .tooCostly(let reason) = error else { throw AdminClientProblem("\(error)", fix: fix) }
            throw AdminClientProblem(reason, fix: fix)
        }
    }
}

extension Complaint {
    /// A folder of which nothing is served is worth a warning.
    /// - Parameter files: the number of its stub files.
    init(noStubsIn root: StubRoot, files: Int) {
        let message = "no stubs: \(root.emptiness(files: files))"
        self.init(message, fix: "stuntdouble init \(shellWord(root.path))", text: message + "\n")
    }
}
