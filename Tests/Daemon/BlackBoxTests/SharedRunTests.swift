import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Runs that share a daemon, and what is left of them.
@Suite struct SharedRunTests {
    /// A command that tells the address of its mock server and waits until a file is there.
    private static func waiting(_ name: String) -> String {
        "echo $STUNTDOUBLE_URL; while [ ! -e \(name) ]; do sleep 0.02; done"
    }

    private func address(_ process: ChildProcess) throws -> String {
        let text = eventually(within: 60_000) { process.output.contains("\n") ? process.output : nil }
        return String(try #require(text, "\(process.errors)").dropLast())
    }

    /// What a daemon says of the addresses at which it listens itself.
    private func daemon(at address: String) throws -> String? {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try RawClient(port: port)
        try client.send("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return HTTPAnswer(client.receiveAll(within: 30_000).bytes)?["X-StuntDouble-Listeners"]
    }

    @Test func manyAtOnceShareOneWhichEndsWithTheLast() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3 {
            let runs = try Runs()
            let processes = try (0..<8).map { try runs.script(Self.waiting("go\($0)")) }
            let addresses = try processes.map(address)
            #expect(Set(addresses).count == 8)
            let daemons = Set(try addresses.map { try daemon(at: $0) })
            #expect(daemons.count == 1, "\(daemons)")
            for index in (0..<8).shuffled(using: &generator) {
                try runs.folder.write("go\(index)", "")
                #expect(processes[index].wait() == .exited(0), "\(processes[index].errors)")
            }
            #expect(runs.nothingIsLeft())
        }
    }

    @Test func noneIsLeftBetweenOnesThatEndAndBegin() throws {
        let runs = try Runs()
        // Each begins when others end.
        let processes = try (0..<24).map { _ in try runs.script("exit 0") }
        for process in processes { #expect(process.wait(milliseconds: 120_000) == .exited(0), "\(process.errors)") }
        #expect(runs.nothingIsLeft())
    }

    @Test func oneThatIsKilledLeavesNoDaemon() throws {
        let runs = try Runs()
        let killed = try runs.script("echo $STUNTDOUBLE_URL; exec sleep 600")
        _ = try address(killed)
        let other = try runs.script(Self.waiting("go"))
        let place = try address(other)
        killed.signal(SIGKILL)
        #expect(killed.wait() == .signalled(SIGKILL))
        #expect(try daemon(at: place) != nil)
        other.signal(SIGKILL)
        #expect(other.wait() == .signalled(SIGKILL))
        try runs.folder.write("go", "")
        // What the killed one has run goes on without it.
        let left = eventually(within: 20_000) { () -> [Int32]? in
            let left = runs.processes()
            return left.count == 1 ? left : nil
        }
        #expect(left != nil, "\(runs.processes())")
        for process in left ?? [] { kill(process, SIGKILL) }
    }

    /// Everybody who may ask the daemon sees the names of its sessions.
    @Test(arguments: [
        (["/bin/sh", "-c", "SCRIPT", "--token", "hunter2"], "run sh"), (["/bin/sh", "script"], "run sh script"),
        (["/bin/sh", "script", "--token", "hunter2"], "run sh script"),
        (["/usr/bin/env", "TOKEN=hunter2", "/bin/sh", "script"], "run env"),
        (["./set-password", "hunter2"], "run set-password"),
    ])
    func theNameOfASessionHoldsNoSecret(command: [String], name: String) throws {
        let daemon = try Daemon()
        let runs = try Runs()
        let script = Self.waiting("go")
        try runs.folder.write("script", script)
        try runs.folder.writeProgram("set-password", "#!/bin/sh\n" + script)
        let words = command.map { $0 == "SCRIPT" ? script : $0 }
        let process = try runs.start(["run", "--url", "\(daemon.port)", "--"] + words)
        _ = try address(process)
        let sessions = try daemon.admin("GET", "/sessions").json?["sessions"]?.arrayValue
        #expect(sessions?.map { $0["name"]?.stringValue } == [name])
        try runs.folder.write("go", "")
        #expect(process.wait() == .exited(0), "\(process.errors)")
    }

    @Test func sessionsDoNotMeet() throws {
        let runs = try Runs()
        let first = try runs.script(Runs.ask("/nothing") + Self.waiting("go"), ["--fail-on", "unmatched"])
        _ = try address(first)
        let second = try runs.script(Runs.ask("/users/1"), ["--fail-on", "unmatched"])
        #expect(second.wait() == .exited(0), "\(second.errors)")
        try runs.folder.write("go", "")
        #expect(first.wait() == .exited(1))
    }

    @Test func stubsThatNobodyUsesAreToldOfEachRun() throws {
        let runs = try Runs(["api.yaml": "GET /a: { body: a }\nGET /twice: { times: 2, body: b }\n"])
        let options = ["--fail-on", "unused,unmet"]
        let all = ["/a", "/twice", "/twice"].map(Runs.ask).joined()
        let good = try runs.script(all + Self.waiting("go"), options)
        let bad = try runs.script(Runs.ask("/twice") + Self.waiting("go"), options)
        #expect(Set(try [good, bad].map { try daemon(at: try address($0)) }).count == 1)
        try runs.folder.write("go", "")
        #expect(good.wait() == .exited(0), "\(good.errors)")
        #expect(bad.wait() == .exited(1))
        #expect(bad.errors.contains("never used: api.yaml:1 GET /a"), "\(bad.errors)")
        #expect(bad.errors.contains("not met: api.yaml:2 GET /twice: answered 1 of 2 times"), "\(bad.errors)")
    }

    @Test func anotherFolderOrOtherOptionsHaveAnother() throws {
        let runs = try Runs()
        try runs.folder.write("other/a.yaml", "GET /a: { body: a }\n")
        let script = Self.waiting("go")
        let processes = [
            try runs.script(script), try runs.script(script, ["--seed", "1"]), try runs.script(script, ["--no-share"]),
            try runs.start(["run", "other", "--", "/bin/sh", "-c", script]),
            try runs.start(["run", "other/a.yaml", "--", "/bin/sh", "-c", script]),
        ]
        let daemons = Set(try processes.map { try daemon(at: try address($0)) })
        #expect(daemons.count == 5, "\(daemons)")
        try runs.folder.write("go", "")
        for process in processes { #expect(process.wait() == .exited(0), "\(process.errors)") }
        #expect(runs.nothingIsLeft())
    }

    @Test func aRunWithinARunHasASessionOfItsDaemon() throws {
        let runs = try Runs()
        let inner = "'\(Daemon.binary)' run --fail-on unmatched -- /bin/sh -c 'echo $STUNTDOUBLE_SESSION'"
        let process = try runs.script("\(inner); echo $STUNTDOUBLE_SESSION; '\(Daemon.binary)' routes | wc -l")
        #expect(process.wait() == .exited(0), "\(process.errors)")
        let lines = process.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("s2-") && lines[1].hasPrefix("s1-"), "\(process.output)")
        #expect(lines.last == "2")
    }

    @Test func aDaemonThatRunsAlreadyIsUsed() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: a }"])
        let runs = try Runs()
        let process = try runs.start(
            ["run", "--url", "\(daemon.port)", "--fail-on", "unmatched", "--", "/bin/sh", "-c", Runs.ask("/a")])
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(try daemon.admin("GET", "/sessions").json?["meta"]?["total"] == 0)
        #expect(runs.nothingIsLeft())
    }
}
