internal import SDPlatform

/// The control group of the process, in which the system or a container limits its memory.
public struct ControlGroup: Sendable {
    private let root: String

    /// - Parameter root: a folder with `proc/self/cgroup` and `sys/fs/cgroup`; empty for those of the system.
    public init(root: String = "") {
        self.root = root
    }

    /// The memory that the group, and those around it, may take, in bytes; nil if there is no limit.
    public var memoryLimit: Int? {
        let lines = (text("/proc/self/cgroup") ?? "").split(separator: "\n")
        let limits = lines.compactMap { line -> Int? in
            // `0::/path` in version 2, `4:memory:/path` and `4:cpu,memory:/path` in version 1.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            if parts[0] == "0", parts[1].isEmpty { return least("/sys/fs/cgroup", parts[2], "memory.max") }
            guard parts[1].split(separator: ",").contains("memory") else { return nil }
            return least("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes")
        }
        return limits.min()
    }

    /// The least limit of a group and of those around it. In a container the path may be that of the host, where only
    /// the last of them is there.
    private func least(_ folder: String, _ path: Substring, _ name: String) -> Int? {
        var path = path == "/" ? "" : path
        var least: Int?
        while true {
            // A group beside that of the container, `/../a`, cannot be seen from within.
            let isVisible = !path.split(separator: "/").contains("..")
            if isVisible, let limit = text("\(folder)\(path)/\(name)").flatMap(Self.limit) {
                least = min(limit, least ?? .max)
            }
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return least }
            path = path[..<slash]
        }
    }

    /// A limit as the files have it; nil for none, which version 1 writes as a number larger than any memory.
    private static func limit(_ text: String) -> Int? {
        let number = text.split { $0 == "\n" || $0 == " " }.first.flatMap { UInt64($0) }
        return number.flatMap { $0 > 0 && $0 < 1 << 60 ? Int($0) : nil }
    }

    private func text(_ path: String) -> String? {
        guard let file = try? SystemCalls.open(root + path, .read),
            let bytes = try? SystemCalls.readAll(file, limit: 1 << 20, path: path)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MemoryLedger {
    /// The limit where none is given: 512 MiB, or half of what the process may take if that is less.
    public static func usualLimit(in group: ControlGroup = ControlGroup()) -> Int {
        min(512 << 20, (group.memoryLimit ?? .max) / 2)
    }
}
