import SDFolders
import SDPlatform
import SDStubFiles
import Synchronization

/// The files read because of one stub file, and their problems.
final class ReferencedFiles: Sendable {
    /// The path of the stub file in the folder.
    let file: String
    private let folder: StubFolder
    /// The folder of the stub file in the folder, with a slash at its end.
    private let place: String
    private let state = Mutex<(read: [String: FileStamp?], mistakes: [FileDiagnostic])>(([:], []))

    init(of file: String, in folder: StubFolder) {
        self.file = file
        self.folder = folder
        place = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// Reads a file, by its path relative to the stub file's folder.
    func bytes(of path: String) -> [UInt8]? {
        let identity = folder.state(of: place + path)
        state.withLock { _ = $0.read.updateValue(identity, forKey: place + path) }
        return folder.neighbour(path, of: file)
    }

    /// Records a problem with a file whose last good content is used.
    func note(_ mistake: FileDiagnostic) {
        var mistake = mistake
        mistake.file = folder.path + "/" + place + mistake.file
        state.withLock { $0.mistakes.append(mistake) }
    }

    /// The files that were looked up, by path in the folder, with their state; nil for missing ones.
    var read: [String: FileStamp?] { state.withLock { $0.read } }
    /// The same paths, for messages.
    var paths: [String] { read.keys.map { folder.path + "/" + $0 } }
    /// The problems of broken files.
    var mistakes: [FileDiagnostic] { state.withLock { $0.mistakes } }
}
