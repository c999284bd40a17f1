import SDFolders
import Synchronization

/// Tells the folder's watch about files written by the daemon itself. The watch starts after the store is created.
package final class SelfWrites: Sendable {
    private let watch = Mutex<FolderWatch?>(nil)

    package init() {}

    func attach(_ watch: FolderWatch) {
        self.watch.withLock { $0 = watch }
    }

    var isWatching: Bool { watch.withLock { $0 != nil } }

    func accept(_ file: FolderFile) {
        watch.withLock { $0 }?.accept(file)
    }

    func accept(_ contents: StubFolderContents) {
        watch.withLock { $0 }?.accept(contents)
    }

    func acceptRemoval(of path: String) {
        watch.withLock { $0 }?.acceptRemoval(of: path)
    }

    /// Whether the watch knows the file: it was reported last as existing, or was written here since.
    func knows(_ path: String) -> Bool { watch.withLock { $0 }?.knows(path) ?? false }

    func stopWatching() {
        watch.withLock { watch in
            defer { watch = nil }
            return watch
        }?.stop()
    }
}
