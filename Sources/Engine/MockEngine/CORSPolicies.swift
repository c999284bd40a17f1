public import SDStubModel
import Synchronization

/// What the stub files of a daemon say about pages of other origins.
final class CORSPolicies: Sendable {
    /// Whether any stub or folder has, or had, a policy of its own.
    let isUsed = Atomic(false)
    /// Whether a folder has, or had, one.
    let hasFolders = Atomic(false)
    private let files = Mutex<[String: CORSPolicy]>([:])
    /// The files of stubs that calls have loaded, which do not say it themselves.
    private let loaded = Mutex<[StubMapping.ID: String]>([:])

    /// Takes the policy that a file states for its folder; nil if it states none.
    func replace(_ policy: CORSPolicy?, of file: String) {
        files.withLock { $0[file] = policy }
        guard policy != nil else { return }
        isUsed.store(true, ordering: .relaxed)
        hasFolders.store(true, ordering: .relaxed)
    }

    var fileNames: [String] { files.withLock { Array($0.keys) } }

    /// Notes that stubs are of a file.
    func note(_ ids: [StubMapping.ID], of file: String) {
        loaded.withLock { loaded in for id in ids { loaded[id] = file } }
    }

    /// The file that a call has loaded a stub of; nil for none.
    func file(of id: StubMapping.ID) -> String? { loaded.withLock { $0[id] } }

    /// Forgets what files state. That pages have been let in once stays noted.
    func removeAll() {
        files.withLock { $0 = [:] }
        loaded.withLock { $0 = [:] }
    }

    /// The policy of the nearest folder above a file, and the file that states it; of several in one folder the first.
    /// - Parameter file: nil for a stub without one, to which the outermost folder applies.
    func nearest(to file: String?) -> (file: String, policy: CORSPolicy)? {
        guard hasFolders.load(ordering: .relaxed) else { return nil }
        let policies = files.withLock { $0 }
        var nearest: (depth: Int, file: String, policy: CORSPolicy)?
        for (name, policy) in policies {
            let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
            let depth = folder.utf8.count { $0 == UInt8(ascii: "/") }
            let applies = file.map { $0.hasPrefix(folder) } ?? (folder.isEmpty || folder == "mappings/")
            guard applies else { continue }
            if let other = nearest, (other.depth, name) > (depth, other.file) || other.depth > depth { continue }
            nearest = (depth, name, policy)
        }
        return nearest.map { ($0.file, $0.policy) }
    }
}

extension Session {
    /// Takes what a file states for the stubs of its folder; nil if it states nothing, or is gone.
    public func replaceCORS(_ policy: CORSPolicy?, of file: String) { loaded.cors.replace(policy, of: file) }

    /// The files that state something for the stubs of their folders.
    public var corsFiles: [String] { loaded.cors.fileNames }
}
