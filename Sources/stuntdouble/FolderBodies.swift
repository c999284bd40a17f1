import Folders
import MockEngine
import Platform

/// `__files` for the engine.
struct FolderBodies: BodyFileSource {
    let files: BodyFiles

    func read(_ path: String) throws(MockEngine.BodyFileError) -> BodyFile {
        do throws(Folders.BodyFileError) {
            let (bytes, identity) = try files.read(path)
            return BodyFile(bytes: bytes, version: UInt64(bitPattern: Int64(identity.hashValue)) | 1)
        } catch {
            throw BodyFileError(path: path, reason: error.description)
        }
    }
}
