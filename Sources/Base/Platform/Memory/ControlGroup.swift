/// The control group of the process, through which the system or a container limits its memory.
public struct ControlGroup: Sendable {
    private let root: String

    /// - Parameter root: a folder with `proc/self/cgroup` and `sys/fs/cgroup`; empty for the system's.
    public init(root: String = "") {
        self.root = root
    }

    /// The memory limit of the group and its ancestors, in bytes; nil for no limit.
    public var memoryLimit: Int? {
        let lines = bytes("/proc/self/cgroup").split(separator: UInt8(ascii: "\n"))
        let limits = lines.compactMap { line -> Int? in
            // `0::/path` in version 2, `4:memory:/path` and `4:cpu,memory:/path` in version 1.
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            if parts[0].elementsEqual("0".utf8), parts[1].isEmpty {
                return least("/sys/fs/cgroup", parts[2], "memory.max")
            }
            let controllers = parts[1].split(separator: UInt8(ascii: ","))
            guard controllers.contains(where: { $0.elementsEqual("memory".utf8) }) else { return nil }
            return least("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes")
        }
        return limits.min()
    }

    /// The minimum of the limits of a group and its ancestors. In a container the path may be the host's; then only the
    /// root exists.
    private func least(_ folder: String, _ path: ArraySlice<UInt8>, _ name: String) -> Int? {
        let slash = UInt8(ascii: "/")
        var path = path.elementsEqual("/".utf8) ? [] : path
        var least: Int?
        while true {
            // A sibling of the container's group, `/../a`, is not visible from within.
            let isVisible = !path.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
            let file = folder + String(decoding: path, as: UTF8.self) + "/" + name
            if isVisible, let limit = Self.limit(bytes(file)) { least = min(limit, least ?? .max) }
            guard let end = path.lastIndex(of: slash) else { return least }
            path = path[..<end]
        }
    }

    /// Parses a limit; nil for none, which version 1 writes as a number larger than any memory.
    private static func limit(_ text: [UInt8]) -> Int? {
        let word = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }.first
        let number = word.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        return number.flatMap { $0 > 0 && $0 < 1 << 60 ? Int($0) : nil }
    }

    /// The bytes of a file; empty if it cannot be read.
    private func bytes(_ path: String) -> [UInt8] {
        guard let file = try? SystemCalls.open(root + path, .read) else { return [] }
        return (try? SystemCalls.readAll(file, limit: 1 << 20, path: path)) ?? []
    }
}

extension MemoryLedger {
    /// The default limit: 512 MiB, or half of the group's limit if that is less.
    public static func usualLimit(in group: ControlGroup = ControlGroup()) -> Int {
        min(512 << 20, (group.memoryLimit ?? .max) / 2)
    }
}
