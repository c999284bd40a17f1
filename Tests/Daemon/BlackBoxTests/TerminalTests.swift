import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What SIGHUP means: with a terminal that it was closed, otherwise that the stub files have changed.
@Suite struct TerminalTests {
    private static let reading = "reading the stub files again"
    private static let files = ["a.yaml": "GET /a: { body: a }"]

    /// Runs a command under a terminal of its own until its input is closed, and closes the terminal then.
    private static let terminal = [
        "/usr/bin/env", "python3", "-c",
        """
        import os, pty, signal, sys
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        output, errors = os.dup(1), os.dup(2)
        process, end = pty.fork()
        if process == 0:
            os.dup2(output, 1)
            os.dup2(errors, 2)
            os.execvp(sys.argv[1], sys.argv[1:])
        sys.stdin.buffer.read()
        os.close(end)
        sys.exit(os.WEXITSTATUS(os.waitpid(process, 0)[1]))
        """,
    ]

    /// Runs a command without a terminal. The tests themselves may have one, and may ignore SIGHUP.
    private static let session = [
        "/usr/bin/env", "python3", "-c",
        """
        import os, signal, sys
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.setsid()
        os.execvp(sys.argv[1], sys.argv[1:])
        """,
    ]

    private func signal(_ number: Int32, _ daemon: Daemon) {
        if let process = daemon.ready["pid"]?.intValue { kill(pid_t(process), number) }
    }

    @Test func aDaemonEndsWithItsTerminal() throws {
        let daemon = try Daemon(files: Self.files, startedBy: Self.terminal)
        #expect(try daemon.get("/a").text == "a")
        daemon.process.closeInput()
        #expect(daemon.process.wait() == .exited(0))
        #expect(!daemon.process.errors.contains(Self.reading))
    }

    @Test func aDaemonUnderNohupOutlivesItsTerminal() throws {
        let daemon = try Daemon(files: Self.files, startedBy: Self.terminal + ["nohup"])
        defer { signal(SIGKILL, daemon) }
        daemon.process.closeInput()
        signal(SIGHUP, daemon)
        #expect(try daemon.get("/a").text == "a")
        try daemon.folder.write("b.yaml", "GET /b: { body: b }")
        #expect(try eventually { try daemon.get("/b").text == "b" ? true : nil } == true)
        #expect(!daemon.process.errors.contains(Self.reading))
    }

    @Test func itMeansReloadWithoutATerminal() throws {
        let daemon = try Daemon(files: Self.files, startedBy: Self.session)
        signal(SIGHUP, daemon)
        #expect(daemon.says(Self.reading))
        #expect(try daemon.get("/a").text == "a")
    }

    @Test(arguments: [[], ["nohup"]])
    func itMeansReloadIfTheOptionsSaySo(starter: [String]) throws {
        let daemon = try Daemon(files: Self.files, ["--reload-on-hup"], startedBy: Self.terminal + starter)
        defer { signal(SIGKILL, daemon) }
        signal(SIGHUP, daemon)
        #expect(daemon.says(Self.reading))
        #expect(try daemon.get("/a").text == "a")
    }
}
