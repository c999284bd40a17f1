import Foundation
import SDTestSupport
import Testing

/// The path of tmux; nil where it is not installed.
private let tmuxPath = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { $0 + "/tmux" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// `stuntdouble top` on a terminal, which tmux plays.
@Suite(.enabled(if: tmuxPath != nil, "there is no tmux"))
struct TopTerminalTests {
    private static let files = [
        "shop.yaml": """
        GET /dogs/{name}/image: { body: a dog }
        GET /till: { fault: CONNECTION_RESET_BY_PEER }
        GET /held: { body: late, hold: pay }
        """
    ]

    /// A terminal with the program in it, run by a shell that tells what it leaves behind.
    private final class Terminal {
        private let tmux: String
        private let folder: TemporaryFolder
        private let socket: String

        init(_ daemon: Daemon, _ columns: Int, _ rows: Int, arguments: [String] = [], environment: String = "") throws {
            tmux = try #require(tmuxPath)
            folder = try TemporaryFolder()
            socket = folder.path + "/tmux"
            let words = ["top", "http://127.0.0.1:\(daemon.port)"] + arguments
            try folder.write(
                "run.sh",
                """
                unset NO_COLOR
                export LC_ALL=C.UTF-8 \(environment)
                trap : INT
                stty -g > \(folder.path)/before
                sh -c 'echo $$ > \(folder.path)/pid; exec "$0" "$@"' \(Daemon.binary) \(words.joined(separator: " "))
                echo "status $?"
                stty -g > \(folder.path)/after
                echo ended
                sleep 600
                """)
            try run(
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh \(folder.path)/run.sh")
            try run("set", "-g", "status", "off")
            try resize(columns, rows)
        }

        deinit { _ = try? run("kill-server") }

        @discardableResult
        func run(_ arguments: String...) throws -> String {
            let process = try ChildProcess(tmux, ["-S", socket] + arguments, outputsIn: folder)
            _ = process.wait()
            return process.output
        }

        func resize(_ columns: Int, _ rows: Int) throws {
            try run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        }

        func press(_ keys: String...) throws {
            for key in keys { try run("send-keys", key) }
        }

        var screen: [String] {
            get throws {
                try run("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            }
        }

        /// The screen as soon as it has a line for each of the texts.
        func screen(with texts: String...) throws -> [String] {
            let found = try eventually(within: 30_000) { () -> [String]? in
                let lines = try screen
                return texts.allSatisfy { text in lines.contains { $0.contains(text) } } ? lines : nil
            }
            let last = try screen.joined(separator: "\n")
            return try #require(found, "no \(texts) in\n\(last)")
        }

        var pid: Int32? { (try? folder.read("pid")).flatMap { Int32($0.trimmingCharacters(in: .newlines)) } }

        /// Whether the terminal is as it was before, once the program has ended.
        func expectRestored(_ location: SourceLocation = #_sourceLocation) throws {
            _ = try screen(with: "ended")
            #expect(try folder.read("before") == folder.read("after"), sourceLocation: location)
            let state = try run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{wrap_flag}")
            #expect(state.hasPrefix("0 1 1"), sourceLocation: location)
        }
    }

    private func ask(_ daemon: Daemon, _ paths: String...) throws {
        for path in paths {
            let client = try RawClient(port: daemon.port)
            try client.send(wire("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
            _ = client.receiveAll()
        }
    }

    @Test(arguments: [(60, 15), (80, 24), (120, 40)])
    func requestsAppearAtEverySize(columns: Int, rows: Int) throws {
        let daemon = try Daemon(files: Self.files)
        try ask(daemon, "/dogs/rex/image")
        let terminal = try Terminal(daemon, columns, rows)
        _ = try terminal.screen(with: "/dogs/rex/image", "LIVE")
        try ask(daemon, "/dogs/rex/imagine", "/till")
        let lines = try terminal.screen(with: "/dogs/rex/imagine", "reset", "1 unmatched")
        #expect(lines.contains { $0.contains("X GET") } && lines.contains { $0.contains("F GET") })
        #expect(lines.contains { $0.contains("q quit") })
        if rows >= 20 { _ = try terminal.screen(with: "nearest shop.yaml:1", "X path") }
        try terminal.press("q")
        try terminal.expectRestored()
        _ = try terminal.screen(with: "status 0")
    }

    @Test func aResizedTerminalIsDrawnAnew() throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 120, 40)
        _ = try terminal.screen(with: "LIVE", "STUBS BY HITS")
        try terminal.resize(60, 15)
        let small = try eventually(within: 30_000) { () -> [String]? in
            let lines = try terminal.screen
            return lines.contains { $0.contains("STUBS BY HITS") } || !lines.contains { $0.contains("LIVE") }
                ? nil : lines
        }
        #expect(try #require(small).allSatisfy { $0.count <= 60 })
        try terminal.resize(50, 10)
        _ = try terminal.screen(with: "0 held")
        try terminal.resize(80, 24)
        _ = try terminal.screen(with: "LIVE", "last 60 s")
        try terminal.press("q")
        try terminal.expectRestored()
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT])
    func theTerminalIsAsItWasAfterASignal(number: Int32) throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 80, 24)
        _ = try terminal.screen(with: "LIVE")
        let pid = try #require(terminal.pid)
        kill(pid, number)
        _ = try terminal.screen(with: "status \(128 + number)")
        try terminal.expectRestored()
    }

    @Test func aStoppedProgramGivesTheTerminalBack() throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 80, 24)
        _ = try terminal.screen(with: "LIVE")
        let pid = try #require(terminal.pid)
        // A signal to go on, without a stop before it, has it drawn anew, too.
        kill(pid, SIGCONT)
        try ask(daemon, "/till")
        _ = try terminal.screen(with: "LIVE", "/till")
        try terminal.press("q")
        try terminal.expectRestored()
    }

    @Test func aLostDaemonIsTriedAgain() throws {
        let terminal: Terminal
        let port: UInt16
        do {
            let daemon = try Daemon(files: Self.files)
            port = daemon.port
            terminal = try Terminal(daemon, 80, 24)
            try ask(daemon, "/dogs/rex/image")
            _ = try terminal.screen(with: "/dogs/rex/image", "LIVE")
            kill(daemon.process.identifier, SIGKILL)
            let lines = try terminal.screen(with: "LOST", "trying")
            #expect(lines.contains { $0.contains("/dogs/rex/image") })
        }
        // Another test may hold the port for a moment.
        let again = try #require(eventually { try? Daemon(files: Self.files, ["--port", "\(port)"]) })
        _ = try terminal.screen(with: "LIVE", "/dogs/rex/image")
        try ask(again, "/till")
        _ = try terminal.screen(with: "/till")
        try terminal.press("q")
        try terminal.expectRestored()
    }

    @Test func whatIsHeldIsReleasedOnceItIsConfirmed() throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 80, 24)
        let client = try RawClient(port: daemon.port)
        try client.send(wire("GET /held HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        _ = try terminal.screen(with: "1 held", "held pay")
        try terminal.press("r")
        _ = try terminal.screen(with: "Release GET /held?")
        try terminal.press("y")
        // It stands there for a few seconds.
        _ = try terminal.screen(with: "released 1 request at pay")
        #expect(String(decoding: client.receiveAll().bytes, as: UTF8.self).contains("late"))
    }

    @Test func aRequestStaysText() throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 120, 40)
        _ = try terminal.screen(with: "LIVE")
        let client = try RawClient(port: daemon.port)
        try client.send(
            Array(
                "GET /a\u{9b}31m\u{1b}]0;owned\u{7}?\u{202e}x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .utf8))
        _ = client.receiveAll()
        try ask(daemon, "/after")
        _ = try terminal.screen(with: "/after", "LIVE")
        #expect(try terminal.run("display-message", "-p", "#{pane_title}").contains("owned") == false)
    }

    @Test func aStoppedTerminalHoldsUpNoSignal() throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 80, 24)
        _ = try terminal.screen(with: "LIVE")
        let pid = try #require(terminal.pid)
        let name = try terminal.run("display-message", "-p", "#{pane_tty}").trimmingCharacters(in: .newlines)
        let device = open(name, O_RDWR | O_NOCTTY)
        defer { close(device) }
        try #require(device >= 0 && tcflow(device, TCOOFF) == 0)
        // More than one frame, so that the terminal has something to take.
        for _ in 0..<3 {
            try ask(daemon, "/till")
            usleep(500_000)
        }
        kill(pid, SIGTERM)
        _ = try terminal.screen(with: "status \(128 + SIGTERM)")
        try terminal.expectRestored()
    }

    @Test(
        arguments: [
            ([], "", true), ([], "NO_COLOR=1", false), (["--color", "never"], "", false),
            (["--color", "always"], "NO_COLOR=1", true),
        ] as [([String], String, Bool)])
    func coloursAreWrittenUnlessTheyAreUnwanted(arguments: [String], environment: String, hasColours: Bool) throws {
        let daemon = try Daemon(files: Self.files)
        let terminal = try Terminal(daemon, 80, 24, arguments: arguments, environment: environment)
        try ask(daemon, "/dogs/rex/imagine", "/till")
        _ = try terminal.screen(with: "X GET", "F GET", "1 unmatched", "LIVE")
        let written = try terminal.run("capture-pane", "-e", "-p")
        let codes = written.components(separatedBy: "\u{1b}[").dropFirst().flatMap { part in
            part.prefix { $0 != "m" }.split(separator: ";").compactMap { Int($0) }
        }
        #expect(codes.contains(1), "bold")
        #expect(codes.contains { (30...37).contains($0) || (90...97).contains($0) } == hasColours, "\(codes)")
        // Only the terminal's own ground.
        #expect(!codes.contains { (40...48).contains($0) || $0 == 38 })
    }
}
