import SDAdminAPI
package import SDFolders
package import SDHTTPMessages
import SDMockEngine
package import SDPlatform
import Synchronization

/// `__files` for the engine.
package struct FolderBodies: BodyFileSource {
    package let files: BodyFiles
    private let contents: SharedContents

    /// - Parameter memory: the ledger for data derived from the files.
    package init(files: BodyFiles, memory: MemoryLedger = MemoryLedger()) {
        self.files = files
        contents = SharedContents(memory.account(.bodies))
    }

    package func read(_ path: String) throws(BodyFileError) -> BodyFile {
        do throws(BodyFileProblem) {
            return try open(path)
        } catch {
            throw BodyFileError(path: path, reason: error.description)
        }
    }

    private func open(_ path: String) throws(BodyFileProblem) -> BodyFile {
        switch try files.open(path) {
        case .content(let bytes, let version, let modified):
            BodyFile(.bytes(contents.content(bytes, version: version)), version: version, modified: modified)
        case .large(let file, let version, let modified):
            BodyFile(.file(file, 0..<file.size), version: version, modified: modified)
        }
    }

    package func problem(of path: String) -> BodyFileError? {
        files.problem(of: path).map { BodyFileError(path: path, reason: $0.description) }
    }

    package func mayHave(_ path: String) -> Bool { files.mayHave(path) }

    package func forgetContents() {
        files.forgetContents()
        contents.forget()
    }
}

/// `__files` for the admin API.
extension FolderBodies: BodyFileStore {
    package func paths() throws(BodyFileRefusal) -> [String] {
        do throws(SystemError) {
            return try files.paths()
        } catch {
            throw .failed(error.description)
        }
    }

    package func content(_ path: String) throws(BodyFileRefusal) -> BodyContent {
        do throws(BodyFileProblem) {
            return try open(path).content
        } catch {
            // A folder cannot be read as a file; its files are in the list.
            if case .notAFile = error { throw .notFound }
            throw Self.refusal(error)
        }
    }

    package func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) {
        try write(path, bytes, onlyTrying: false)
    }

    package func tryWriting(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) {
        try write(path, bytes, onlyTrying: true)
    }

    private func write(_ path: String, _ bytes: [UInt8], onlyTrying: Bool) throws(BodyFileRefusal) {
        do throws(BodyFileProblem) {
            try files.write(path, bytes, onlyTrying: onlyTrying)
        } catch {
            // An impossible path is the caller's mistake.
            if case .notFound = error { throw .invalid("the path of a body file cannot contain NUL") }
            throw Self.refusal(error)
        }
    }

    package func remove(_ path: String) throws(BodyFileRefusal) {
        do throws(BodyFileProblem) {
            try files.remove(path)
        } catch {
            if case .notFound = error { return }
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: BodyFileProblem) -> BodyFileRefusal {
        switch error {
        case .notFound: .notFound
        case .escapes: .outside(error.description)
        case .badName: .invalid(error.description)
        case .notAFile, .notAFolder: .conflict(error.description)
        case .unreadable(_, let cause): cause.isPermission ? .outside(error.description) : .failed(error.description)
        }
    }
}

/// The most recently used contents, so that all readers share the same bytes.
private final class SharedContents: Sendable {
    /// The maximum number of contents, each of at most `BodyFiles.largestInMemory` bytes.
    private static let most = 32

    private let known = Mutex<[(version: UInt64, content: BodyBytes)]>([])
    private let memory: MemoryAccount

    init(_ memory: MemoryAccount) {
        self.memory = memory
    }

    func forget() {
        _ = known.withLock { known in
            defer { known = [] }
            return known
        }
    }

    /// - Parameter version: identifies the content.
    func content(_ bytes: [UInt8], version: UInt64) -> BodyBytes {
        known.withLock { known in
            if let found = known.first(where: { $0.version == version }) { return found.content }
            if known.count == Self.most { known.removeFirst() }
            known.append((version, BodyBytes(bytes, copiesIn: memory)))
            return known[known.count - 1].content
        }
    }
}
