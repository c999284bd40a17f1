private import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What an open file is to those who wait for its end.
public enum StreamKind: Sendable, Hashable {
    /// Closed when its other end is.
    case pipe
    /// The same.
    case socket
    /// Hung up when it goes away.
    case terminal
    /// A file, or a device such as `/dev/null`; also one that is not open. Its end says nothing.
    case other
}

extension SystemCalls {
    /// The number of the process that began this one, or took it over; 0 where it stands outside of what this one can see.
    public static var parentIdentifier: Int32 { getppid() }

    /// Whether the parent only took this process over from another that has ended, as far as can be told.
    public static func isOrphan(of parent: Int32) -> Bool { cp_is_orphan(parent) != 0 }

    /// Returns when the parent process of this number has ended.
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

    /// Returns when a terminal has hung up. Reads nothing: what is typed may be meant for others, and a process in the
    /// background that reads would be stopped.
    public static func waitUntilHungUp(_ number: Int32) {
        while true {
            var entry = pollfd(fd: number, events: 0, revents: 0)
            guard retrying({ poll(&entry, 1, -1) }) >= 0 else { return }
            if entry.revents != 0 { return }
        }
    }

    /// The name of a process as the system lists it; nil where that cannot be told.
    public static func processName(_ identifier: Int32) -> String? {
        guard let file = try? open("/proc/\(identifier)/comm", .read), let bytes = try? readAll(file, limit: 256) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    }
}
