import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Runs of `stuntdouble run` in a folder of stubs, apart from those of other tests.
struct Runs {
    let folder: TemporaryFolder
    private let scratch: TemporaryFolder
    /// A variable by which the processes of these runs are told from others.
    private let mark = "RUN_OF_TEST=\(UInt64.random(in: .min ... .max))"

    static let stubs = [
        "mappings/shop.yaml": """
        GET /users/{id}: { json: { id: 1 } }
        GET /broken: { fault: CONNECTION_RESET_BY_PEER }

        """
    ]

    init(_ files: [String: String] = Self.stubs) throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
    }

    /// Begins a run.
    func start(
        _ arguments: [String], startedBy starter: [String] = [], environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let parts = mark.split(separator: "=")
        let words = starter + [Daemon.binary] + arguments
        return try ChildProcess(
            words[0], Array(words.dropFirst()),
            environment: [
                String(parts[0]): String(parts[1]), "XDG_RUNTIME_DIR": scratch.path,
                "XDG_STATE_HOME": scratch.path,
            ].merging(environment) { $1 },
            folder: folder.path, outputsIn: scratch)
    }

    /// Runs a script of the shell with the stubs of the folder.
    func script(
        _ text: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> ChildProcess {
        try start(["run", "."] + options + ["--", "/bin/sh", "-c", text], environment: environment)
    }

    /// The numbers of the processes that are left of these runs.
    func processes() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.filter {
            FileManager.default.contents(atPath: "/proc/\($0)/environ")?.range(of: Data(mark.utf8)) != nil
        }
    }

    /// Waits until no process is left.
    func nothingIsLeft() -> Bool { eventually(within: 20_000) { processes().isEmpty ? true : nil } ?? false }

    /// A script that asks for a path, by the shell's own means.
    static func ask(_ path: String) -> String {
        """
        python3 - "$STUNTDOUBLE_URL\(path)" <<'END'
        import sys, urllib.request
        try: urllib.request.urlopen(sys.argv[1]).read()
        except Exception: pass
        END

        """
    }
}

/// `stuntdouble run` with one command at a time.
@Suite struct RunCommandTests {
    @Test(arguments: [
        ("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -15 $$", 143), ("exec no-such-command", 127),
    ])
    func theStatusIsTheCommands(script: String, status: Int32) throws {
        let runs = try Runs()
        let process = try runs.script(script)
        #expect(process.wait() == .exited(status))
    }

    @Test func aCommandThatCannotBeStartedIsNamed() throws {
        let runs = try Runs()
        try runs.folder.write("script", "#!/bin/sh\n")
        try runs.folder.writeProgram("odd", "#!/no/such/interpreter\n")
        for (command, status, reason) in [
            ("no-such-command", 127, "no such command\nTry: install no-such-command, or name its path"),
            ("./nothing", 127, "no such command\nTry: install ./nothing, or name its path"),
            ("./script", 126, "it is not executable\nTry: chmod +x ./script"),
            (
                "./odd", 127,
                "the interpreter that its first line names does not exist\nTry: correct the first line of ./odd"
            ),
        ] as [(String, Int32, String)] {
            let process = try runs.start(["run", ".", "--", command])
            #expect(process.wait() == .exited(status))
            #expect(process.errors == "stuntdouble: cannot run \(command): \(reason)\n")
        }
        #expect(runs.nothingIsLeft())
    }

    @Test(arguments: [
        (["cd", "app"], "sh -c 'cd app'"), (["API_URL=x", "npm", "test"], "env API_URL=x npm test"),
        (["curl -s http://x/y"], "curl -s http://x/y"),
    ])
    func whatOnlyAShellUnderstandsIsToldAsItCanBeRun(command: [String], meant: String) throws {
        let runs = try Runs()
        let process = try runs.start(["run", ".", "--"] + command)
        #expect(process.wait() == .exited(127))
        #expect(process.errors.hasSuffix("no such command\nTry: stuntdouble run … -- \(meant)\n"), "\(process.errors)")
        #expect(runs.nothingIsLeft())
    }

    @Test(
        arguments: [
            (["true"], ["--fail-on", "unmatched"], "warning: no requests to the mock server"),
            (["true"], [], nil),
            (["true"], ["--fail-on", "none"], nil),
            (["echo", "http:///users/1"], [], "$STUNTDOUBLE_URL was empty"),
            (["echo", ""], [], "$STUNTDOUBLE_URL was empty"),
        ] as [([String], [String], String?)])
    func aRunThatAskedNothingSaysWhy(command: [String], options: [String], warning: String?) throws {
        let runs = try Runs()
        let process = try runs.start(["run", "."] + options + ["--"] + command)
        #expect(process.wait() == .exited(0))
        #expect(process.errors.contains("stuntdouble: no requests to http://"), "\(process.errors)")
        #expect(process.errors.contains("warning: ") == (warning != nil), "\(process.errors)")
        if let warning { #expect(process.errors.contains(warning), "\(process.errors)") }
        #expect(runs.nothingIsLeft())
    }

    @Test func thePortFileOfADaemonAroundItStays() throws {
        let runs = try Runs()
        try runs.folder.write("port", "1\n")
        let file = runs.folder.path + "/port"
        let process = try runs.script("cat \(file)", environment: ["STUNTDOUBLE_PORT_FILE": file])
        #expect(process.wait() == .exited(0))
        #expect(process.output == "1\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "1\n")
    }

    @Test func reportsOfBothCommandsMakeTheirFolders() throws {
        let runs = try Runs()
        let script = "exec \(Daemon.binary) report --format text --output c/d/report.txt"
        let process = try runs.script(script, ["--report", "text=a/b/report.txt"])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        for path in ["a/b/report.txt", "c/d/report.txt"] {
            #expect(FileManager.default.fileExists(atPath: runs.folder.path + "/" + path), "\(process.errors)")
        }
    }

    @Test func theCommandIsToldOfTheServerAndItsOutputIsItsOwn() throws {
        let runs = try Runs()
        let process = try runs.script(
            """
            echo "$STUNTDOUBLE_URL|$STUNTDOUBLE_SESSION|$STUNTDOUBLE_HTTPS_URL|$STUNTDOUBLE_CA|$STUNTDOUBLE_PORT"
            echo error >&2
            \(Runs.ask("/users/1"))
            """)
        #expect(process.wait() == .exited(0))
        let words = process.output.split(separator: "|", omittingEmptySubsequences: false)
        #expect(words.count == 5 && words[0].hasPrefix("http://127.0.0.1:"), "\(process.output)")
        #expect(words[1].hasPrefix("s1-"))
        #expect(words[2...].joined() == "\n")
        #expect(process.errors == "error\nstuntdouble: 1 request, all answered\n")
        #expect(runs.nothingIsLeft())
    }

    @Test func httpsIsToldWithItsAuthority() throws {
        let runs = try Runs()
        let process = try runs.script(
            "echo $STUNTDOUBLE_HTTPS_URL; cat \"$STUNTDOUBLE_CA\"", ["--https-port", "0", "--disable-http"])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output.hasPrefix("https://127.0.0.1:"))
        #expect(process.output.contains("BEGIN CERTIFICATE"))
    }

    /// Programs trust the authority and what they have trusted before, and nothing of it lasts.
    @Test func whatProgramsTrustHasTheAuthorityBesideTheirOwn() throws {
        let runs = try Runs()
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let mine = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        try runs.folder.write("mine.pem", key + mine)
        try runs.folder.write("odd.pem", "no certificate")
        let mineToo = runs.folder.path + "/mine.pem"
        let process = try runs.script(
            """
            for name in SSL_CERT_FILE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE; do
                eval file=\\$$name
                case $file in *odd.pem) echo "$name left"; continue ;; esac
                grep -q KEY "$file" && echo "$name has a key"
                grep -q MIIB "$file" || echo "$name lost mine"
                python3 -c 'import sys; a, b = [open(f).read() for f in sys.argv[1:]]; print(a.strip() in b)' \
                    "$STUNTDOUBLE_CA" "$file"
            done
            echo "$SSL_CERT_FILE"
            """,
            ["--https-port", "0"],
            environment: [
                "SSL_CERT_FILE": mineToo, "NODE_EXTRA_CA_CERTS": mineToo,
                "CURL_CA_BUNDLE": runs.folder.path + "/odd.pem",
                "REQUESTS_CA_BUNDLE": mineToo,
            ])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        let lines = process.output.split(separator: "\n").map(String.init)
        #expect(lines.dropLast() == ["True", "True", "True", "CURL_CA_BUNDLE left"])
        let file = try #require(lines.last)
        #expect(file != mineToo && !FileManager.default.fileExists(atPath: file))
        #expect(process.errors.contains("CURL_CA_BUNDLE stays as it is: "))
    }

    /// curl takes a variable without content as set, and looks at no other.
    @Test(arguments: ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
    func curlTrustsTheServerWhereAVariableIsEmpty(name: String) throws {
        let runs = try Runs()
        let process = try runs.script(
            #"curl -sS "$STUNTDOUBLE_HTTPS_URL/users/1" -o /dev/null -w '%{http_code}\n'"#, ["--https-port", "0"],
            environment: [name: ""])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output == "200\n")
    }

    /// A client that knows nothing of the mock server but what the environment says is content with its certificate.
    @Test func pythonTrustsTheServerByTheEnvironmentAlone() throws {
        let runs = try Runs()
        let process = try runs.script(
            #"""
            python3 -c 'import os, urllib.request as u
            print(u.urlopen(os.environ["STUNTDOUBLE_HTTPS_URL"] + "/users/1").status)'
            """#,
            ["--https-port", "0"], environment: ["SSL_CERT_FILE": ""])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output == "200\n")
    }

    /// In a container the user may have no folder that can be written.
    @Test(arguments: [[], ["--no-share"]])
    func anAuthorityThatEndsWithTheDaemonHasAFileForTheRun(options: [String]) throws {
        let runs = try Runs()
        let process = try runs.script(
            "echo $STUNTDOUBLE_CA; cat \"$STUNTDOUBLE_CA\"",
            ["--https-port", "0", "--state-dir", "/dev/null/state"] + options)
        #expect(process.wait() == .exited(0), "\(process.errors)")
        let path = try #require(process.output.split(separator: "\n").first)
        #expect(process.output.contains("BEGIN CERTIFICATE"))
        #expect(!FileManager.default.fileExists(atPath: String(path)))
    }

    @Test func aNamedPortIsTaken() throws {
        let port = TestPort.free()
        let runs = try Runs()
        let process = try runs.script("echo $STUNTDOUBLE_URL; cat port", ["--port", "\(port)", "--port-file", "port"])
        #expect(process.wait() == .exited(0))
        #expect(process.output == "http://127.0.0.1:\(port)\n\(port)\n")
        #expect(!FileManager.default.fileExists(atPath: runs.folder.path + "/port"))
    }

    // MARK: The verdict

    static let reasons: [(reason: String, script: String, told: String)] = [
        ("unmatched", Runs.ask("/user/1"), "1 request, 1 unmatched\n  GET /user/1\n    nearest: "),
        ("unused", Runs.ask("/users/1"), "  never used: mappings/shop.yaml:2 GET /broken\n"),
        ("error", Runs.ask("/lost"), "1 request, 1 that could not be served\n  GET /lost\n    stub: "),
        ("fault", Runs.ask("/broken"), "  fault: "),
    ]

    @Test(arguments: reasons)
    func aReasonFailsTheRunWhereItIsNamed(reason: String, script: String, told: String) throws {
        var files = Runs.stubs
        if reason == "error" { files["mappings/lost.yaml"] = "GET /lost: { file: lost.json }\n" }
        let runs = try Runs(files)
        let bad = try runs.script(script, ["--fail-on", reason])
        #expect(bad.wait() == .exited(1), "\(bad.errors)")
        #expect(bad.errors.contains(told), "\(bad.errors)")
        #expect(bad.errors.hasSuffix("stuntdouble: failed for \(reason)\n"))
        let failed = try runs.script(script + "exit 9", ["--fail-on", reason])
        #expect(failed.wait() == .exited(9))
        for options in [[], ["--fail-on", "none"]] {
            let good = try runs.script(script, options)
            #expect(good.wait() == .exited(0))
            #expect(!good.errors.contains("failed"))
        }
        #expect(runs.nothingIsLeft())
    }

    @Test func whatWasToBeAskedMoreOftenFailsTheRun() throws {
        let runs = try Runs(["api.yaml": "GET /twice: { times: 2, body: a }\n"])
        let bad = try runs.script(Runs.ask("/twice"), ["--fail-on", "unmet"])
        #expect(bad.wait() == .exited(1), "\(bad.errors)")
        #expect(bad.errors.contains("not met: api.yaml:1 GET /twice: answered 1 of 2 times"), "\(bad.errors)")
    }

    @Test func aFileThatCannotBeLoadedIsToldWithItsPlace() throws {
        let runs = try Runs(["mocks/good.yaml": "GET /a: {}\n", "mocks/bad.yaml": "GET /b: { jsn: 1 }\n"])
        let process = try runs.start(["run", "mocks", "--keep-going", "--fail-on", "error", "--", "true"])
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("\n  mocks/bad.yaml:1:11: "), "\(process.errors)")
        #expect(process.errors.hasSuffix("stuntdouble: failed for error\n"))
    }

    @Test func whatIsIgnoredDoesNotCount() throws {
        let options = ["--fail-on", "unmatched", "--ignore", "/favicon.ico", "--ignore", "/assets/**"]
        let runs = try Runs()
        let process = try runs.script(Runs.ask("/favicon.ico") + Runs.ask("/assets/a/b.js"), options)
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.errors.hasSuffix(", 2 ignored\n"))
    }

    @Test func reportsAreWritten() throws {
        let runs = try Runs()
        let process = try runs.script(
            Runs.ask("/nothing"), ["--report", "junit=out/report.xml", "--report", "json=-,html=report.html"])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(try JSONValue(parsing: process.output)["unmatchedCount"] == 1)
        #expect(try runs.folder.read("out/report.xml").contains("<testsuite"))
        #expect(try runs.folder.read("report.html").contains("<html"))
    }

    @Test func theSummaryOfAJobIsAppendedTo() throws {
        let runs = try Runs()
        try runs.folder.write("summary.md", "# Mine\n")
        try runs.folder.write("other.md", "# Mine\n")
        let summary = runs.folder.path + "/summary.md"
        for _ in 0..<2 {
            let process = try runs.start(
                ["run", ".", "--report", "markdown=summary.md,markdown=other.md", "--", "true"],
                startedBy: ["env", "GITHUB_STEP_SUMMARY=\(summary)"])
            #expect(process.wait() == .exited(0), "\(process.errors)")
        }
        let text = try runs.folder.read("summary.md")
        #expect(text.hasPrefix("# Mine\n## ✅") && text.split(separator: "## ✅").count == 3, "\(text)")
        #expect(try runs.folder.read("other.md").hasPrefix("## ✅"))
    }

    @Test func theVerdictIsOneDocumentIfJSONIsAskedFor() throws {
        let runs = try Runs()
        let process = try runs.script(Runs.ask("/nothing") + "exit 3", ["--json", "--fail-on", "unmatched"])
        #expect(process.wait() == .exited(3))
        let json = try JSONValue(parsing: process.errors)
        #expect(json["verdict"] == "failed")
        #expect(json["run"]?["exited"] == 3)
        #expect(json["run"]?["status"] == 3)
        #expect(json["report"]?["unmatchedCount"] == 1)
    }

    // MARK: Signals and time

    @Test(arguments: [
        ("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP), ("QUIT", SIGQUIT), ("USR1", SIGUSR1), ("USR2", SIGUSR2),
    ])
    func signalsArePassedOn(name: String, number: Int32) throws {
        let runs = try Runs()
        let process = try runs.script("trap 'echo got; exit 5' \(name); echo ready; while :; do sleep 0.05; done")
        #expect(eventually(within: 30_000) { process.output == "ready\n" ? true : nil } == true)
        process.signal(number)
        #expect(process.wait() == .exited(5))
        #expect(process.output == "ready\ngot\n")
        #expect(runs.nothingIsLeft())
    }

    @Test func aSecondInterruptKills() throws {
        let runs = try Runs()
        let process = try runs.script("trap 'echo got' INT; echo ready; while :; do sleep 0.05; done")
        #expect(eventually(within: 30_000) { process.output == "ready\n" ? true : nil } == true)
        process.signal(SIGINT)
        #expect(eventually { process.output.contains("got") ? true : nil } == true)
        let ending = eventually(within: 30_000) { () -> ChildProcess.Ending? in
            process.signal(SIGINT)
            return process.poll()
        }
        #expect(ending == .exited(137))
        #expect(runs.nothingIsLeft())
    }

    /// Runs a command under a terminal of its own, types Ctrl-C until it ends, and tells what came of it.
    private static let terminal = [
        "/usr/bin/env", "python3", "-c",
        """
        import os, pty, select, sys, time
        process, end = pty.fork()
        if process == 0:
            os.execvp(sys.argv[1], sys.argv[1:])
        seen = b""
        def until(text):
            global seen
            while text not in seen:
                seen += os.read(end, 4096)
        until(b"ready")
        os.write(end, b"\\x03")
        until(b"got")
        # One more would have come by now.
        if select.select([end], [], [], 0.5)[0]: seen += os.read(end, 4096)
        print("got", seen.count(b"got"), flush=True)
        status = 0
        while True:
            done, status = os.waitpid(process, os.WNOHANG)
            if done: break
            if select.select([end], [], [], 0.3)[0]:
                try: os.read(end, 4096)
                except OSError: pass
            else:
                os.write(end, b"\\x03")
        print("status", os.WEXITSTATUS(status))
        """,
    ]

    @Test func theKeysOfATerminalReachTheCommandOnceAndTheSecondTimeEndIt() throws {
        let runs = try Runs()
        let process = try runs.start(
            ["run", ".", "--", "/bin/sh", "-c", "trap 'echo got' INT; echo ready; while :; do sleep 0.05; done"],
            startedBy: Self.terminal)
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output == "got 1\nstatus 137\n")
        #expect(runs.nothingIsLeft())
    }

    @Test func aPortThatIsTakenIsTold() throws {
        let daemon = try Daemon()
        let runs = try Runs()
        let process = try runs.script("true", ["--port", "\(daemon.port)"])
        #expect(process.wait() == .exited(125))
        #expect(process.errors.contains(":\(daemon.port): Address already in use"), "\(process.errors)")
        #expect(process.errors.hasSuffix("Try: leave out --port \(daemon.port), and a free one is taken\n"))
        #expect(runs.nothingIsLeft())
    }

    @Test func aCommandThatHangsIsEnded() throws {
        let runs = try Runs()
        // What it has started, and does not end by itself, is ended with it.
        let gentle = try runs.script(
            "(trap '' TERM; exec sleep 600) & trap 'exit 3' TERM; while :; do sleep 0.05; done", ["--timeout", "500ms"])
        #expect(gentle.wait() == .exited(124))
        #expect(gentle.errors.contains(" did not end within 500 ms, and was ended\n"))
        #expect(runs.nothingIsLeft())
        // All that it has started is ended too.
        let stubborn = try runs.script(
            "trap '' TERM; sleep 600 & sleep 600", ["--timeout", "200ms", "--kill-after", "100ms"])
        #expect(stubborn.wait() == .exited(124))
        #expect(runs.nothingIsLeft())
    }

    @Test func whatACommandLeavesBehindIsNotWaitedFor() throws {
        let runs = try Runs()
        let process = try runs.script("sleep 600 & echo $!")
        #expect(process.wait() == .exited(0))
        let left = try #require(Int32(process.output.dropLast()))
        #expect(runs.processes() == [left])
        kill(left, SIGKILL)
    }

    // MARK: How it is started

    @Test func aClosedStandardInputIsNone() throws {
        let runs = try Runs()
        let process = try runs.start(
            ["run", ".", "--", "/bin/sh", "-c", "read line; echo \"$line.\""],
            startedBy: ["/bin/sh", "-c", "\"$0\" \"$@\" <&-"])
        #expect(process.wait() == .exited(0))
        #expect(process.output == ".\n")
    }

    @Test func standardInputIsTheCommands() throws {
        let runs = try Runs()
        let process = try runs.start(
            ["run", ".", "--", "/bin/cat"], startedBy: ["/bin/sh", "-c", "echo a | \"$0\" \"$@\""])
        #expect(process.wait() == .exited(0))
        #expect(process.output == "a\n")
    }

    @Test func aScriptMayRunItInTheBackground() throws {
        let runs = try Runs()
        let process = try runs.start(
            ["run", ".", "--", "/bin/sh", "-c", "exit 4"], startedBy: ["/bin/sh", "-c", "\"$0\" \"$@\" & wait $!"])
        #expect(process.wait() == .exited(4))
        #expect(runs.nothingIsLeft())
    }

    @Test func stubsThatCannotBeReadAreTold() throws {
        let runs = try Runs(["a.yaml": "GET /a: { bdy: x }\n"])
        let process = try runs.script("echo never")
        #expect(process.wait() == .exited(125))
        #expect(process.output.isEmpty)
        #expect(process.errors.hasPrefix("stuntdouble: the mock server could not be started: "))
        #expect(process.errors.contains("a.yaml:1"), "\(process.errors)")
        #expect(runs.nothingIsLeft())
    }

    @Test func dashesAreAskedFor() throws {
        let runs = try Runs()
        let process = try runs.start(["run", ".", "npm", "test", "--json"])
        #expect(process.wait() == .exited(2))
        let error = try JSONValue(parsing: process.errors)["error"]
        #expect(error?["fix"] == "stuntdouble run . -- npm test")
    }
}
