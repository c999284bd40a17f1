import SDHTTPMessages
import SDPlatform
import Synchronization

/// The body files of a session: those of the folder, with the session's own changes, which stay in memory.
final class SessionBodies: BodyFileSource, BodyFileStore {
    private let source: any BodyFileSource
    private let store: any BodyFileStore
    /// The changes by path; nil for a file that was removed.
    private let changes = Mutex<[String: BodyFile?]>([:])

    init(over source: any BodyFileSource, _ store: any BodyFileStore) {
        self.source = source
        self.store = store
    }

    private func change(of path: String) -> BodyFile?? {
        changes.withLock { $0.isEmpty ? nil : $0[path] }
    }

    func read(_ path: String) throws(BodyFileError) -> BodyFile {
        switch change(of: path) {
        case nil: return try source.read(path)
        case .some(nil): throw BodyFileError(path: path, reason: Self.removed)
        case .some(let file?): return file
        }
    }

    func problem(of path: String) -> BodyFileError? {
        switch change(of: path) {
        case nil: source.problem(of: path)
        case .some(nil): BodyFileError(path: path, reason: Self.removed)
        case .some: nil
        }
    }

    private static let removed = "the session removed it"

    func paths() throws(BodyFileRefusal) -> [String] {
        var paths = Set(try store.paths())
        for (path, file) in changes.withLock({ $0 }) {
            if file == nil { paths.remove(path) } else { paths.insert(path) }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    func content(_ path: String) throws(BodyFileRefusal) -> BodyContent {
        switch change(of: path) {
        case nil: return try store.content(path)
        case .some(nil): throw .notFound
        case .some(let file?): return file.content
        }
    }

    func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) {
        try check(path)
        // A random version that differs from those of other sessions and of the folder.
        let version = UInt64.random(in: 1 ... .max)
        // The clock is too coarse to distinguish two writes.
        let modified = SystemCalls.wallClockMilliseconds() * 1_000_000 + Int64(version % 1_000_000)
        let file = BodyFile(bytes: bytes, version: version, modified: modified)
        changes.withLock { $0[path] = .some(file) }
    }

    func remove(_ path: String) throws(BodyFileRefusal) {
        try check(path)
        changes.withLock { $0[path] = .some(nil) }
    }

    /// Checks a path by the folder's rules.
    /// - Throws: if it is invalid or leads out of the folder.
    private func check(_ path: String) throws(BodyFileRefusal) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.utf8.contains(0) { throw .invalid("the path of a body file cannot contain NUL") }
        if names.contains("..") { throw .outside("\(path) is outside of the folder of body files") }
        if path.isEmpty || path.utf8.count > 4_096 || names.contains("") || names.contains(".") {
            throw .invalid("\(path) is not a valid path of a body file")
        }
    }
}
