/// A failed system call, with the error number taken at the call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32
    /// The call that failed, by its name in C: `open`, `rename`.
    public let call: String
    /// The path that the call was about; empty if there was none.
    public let path: String

    public init(code: Int32, call: String, path: String = "") {
        self.code = code
        self.call = call
        self.path = path
    }

    /// The system's text for the error number.
    public var reason: String { SystemCalls.errorText(code) }

    /// Whether nothing exists at the path.
    public var isNotFound: Bool { SystemCalls.isNotFound(code) }

    /// Whether a buffer that another process empties is full for now.
    public var isFull: Bool { SystemCalls.isFull(code) }
    /// Whether nobody reads any more what is written.
    public var isBrokenPipe: Bool { SystemCalls.isBrokenPipe(code) }
    /// Whether the process or the system has run out of descriptors.
    public var isShortage: Bool { SystemCalls.isShortage(code) }

    /// Whether a disk, a quota or the limit of a file's size has no room for what is written.
    public var isNoRoom: Bool { SystemCalls.isNoRoom(code) }

    /// Whether something did not come in time.
    public var isTimeOut: Bool { SystemCalls.isTimeOut(code) }

    /// Whether links lead in a circle.
    public var isCircle: Bool { SystemCalls.isCircle(code) }

    /// Whether a permission is missing.
    public var isPermission: Bool { SystemCalls.isPermission(code) }

    public var description: String {
        path.isEmpty ? "\(call): \(reason)" : "\(path): \(reason) (\(call))"
    }
}

/// A fingerprint of a file's state: writing, replacing or truncating the file changes it.
public struct FileIdentity: Sendable, Hashable {
    /// The time of the content's last change, in nanoseconds since 1970.
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
    /// The number of hard links to the file.
    public var links: Int
    /// Who may do what with it, as `chmod` has it: `0o644`.
    public var permissions: UInt16
}

/// An open file, closed when the value ends.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The system's number for the open file, valid as long as this value exists.
    public let number: Int32

    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }

    /// Gives the number to another owner, who closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
