import SDTestSupport
import Testing

/// `--exit-with-parent`, with different kinds of parents.
@Suite struct ParentTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
        try scratch.write("mocks/a.yaml", "GET /a: { body: here }")
    }

    private static let python = """
        import subprocess, sys
        subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
        sys.stdin.read()
        """

    /// Programs that start a command without its own input, and end when their own input ends.
    static let starters: [(name: String, command: [String])] = [
        ("a script with &", ["/bin/sh", "-c", "\"$@\" & read line", "sh"]),
        ("a script with & and a file", ["/bin/sh", "-c", "\"$@\" </etc/passwd & read line", "sh"]),
        ("a script with & and no input", ["/bin/sh", "-c", "\"$@\" <&- & read line", "sh"]),
        ("Python with DEVNULL", ["/usr/bin/env", "python3", "-c", python]),
    ]

    @Test(arguments: starters.indices)
    func theDaemonServesAsLongAsItsParentLives(starter: Int) throws {
        let (name, command) = Self.starters[starter]
        let arguments = command.dropFirst() + daemon
        let parent = try ChildProcess(command[0], Array(arguments), outputsIn: scratch)
        let port = try waitForPort(parent)
        try expectAnswer(port)
        let watched = "--exit-with-parent watches the parent process \(parent.identifier)"
        #expect(eventually { parent.errors.contains(watched) ? true : nil } == true, "\(name): \(parent.errors)")
        parent.closeInput()
        #expect(parent.wait() != nil, "\(name)")
        expectEnd(port, name)
        let isRemoved: Bool? = eventually { (try? scratch.read("port")) == nil ? true : nil }
        #expect(isRemoved == true, "\(name)")
    }

    @Test func aPipeIsWatchedInsteadOfTheParent() throws {
        let process = try ChildProcess(daemon[0], Array(daemon.dropFirst()), outputsIn: scratch)
        let port = try waitForPort(process)
        #expect(eventually { process.errors.contains("watches standard input, a pipe") ? true : nil } == true)
        try expectAnswer(port)
        process.closeInput()
        #expect(process.wait() == .exited(0))
    }

    #if os(Linux)
        /// An orphan stays in the session of its original parent.
        @Test func aDaemonWhoseParentHasAlreadyExitedEnds() throws {
            // The inner shell waits until the outer one has ended, then becomes the daemon.
            let command = "(while kill -0 $$ 2>&-; do sleep 0.01; done; exec \"$@\" </dev/null) & exit"
            let outer = try ChildProcess(
                "/usr/bin/setsid", ["-w", "/bin/sh", "-c", command, "sh"] + daemon, outputsIn: scratch)
            #expect(outer.wait() != nil)
            let said: Bool? = eventually(within: 30_000) {
                outer.errors.contains("ends the daemon: the parent process has already exited\n")
                    ? true : nil
            }
            #expect(said == true, "\(outer.errors)")
            let isGone: Bool? = eventually(within: 30_000) { (try? scratch.read("port")) == nil ? true : nil }
            #expect(isGone == true)
        }
    #endif

    private var daemon: [String] {
        [
            Daemon.binary, scratch.path + "/mocks", "--port", "0", "--port-file", scratch.path + "/port",
            "--exit-with-parent",
        ]
    }

    private func waitForPort(_ process: ChildProcess) throws -> UInt16 {
        let text = eventually(within: 30_000) { try? scratch.read("port") }
        return try #require(UInt16((text ?? "").dropLast()), "\(process.errors)")
    }

    private func expectAnswer(_ port: UInt16) throws {
        let client = try RawClient(port: port)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(HTTPAnswer(client.receiveAll().bytes)?.text == "here")
    }

    private func expectEnd(_ port: UInt16, _ name: String) {
        let isGone: Bool? = eventually(within: 30_000) { (try? RawClient(port: port)) == nil ? true : nil }
        #expect(isGone == true, "\(name)")
    }
}
