/// A failed system call, with the error number taken at the call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32
    /// The name of the C function that failed: `open`, `rename`.
    public let call: String
    /// The path of the call; empty if it has none.
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

    /// Whether a buffer that another process empties is full.
    public var isFull: Bool { SystemCalls.isFull(code) }
    /// Whether the reader of the data is gone (EPIPE).
    public var isBrokenPipe: Bool { SystemCalls.isBrokenPipe(code) }
    /// Whether the process or the system has run out of descriptors.
    public var isShortage: Bool { SystemCalls.isShortage(code) }

    /// Whether a disk, a quota or the file size limit is full.
    public var isNoRoom: Bool { SystemCalls.isNoRoom(code) }

    /// Whether a timeout passed.
    public var isTimeOut: Bool { SystemCalls.isTimeOut(code) }

    /// Whether links form a cycle.
    public var isCircle: Bool { SystemCalls.isCircle(code) }

    /// Whether a permission is missing.
    public var isPermission: Bool { SystemCalls.isPermission(code) }

    public var description: String {
        path.isEmpty ? "\(call): \(reason)" : "\(path): \(reason) (\(call))"
    }
}

/// A fingerprint of a file's state: writing, replacing or truncating the file changes it.
public struct FileStamp: Sendable, Hashable {
    /// The modification time, in nanoseconds since 1970.
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
    public var identity: FileStamp
    /// The number of hard links to the file.
    public var links: Int
    /// The permission bits, as for `chmod`: `0o644`.
    public var permissions: UInt16
}

/// An open file, closed when the value ends.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor number, valid as long as this value exists.
    public let number: Int32

    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }

    /// Releases the number to the caller, who closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
