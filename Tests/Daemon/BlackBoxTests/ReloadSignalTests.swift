import SDTestSupport
import Testing

/// SIGHUP reads the folder again, however many of them come.
@Suite struct ReloadSignalTests {
    private static let line = "reading the stub files again"

    private func readings(_ daemon: Daemon) -> Int {
        daemon.process.errors.split(separator: "\n").filter { $0.contains(Self.line) }.count
    }

    @Test func manySignalsAreFewReadingsAndTheLastOneCounts() throws {
        let clock = ContinuousClock()
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"], ["--no-watch", "--reload-on-hup"])
        let client = try PersistentConnection(port: daemon.port)
        let began = clock.now
        for count in 1...300 {
            daemon.process.signal(1)
            // Each signal is delivered before the next is sent.
            #expect(try client.request("GET", "/a").status == 200)
            if count == 150 { try daemon.folder.write("b.yaml", "GET /b: { body: two }") }
        }
        try daemon.folder.write("c.yaml", "GET /c: { body: three }")
        daemon.process.signal(1)
        #expect(try eventually { try client.request("GET", "/c").text == "three" ? true : nil } == true)
        #expect(try client.request("GET", "/b").text == "two")
        let halfSeconds = Int((clock.now - began) / .milliseconds(500))
        #expect(daemon.says(Self.line))
        #expect(readings(daemon) <= 2 + halfSeconds)
    }
}
