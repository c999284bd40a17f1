import SDPlatform
import SDTestSupport
import Testing

/// The limit of a container or control group, as the system's files have it.
@Suite struct ControlGroupTests {
    struct Group: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        let limit: Int?
    }

    private static let v2 = "sys/fs/cgroup/"
    private static let v1 = "sys/fs/cgroup/memory/"
    private static let ownGroup = "proc/self/cgroup"

    static let groups: [Group] = [
        Group(testDescription: "no files", files: [:], limit: nil),
        Group(
            testDescription: "version 2 in a container",
            files: [ownGroup: "0::/\n", v2 + "memory.max": "268435456\n"], limit: 256 << 20),
        Group(
            testDescription: "version 2 without a limit", files: [ownGroup: "0::/\n", v2 + "memory.max": "max\n"],
            limit: nil),
        Group(
            testDescription: "a group within a smaller one",
            files: [
                ownGroup: "0::/a.slice/b.scope\n", v2 + "a.slice/memory.max": "1048576\n",
                v2 + "a.slice/b.scope/memory.max": "max\n",
            ], limit: 1 << 20),
        Group(
            testDescription: "a group within a larger one",
            files: [
                ownGroup: "0::/a/b\n", v2 + "a/memory.max": "4096000\n", v2 + "a/b/memory.max": "1048576\n",
            ], limit: 1 << 20),
        Group(
            testDescription: "version 1",
            files: [
                ownGroup: "12:pids:/x\n4:cpu,memory:/docker/a\n0::/system\n",
                v1 + "docker/a/memory.limit_in_bytes": "536870912\n",
                v1 + "memory.limit_in_bytes": "9223372036854771712\n",
            ], limit: 512 << 20),
        Group(
            testDescription: "version 1 with the path of the host",
            files: [ownGroup: "4:memory:/docker/a\n", v1 + "memory.limit_in_bytes": "536870912\n"], limit: 512 << 20),
        Group(
            testDescription: "version 1 without a limit",
            files: [ownGroup: "4:memory:/\n", v1 + "memory.limit_in_bytes": "9223372036854771712\n"], limit: nil),
        Group(
            testDescription: "nonsense", files: [ownGroup: "0:/\n:::\nx\n0::/../..\n", v2 + "memory.max": "-5\n"],
            limit: nil),
    ]

    @Test(arguments: groups) func theLeastLimitCounts(group: Group) throws {
        let folder = try TemporaryFolder()
        for (name, text) in group.files { try folder.write(name, text) }
        #expect(ControlGroup(root: folder.path).memoryLimit == group.limit)
        let usual = min(512 << 20, (group.limit ?? .max) / 2)
        #expect(MemoryLedger.usualLimit(in: ControlGroup(root: folder.path)) == usual)
    }
}
