public import SDStubModel
import Synchronization

/// The CORS policies of a daemon's stub files.
final class CORSPolicies: Sendable {
    /// Whether any stub or folder has, or ever had, a policy of its own.
    let isUsed = Atomic(false)
    /// Whether a folder has, or ever had, a policy.
    let hasFolders = Atomic(false)
    private let files = Mutex<[String: CORSPolicy]>([:])
    /// The file from which a call loaded each stub; such stubs do not name their file themselves.
    private let loaded = Mutex<[StubMapping.ID: String]>([:])

    /// Sets the policy of a file for its folder; nil removes it.
    func replace(_ policy: CORSPolicy?, of file: String) {
        files.withLock { $0[file] = policy }
        guard policy != nil else { return }
        isUsed.store(true, ordering: .relaxed)
        hasFolders.store(true, ordering: .relaxed)
    }

    var fileNames: [String] { files.withLock { Array($0.keys) } }

    /// Records the file of loaded stubs.
    func note(_ ids: [StubMapping.ID], of file: String) {
        loaded.withLock { loaded in for id in ids { loaded[id] = file } }
    }

    /// The file from which a call loaded a stub; nil if none did.
    func file(of id: StubMapping.ID) -> String? { loaded.withLock { $0[id] } }

    /// Removes the policies of all files. `isUsed` and `hasFolders` stay set.
    func removeAll() {
        files.withLock { $0 = [:] }
        loaded.withLock { $0 = [:] }
    }

    /// Returns the policy of the nearest folder above a file, and the file that states it. If several files of a folder
    /// state one, the first counts.
    /// - Parameter file: nil for a stub without a file; the outermost folder's policy applies to it.
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
    /// Sets the policy that a file states for the stubs of its folder; nil if it states none or was removed.
    public func replaceCORS(_ policy: CORSPolicy?, of file: String) { loaded.cors.replace(policy, of: file) }

    /// The files that state a policy for the stubs of their folders.
    public var corsFiles: [String] { loaded.cors.fileNames }
}
