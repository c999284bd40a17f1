private import SDCPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kind of an open file, by how its end is noticed.
public enum StreamKind: Sendable, Hashable {
    /// A pipe. It ends when its other end is closed.
    case pipe
    /// A socket. It ends when its other end is closed.
    case socket
    /// A terminal. It ends by hanging up.
    case terminal
    /// A file, a device such as `/dev/null`, or a closed descriptor. It has no end to wait for.
    case other
}

extension SystemCalls {
    /// The parent's process id, possibly of a process that has adopted this one; 0 if it is outside of this process's
    /// namespace.
    public static var parentIdentifier: Int32 { getppid() }

    /// Whether `parent` only adopted this process after its real parent had ended, as far as known.
    public static func isOrphan(of parent: Int32) -> Bool { cp_is_orphan(parent) != 0 }

    /// Waits until the parent process with this id has ended.
    public static func waitForParent(_ parent: Int32) { cp_wait_for_parent(parent) }

    public static func kindOfStream(_ number: Int32) -> StreamKind {
        var buffer = stat()
        guard fstat(number, &buffer) == 0 else { return .other }
        switch buffer.st_mode & S_IFMT {
        case S_IFIFO: return .pipe
        case S_IFSOCK: return .socket
        default: return isatty(number) == 1 ? .terminal : .other
        }
    }

    /// Waits until a terminal hangs up. Reads no input: it may be meant for another process, and the system stops a
    /// background process that reads from its terminal.
    public static func waitUntilHungUp(_ number: Int32) {
        while true {
            var entry = pollfd(fd: number, events: 0, revents: 0)
            guard retrying({ poll(&entry, 1, -1) }) >= 0 else { return }
            if entry.revents != 0 { return }
        }
    }

    /// The name of a process; nil if unknown.
    public static func processName(_ identifier: Int32) -> String? {
        guard let file = try? open("/proc/\(identifier)/comm", .read), let bytes = try? readAll(file, limit: 256) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    }
}
