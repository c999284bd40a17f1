/// A system call that failed, with the error number taken at the call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32
    /// What failed, as the system names it: `open`, `rename`.
    public let call: String
    /// The path it was about; empty if none.
    public let path: String

    public init(code: Int32, call: String, path: String = "") {
        self.code = code
        self.call = call
        self.path = path
    }

    /// The system's text for the error number.
    public var reason: String { SystemCalls.errorText(code) }

    /// Whether nothing stands at the path.
    public var isNotFound: Bool { SystemCalls.isNotFound(code) }

    /// Whether the process, or the system, has no descriptor left.
    public var isShortage: Bool { SystemCalls.isShortage(code) }

    /// Whether a link leads to itself.
    public var isCircle: Bool { SystemCalls.isCircle(code) }

    /// Whether the process lacks the right.
    public var isPermission: Bool { SystemCalls.isPermission(code) }

    public var description: String {
        path.isEmpty ? "\(call): \(reason)" : "\(path): \(reason) (\(call))"
    }
}

/// Tells one state of a file from another: a write, a replacement or a truncation changes it.
public struct FileIdentity: Sendable, Hashable {
    /// The time of the last change of the content, in nanoseconds since 1970.
    public var modified: Int64
    public var size: Int64
    public var inode: UInt64
    public var device: UInt64
}

public struct FileStatus: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case file
        case folder
        case link
        /// A pipe, a socket or a device.
        case other
    }

    public var kind: Kind
    public var identity: FileIdentity
    /// The number of names that the file has.
    public var links: Int
}

/// An open file, closed when the value ends.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number by which the system knows the open file. It is valid as long as this value lives.
    public let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }
}
