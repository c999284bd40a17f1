import SDFolders
import SDPlatform
import SDStubFiles
import Synchronization

/// The files that are read because of one stub file, and what is wrong with them.
final class ReadNeighbours: Sendable {
    /// The path of the stub file in the folder.
    let file: String
    private let folder: StubFolder
    /// The folder of the stub file in the folder, with a slash at its end.
    private let place: String
    private let state = Mutex<(read: [String: FileIdentity?], mistakes: [FileDiagnostic])>(([:], []))

    init(of file: String, in folder: StubFolder) {
        self.file = file
        self.folder = folder
        place = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// Reads a file by its path from the stub file's folder.
    func bytes(of path: String) -> [UInt8]? {
        let identity = folder.state(of: place + path)
        state.withLock { _ = $0.read.updateValue(identity, forKey: place + path) }
        return folder.neighbour(path, of: file)
    }

    /// Notes that a file is broken, in whose place its last good content counts.
    func note(_ mistake: FileDiagnostic) {
        var mistake = mistake
        mistake.file = folder.path + "/" + place + mistake.file
        state.withLock { $0.mistakes.append(mistake) }
    }

    /// The files that were looked for, by their paths in the folder, as they were then; nil for those that are not there.
    var read: [String: FileIdentity?] { state.withLock { $0.read } }
    /// Their paths for messages.
    var paths: [String] { read.keys.map { folder.path + "/" + $0 } }
    /// What is wrong with those that are broken.
    var mistakes: [FileDiagnostic] { state.withLock { $0.mistakes } }
}
