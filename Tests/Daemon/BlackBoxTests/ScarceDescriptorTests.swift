import SDJSON
import SDTestSupport
import Testing

/// Without free descriptors, a folder that cannot be read is not taken for an empty one.
@Suite struct ScarceDescriptorTests {
    private static let files = [
        "a.yaml": "GET /a: { body: one }", "deep/b.json": #"{"GET /b": {"file": "large/b.txt"}}"#,
        "__files/large/b.txt": "from a file",
    ]

    @Test func filesAreReadWithAllConnectionsTaken() throws {
        let daemon = try Daemon(files: Self.files, startedBy: ["/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"])
        let idle = try (0..<100).map { _ in try RawClient(port: daemon.port) }
        // The idle ones give way to it.
        let admin = try PersistentConnection(port: daemon.port)
        #expect(try admin.request("GET", "/__admin/health").status == 200)
        func expectStubs(_ body: String, _ comment: Comment) throws {
            #expect(try admin.request("GET", "/a").text == body, comment)
            #expect(try admin.request("GET", "/b").text == "from a file", comment)
        }
        try expectStubs("one", "before")
        #expect(try admin.request("POST", "/__admin/reset").status == 200)
        try expectStubs("one", "after a reset")
        #expect(try admin.request("POST", "/__admin/mappings/reset").status == 200)
        try expectStubs("one", "after a reset of the mappings")
        try daemon.folder.write("a.yaml", "GET /a: { body: two }")
        daemon.process.signal(1)
        #expect(try eventually { try admin.request("GET", "/a").text == "two" ? true : nil } == true)
        try expectStubs("two", "after SIGHUP")
        #expect(idle.filter { $0.receiveUntilQuiet(milliseconds: 1).ending == .open }.count > 10)
        let lines = daemon.process.errors.split(separator: "\n")
        #expect(!lines.contains { $0.contains("Too many open files; its last contents") })
    }

    @Test func whoWaitsIsServedAsSoonAsOthersLeave() throws {
        let daemon = try Daemon(
            files: Self.files, ["--head-timeout", "10m"],
            startedBy: ["/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"])
        let busy = try (0..<100).map { _ in
            let client = try RawClient(port: daemon.port)
            try client.send("GET /a HT")
            return client
        }
        #expect(daemon.says("no connection can be accepted for now"))
        for client in busy { client.close() }
        #expect(try daemon.get("/a").text == "one")
        let lines = daemon.process.errors.split(separator: "\n")
        #expect(lines.filter { $0.contains("no connection can be accepted") }.count < 20)
    }

    @Test func aLimitThatIsTooLowIsReportedAtTheStart() throws {
        let scarce = try Daemon(files: Self.files, startedBy: ["/bin/sh", "-c", "ulimit -n 40; exec \"$@\"", "sh"])
        #expect(scarce.says("only 40 files and connections can be open at a time"))
        #expect(scarce.says("(ulimit -n 1"))
        let rich = try Daemon(files: Self.files, startedBy: ["/bin/sh", "-c", "ulimit -n 400; exec \"$@\"", "sh"])
        rich.process.signal(15)
        #expect(rich.process.wait() != nil)
        #expect(!rich.process.errors.contains("can be open at a time"))
    }

    #if os(Linux)
        /// Nothing can be opened, not even the daemon's own files.
        @Test(arguments: ["/reset", "/mappings/reset", "SIGHUP"])
        func unreadableFilesAreNotTakenForRemoved(reload: String) throws {
            let daemon = try Daemon(files: Self.files)
            let client = try PersistentConnection(port: daemon.port)
            #expect(try client.request("GET", "/a").text == "one")
            try setDescriptorLimit(of: daemon, to: 3)
            if reload == "SIGHUP" {
                daemon.process.signal(1)
            } else {
                #expect(try client.request("POST", "/__admin" + reload).status == 200)
            }
            #expect(daemon.says("Too many open files; its last contents are kept"))
            #expect(try client.request("GET", "/a").text == "one")
            #expect(try client.request("GET", "/__admin/mappings").json?["meta"]?["total"]?.intValue == 2)
            try setDescriptorLimit(of: daemon, to: 1_024)
            try daemon.folder.write("a.yaml", "GET /a: { body: two }")
            #expect(try eventually { try client.request("GET", "/a").text == "two" ? true : nil } == true)
            try daemon.folder.remove("deep/b.json")
            #expect(try eventually { try client.request("GET", "/b").status == 404 ? true : nil } == true)
        }

        @Test func aReasonIsReportedOnceASecond() throws {
            let daemon = try Daemon(files: Self.files)
            let client = try PersistentConnection(port: daemon.port)
            #expect(try client.request("GET", "/a").text == "one")
            try setDescriptorLimit(of: daemon, to: 3)
            for _ in 1...100 { #expect(try client.request("POST", "/__admin/mappings/reset").status == 200) }
            #expect(daemon.says("more times)"))
            let lines = daemon.process.errors.split(separator: "\n").filter { $0.contains("Too many open files") }
            #expect(lines.count < 20)
            #expect(try client.request("GET", "/a").text == "one")
        }

        private func setDescriptorLimit(of daemon: Daemon, to count: Int) throws {
            let arguments = ["prlimit", "--pid", String(daemon.process.identifier), "--nofile=\(count):"]
            let process = try ChildProcess("/usr/bin/env", arguments, outputsIn: TemporaryFolder())
            try #require(process.wait() == .exited(0), "\(process.errors)")
        }
    #endif
}

extension Daemon {
    /// Whether its log contains a text, now or soon.
    func says(_ text: String) -> Bool {
        eventually(within: 30_000) { process.errors.contains(text) ? true : nil } == true
    }
}
