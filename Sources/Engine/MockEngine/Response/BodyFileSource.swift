/// A body file as it stood when it was read.
public struct BodyFile: Sendable {
    public let bytes: [UInt8]
    /// Changes whenever the file does; never 0.
    public let version: UInt64
    /// When it was last changed: nanoseconds since 1970.
    public let modified: Int64

    public init(bytes: [UInt8], version: UInt64, modified: Int64) {
        self.bytes = bytes
        self.version = version
        self.modified = modified
    }
}

/// Why a body file cannot be served.
public struct BodyFileError: Error, Sendable, Equatable {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// Where `bodyFileName` is looked up: the `__files` folder. Called on the loop for each response, so it must be quick
/// for a file that did not change.
public protocol BodyFileSource: Sendable {
    func read(_ path: String) throws(BodyFileError) -> BodyFile
    /// Why a file can surely not be read, found out without reading it; nil where it may be.
    func problem(of path: String) -> BodyFileError?
}

extension BodyFileSource {
    public func problem(of path: String) -> BodyFileError? {
        do throws(BodyFileError) {
            _ = try read(path)
            return nil
        } catch {
            return error
        }
    }
}
