/// The control group of the process, in which the system or a container limits its memory.
public struct ControlGroup: Sendable {
    private let root: String

    /// - Parameter root: a folder with `proc/self/cgroup` and `sys/fs/cgroup`; empty for those of the system.
    public init(root: String = "") {
        self.root = root
    }

    /// The memory that the group, and those around it, may take, in bytes; nil if there is no limit.
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

    /// The least limit of a group and of those around it. In a container the path may be that of the host, where only
    /// the last of them is there.
    private func least(_ folder: String, _ path: ArraySlice<UInt8>, _ name: String) -> Int? {
        let slash = UInt8(ascii: "/")
        var path = path.elementsEqual("/".utf8) ? [] : path
        var least: Int?
        while true {
            // A group beside that of the container, `/../a`, cannot be seen from within.
            let isVisible = !path.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
            let file = folder + String(decoding: path, as: UTF8.self) + "/" + name
            if isVisible, let limit = Self.limit(bytes(file)) { least = min(limit, least ?? .max) }
            guard let end = path.lastIndex(of: slash) else { return least }
            path = path[..<end]
        }
    }

    /// A limit as the files have it; nil for none, which version 1 writes as a number larger than any memory.
    private static func limit(_ text: [UInt8]) -> Int? {
        let word = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }.first
        let number = word.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        return number.flatMap { $0 > 0 && $0 < 1 << 60 ? Int($0) : nil }
    }

    /// The bytes of a file; none if it cannot be read.
    private func bytes(_ path: String) -> [UInt8] {
        guard let file = try? SystemCalls.open(root + path, .read) else { return [] }
        return (try? SystemCalls.readAll(file, limit: 1 << 20, path: path)) ?? []
    }
}

extension MemoryLedger {
    /// The limit where none is given: 512 MiB, or half of what the process may take if that is less.
    public static func usualLimit(in group: ControlGroup = ControlGroup()) -> Int {
        min(512 << 20, (group.memoryLimit ?? .max) / 2)
    }
}
