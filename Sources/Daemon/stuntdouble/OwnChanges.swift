import Folders
import Synchronization

/// Passes on to the folder's watch what the daemon itself wrote. The watch begins after the store is made.
final class OwnChanges: Sendable {
    private let watch = Mutex<FolderWatch?>(nil)

    func tell(_ watch: FolderWatch) {
        self.watch.withLock { $0 = watch }
    }

    func accept(_ file: Folders.StubFile) {
        watch.withLock { $0 }?.accept(file)
    }

    func accept(_ contents: StubFolderContents) {
        watch.withLock { $0 }?.accept(contents)
    }

    func acceptRemoval(of path: String) {
        watch.withLock { $0 }?.acceptRemoval(of: path)
    }

    func stopWatching() {
        watch.withLock { watch in
            defer { watch = nil }
            return watch
        }?.stop()
    }
}
