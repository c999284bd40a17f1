/// A body file in the version that was read.
public struct BodyFile: Sendable {
    public let content: BodyContent
    /// The number of the version, which changes whenever the file does; never 0.
    public let version: UInt64
    /// The time of the last change, in nanoseconds since 1970.
    public let modified: Int64

    public init(_ content: BodyContent, version: UInt64, modified: Int64) {
        self.content = content
        self.version = version
        self.modified = modified
    }

    public init(bytes: [UInt8], version: UInt64, modified: Int64) {
        self.init(.bytes(bytes), version: version, modified: modified)
    }

    /// Whether the content is in memory, so that all requests can share what is rendered from it.
    public var isInMemory: Bool { content.isInMemory }
}

/// The reason why a body file cannot be served.
public struct BodyFileError: Error, Sendable, Equatable {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// The `__files` folder for responses. Called on the loop for each response, so it must be quick for an unchanged file.
public protocol BodyFileSource: Sendable {
    /// The current content of a file.
    /// - Throws: why the file cannot be served.
    func read(_ path: String) throws(BodyFileError) -> BodyFile
    /// Why a file certainly cannot be read, determined without reading it; nil if it may be readable.
    func problem(of path: String) -> BodyFileError?
    /// Whether a file or folder with this path may exist; called for an unmatched request. False is certain.
    func mayHave(_ path: String) -> Bool
    /// Drops cached contents, because memory is short.
    func forgetContents()
}

extension BodyFileSource {
    public func mayHave(_ path: String) -> Bool { true }

    public func forgetContents() {}

    public func problem(of path: String) -> BodyFileError? {
        do throws(BodyFileError) {
            _ = try read(path)
            return nil
        } catch {
            return error
        }
    }
}
