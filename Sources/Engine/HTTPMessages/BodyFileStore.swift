/// The `__files` folder for the admin API. Paths are relative to it, with `/` between names; none leads out of it,
/// neither by `..` nor by a link.
public protocol BodyFileStore: Sendable {
    /// The paths of all files, including subfolders, in byte order.
    /// - Throws: if the folder cannot be read.
    func paths() throws(BodyFileRefusal) -> [String]
    /// The content of a file.
    /// - Throws: for a path that is invalid or leads out of the folder, and if there is no such file or it cannot be
    ///   read.
    func content(_ path: String) throws(BodyFileRefusal) -> BodyContent
    /// Writes a file atomically, and creates the folders that it needs.
    /// - Throws: for a path that is invalid or leads out of the folder, and if the system fails.
    func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal)
    /// Checks whether `write` could succeed, without changing any file.
    /// - Throws: why it could not.
    func tryWriting(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal)
    /// Removes a file; a missing file is not an error.
    /// - Throws: for a path that is invalid or leads out of the folder, and if the system fails.
    func remove(_ path: String) throws(BodyFileRefusal)
}

extension BodyFileStore {
    public func tryWriting(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) {}
}

/// The reason why a body file was not read, written or removed.
public enum BodyFileRefusal: Error, Sendable, Hashable {
    case notFound
    /// The path leads out of the folder.
    case outside(String)
    /// The path is invalid or too long.
    case invalid(String)
    /// A folder in place of the file, or a file in place of a folder.
    case conflict(String)
    /// The system failed.
    case failed(String)

    /// The reason without a full stop.
    public var reason: String {
        switch self {
        case .notFound: "there is no such file"
        case .outside(let reason), .invalid(let reason), .conflict(let reason), .failed(let reason): reason
        }
    }
}

/// The body files of an engine without a folder.
public struct NoBodyFiles: BodyFileSource, BodyFileStore {
    public init() {}

    public func read(_ path: String) throws(BodyFileError) -> BodyFile {
        throw BodyFileError(path: path, reason: Self.reason)
    }

    public func paths() -> [String] { [] }

    public func content(_ path: String) throws(BodyFileRefusal) -> BodyContent { throw .notFound }

    public func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) { throw .failed(Self.reason) }

    public func remove(_ path: String) {}

    private static let reason = "there is no folder of body files"
}
