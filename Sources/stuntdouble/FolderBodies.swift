import Folders
import MockEngine

/// `__files` for the engine.
struct FolderBodies: BodyFileSource {
    let files: BodyFiles

    func read(_ path: String) throws(MockEngine.BodyFileError) -> BodyFile {
        do throws(Folders.BodyFileError) {
            let (bytes, version) = try files.read(path)
            return BodyFile(bytes: bytes, version: version)
        } catch {
            throw BodyFileError(path: path, reason: error.description)
        }
    }
}
