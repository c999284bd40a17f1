import AdminAPI
import Folders
import HTTPMessages
import MockEngine
import Platform

/// `__files` for the engine.
struct FolderBodies: BodyFileSource {
    let files: BodyFiles

    func read(_ path: String) throws(BodyFileError) -> BodyFile {
        do throws(BodyFileProblem) {
            switch try files.open(path) {
            case .content(let bytes, let version, let modified):
                return BodyFile(bytes: bytes, version: version, modified: modified)
            case .large(let file, let version, let modified):
                return BodyFile(.file(file, 0..<file.size), version: version, modified: modified)
            }
        } catch {
            throw BodyFileError(path: path, reason: error.description)
        }
    }

    func problem(of path: String) -> BodyFileError? {
        files.problem(of: path).map { BodyFileError(path: path, reason: $0.description) }
    }
}

/// `__files` for the admin API.
extension FolderBodies: BodyFileStore {
    func paths() throws(BodyFileRefusal) -> [String] {
        do throws(SystemError) {
            return try files.paths()
        } catch {
            throw .failed(error.description)
        }
    }

    func content(_ path: String) throws(BodyFileRefusal) -> [UInt8] {
        do throws(BodyFileProblem) {
            return try files.read(path).bytes
        } catch {
            // A folder is not a file to be read; its files are in the list.
            if case .notAFile = error { throw .notFound }
            throw Self.refusal(error)
        }
    }

    func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) {
        do throws(BodyFileProblem) {
            try files.write(path, bytes)
        } catch {
            // A path that no file can have is the caller's mistake.
            if case .notFound = error { throw .invalid("the path of a body file has no zero byte") }
            throw Self.refusal(error)
        }
    }

    func remove(_ path: String) throws(BodyFileRefusal) {
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
