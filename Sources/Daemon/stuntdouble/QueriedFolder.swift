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

/// A stub folder read for queries, without serving it.
struct QueriedFolder {
    private let session: Session
    /// Whether all stubs could be loaded.
    let isWhole: Bool
    private let path: String
    /// Knows which files have errors.
    private let loader: StubLoader

    /// Reads a folder. Invalid stubs are reported on standard error; the others are loaded.
    /// - Throws: if the folder does not exist.
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
            folder: folder, session: session, selfWrites: SelfWrites(), log: Log(format: .text, threshold: .error),
            looksCloser: false, keepsGoing: true)
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        let errors = diagnostics.filter { $0.severity == .error }
        isWhole = errors.isEmpty
        Console.print(errors)
        if session.stubCount + session.messageStubCount == 0 {
            Console.error(ConsoleError(noStubsIn: root, files: contents.files.count))
        }
    }

    var stubs: [(reference: StubReference, mapping: JSONValue)] {
        session.references.map { ($0.reference, $0.mapping.json(view: .api)) }
    }

    var messageStubs: [(reference: StubReference, stub: MessageStub)] { session.messageReferences }

    /// Explains a request, like the admin API's call.
    /// - Throws: if the request is invalid.
    func explain(_ request: JSONValue) throws(AdminClientProblem) -> JSONValue {
        let logged: LoggedRequest
        let message = MessageExplanation.message(in: request)
        do throws(ModelProblems) {
            logged = try LoggedRequest(json: request)
        } catch {
            throw AdminClientProblem(
                "invalid request: \(error.problems.first?.message ?? "")", fix: "stuntdouble help explain")
        }
        let now = UInt64(clamping: SystemCalls.wallClockMilliseconds()) &* 1_000_000
        do throws(StubRefusal) {
            if let message {
                return .object(try MessageExplanation(message, on: logged, now: now, in: session).json(nil))
            }
            return try session.explanation(of: logged, now: now).json
        } catch {
            let fix = "stuntdouble validate \(shellWord(path))"
            guard case .tooCostly(let reason) = error else { throw AdminClientProblem("\(error)", fix: fix) }
            throw AdminClientProblem(reason, fix: fix)
        }
    }
}

extension ConsoleError {
    /// The warning about a folder without stubs.
    /// - Parameter files: the number of its stub files.
    init(noStubsIn root: StubRoot, files: Int) {
        let message = "no stubs: \(root.emptiness(files: files))"
        self.init(message, fix: "stuntdouble init \(shellWord(root.path))", text: message + "\n")
    }
}
