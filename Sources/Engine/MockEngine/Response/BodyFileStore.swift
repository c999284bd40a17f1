/// The folder of body files, for those who change it: `__files`. Paths are relative to it, with `/` between names; none
/// leads out of it, neither by `..` nor by a link.
public protocol BodyFileStore: Sendable {
    /// The paths of all files, those in folders too, in the order of their bytes.
    func paths() throws(BodyFileRefusal) -> [String]
    func content(_ path: String) throws(BodyFileRefusal) -> [UInt8]
    /// Writes a file, whole or not at all, and makes the folders that it needs.
    func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal)
    /// Removes a file; it is no error if there is none.
    func remove(_ path: String) throws(BodyFileRefusal)
}

/// Why a body file was not given, written or removed.
public enum BodyFileRefusal: Error, Sendable, Hashable {
    case notFound
    /// The path leads out of the folder.
    case outside(String)
    /// The path is none, or too long.
    case invalid(String)
    /// A folder stands where a file is meant, or a file where a folder is.
    case conflict(String)
    /// The system refused.
    case failed(String)
}

/// For an engine without a folder.
public struct NoBodyFiles: BodyFileSource, BodyFileStore {
    public init() {}

    public func read(_ path: String) throws(BodyFileError) -> BodyFile {
        throw BodyFileError(path: path, reason: Self.reason)
    }

    public func paths() -> [String] { [] }

    public func content(_ path: String) throws(BodyFileRefusal) -> [UInt8] { throw .notFound }

    public func write(_ path: String, _ bytes: [UInt8]) throws(BodyFileRefusal) { throw .failed(Self.reason) }

    public func remove(_ path: String) {}

    private static let reason = "there is no folder of body files"
}
