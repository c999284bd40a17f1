import Foundation
import SDJSON
import SDTestSupport
import Testing

/// The real daemon's start and end, and its messages.
@Suite struct LifecycleTests {
    @Test(arguments: [Int32(15), 2]) func aSignalLetsAnswersFinish(_ signal: Int32) throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET /slow: { delay: 400ms, body: done }"], ["--port", "\(TestPort.free())"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        // A second request on another connection shows that the first one has arrived.
        #expect(try daemon.get("/none").status == 404)
        daemon.process.signal(signal)
        #expect(client.receiveAll().text.hasSuffix("4\r\ndone\r\n0\r\n\r\n"))
        client.close()
        #expect(daemon.process.wait() == .exited(0))
        #expect(throws: CallFailure.self) { try RawClient(port: daemon.port) }
    }

    @Test func aSecondSignalEndsAtOnce() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /slow: { delay: 60s }"], ["--drain-timeout", "50s"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try daemon.get("/none").status == 404)
        daemon.process.signal(15)
        #expect(eventually { (try? RawClient(port: daemon.port)) == nil ? true : nil } == true)
        #expect(daemon.process.poll() == nil)
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 5_000) == .exited(0))
    }

    /// A daemon that is asked to end and goes on says what it waits for.
    @Test(arguments: [Int32(15), 2]) func whatAnEndWaitsForIsTold(_ signal: Int32) throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET /slow: { delay: 60s }\nGET /a: { hold: gate }"],
            ["--drain-timeout", "50s", "--redact"])
        var clients: [RawClient] = []
        for target in ["/slow", "/a", "/slow", "/slow"] {
            clients.append(try RawClient(port: daemon.port))
            try clients[clients.count - 1].send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(
                try eventually {
                    try daemon.admin("GET", "/in-flight").json?["meta"]?["total"]?.intValue == clients.count
                        ? true : nil
                } == true)
        }
        daemon.process.signal(signal)
        #expect(daemon.says("ending: waiting up to 50 s for 4 responses in flight, GET /slow (delayed), "))
        #expect(daemon.says("GET /a (held at the gate "))
        #expect(daemon.says(", 1 more; a second signal ends at once"))
        daemon.process.signal(signal)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
    }

    @Test func nothingIsSaidOfWaitingForNothing() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        #expect(try daemon.get("/a").status == 200)
        daemon.process.signal(2)
        #expect(daemon.process.wait() == .exited(0))
        #expect(daemon.process.errors.isEmpty)
    }

    @Test func drainingEndsAfterItsTimeout() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /slow: { delay: 60s }"], ["--drain-timeout", "200ms"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try daemon.get("/none").status == 404)
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 10_000) == .exited(0))
    }

    @Test func shutdownIsAnsweredFirst() throws {
        let daemon = try Daemon()
        #expect(try daemon.admin("POST", "/shutdown").status == 200)
        #expect(daemon.process.wait() == .exited(0))
    }

    @Test func closingItsInputEndsIt() throws {
        let daemon = try Daemon(files: [:], ["--exit-with-parent"])
        #expect(try daemon.get("/").status == 404)
        daemon.process.closeInput()
        #expect(daemon.process.wait() == .exited(0))
    }

    /// A test process that is killed leaves requests behind, whose answers nobody waits for.
    @Test func closingItsInputEndsItThoughAnAnswerIsInFlight() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET /slow: { delay: 60s }"], ["--exit-with-parent", "--drain-timeout", "50s"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try daemon.get("/none").status == 404)
        daemon.process.closeInput()
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
        #expect(client.receiveAll().bytes.isEmpty)
    }

    @Test func thePortFileLastsAsLongAsTheDaemon() throws {
        let scratch = try TemporaryFolder()
        let daemon = try Daemon(files: [:], ["--port-file", scratch.path + "/port"])
        #expect(try scratch.read("port") == "\(daemon.port)\n")
        daemon.process.signal(15)
        #expect(daemon.process.wait() == .exited(0))
        #expect(scratch.files.isEmpty)
    }

    // MARK: The port file

    /// A script that waits for the file would take an old one for that of the starting daemon.
    @Test(arguments: [
        (["--port", "0"], "a.yaml", "GET /a: { staus: 200 }"),
        (["--port", "0", "--unix-socket", "/no/such/s"], "a.yaml", ""),
        (["--port", "0", "--root-dir", "/dev/null/x"], "", ""),
    ])
    func aFailedStartLeavesNoPortFile(_ arguments: [String], _ file: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("port", "4711\n")
        try folder.write("mocks/\(file.isEmpty ? "b.yaml" : file)", text)
        let root = arguments.contains("--root-dir") ? [] : [folder.path + "/mocks"]
        let process = try run(root + arguments + ["--port-file", folder.path + "/port"])
        #expect(process.wait() == .exited(1))
        #expect(folder.files.filter { $0 == "port" }.isEmpty)
    }

    @Test func aTakenPortLeavesNoPortFile() throws {
        let daemon = try Daemon()
        let folder = try TemporaryFolder()
        try folder.write("port", "4711\n")
        let process = try run(
            [daemon.folder.path, "--port", String(daemon.port), "--port-file", folder.path + "/port"])
        #expect(process.wait() == .exited(1))
        #expect(folder.files.isEmpty)
    }

    @Test(arguments: ["none/port", "folder"])
    func aPortFileThatCannotBeWrittenEndsTheStart(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}")
        try folder.write("folder/x", "x")
        let path = folder.path + "/" + name
        let process = try run([folder.path + "/mocks", "--port", "0", "--port-file", path])
        #expect(process.wait() == .exited(1))
        #expect(process.output.isEmpty)
        #expect(process.errors.contains("the port file \(path): "), "\(process.errors)")
        #expect(folder.files == ["folder/x", "mocks/a.yaml"])
    }

    // MARK: WireMock's layout

    /// WireMock 3.13.2's layout: the root folder, its parents, `mappings` and `__files` are made, and other files in it
    /// are no stubs.
    @Test func theRootFolderHasWireMocksLayout() throws {
        let folder = try TemporaryFolder()
        try folder.write("old/package.json", "{ not json")
        try folder.write("old/mappings/a.json", #"{"request": {"url": "/a"}, "response": {"bodyFileName": "a.txt"}}"#)
        for root in ["old", "not/yet"] {
            let path = folder.path + "/" + root
            let process = try run(["--root-dir", path, "--port", "0", "--port-file", folder.path + "/port"])
            let text = eventually(within: 30_000) { try? folder.read("port") }
            let port = try #require(UInt16((text ?? "").dropLast()), "\(process.errors)")
            // The folders exist: only files are written.
            try folder.write(
                root + "/mappings/b.json", #"{"request": {"url": "/b"}, "response": {"bodyFileName": "b.txt"}}"#)
            #expect(symlink("/", path + "/__files") != 0 && errno == EEXIST)
            try folder.write(root + "/__files/b.txt", "from a file")
            let client = try PersistentConnection(port: port)
            let found = try eventually { try client.request("GET", "/b").status == 200 ? true : nil }
            #expect(found == true, "\(process.errors)")
            #expect(try client.request("GET", "/b").text == "from a file")
            process.signal(15)
            #expect(process.wait() == .exited(0))
        }
    }

    @Test func aRootFolderThatCannotBeMadeIsNamed() throws {
        let process = try run(["--root-dir", "/dev/null/x", "--port", "0"])
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("cannot create the folder /dev/null/x: "), "\(process.errors)")
    }

    /// The workers of a daemon share its port; another daemon with workers cannot share it.
    @Test(arguments: ["1", "2"])
    func aTakenPortIsAnErrorThatNamesItsHolder(workers: String) throws {
        let daemon = try Daemon(files: [:], ["--workers", workers])
        let second = try run([daemon.folder.path, "--port", String(daemon.port), "--workers", workers])
        #expect(second.wait() == .exited(1))
        #expect(second.errors.contains("127.0.0.1:\(daemon.port)"))
        #if os(Linux)
            #expect(second.errors.contains("stuntdouble (pid \(daemon.process.identifier))"))
        #endif
        #expect(second.output.isEmpty)
    }

    /// A file that is not a port file belongs to somebody else.
    @Test(arguments: ["text", "link", "folder", "three lines"])
    func aPortFileReplacesNothingElse(kind: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}")
        let path = folder.path + "/port"
        switch kind {
        case "text": try folder.write("port", "GET /b: {}\n")
        case "three lines": try folder.write("port", "80\n81\n82\n")
        case "link":
            try folder.write("target", "8080\n")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/target")
        default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        let process = try run([folder.path + "/mocks", "--port", "0", "--port-file", path])
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("not a port file of an earlier daemon"), "\(process.errors)")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test(arguments: [["--port", "abc"], ["--bogus"], ["/no/such/folder"]])
    func aWrongCommandLineLeavesNoPortOfAnEarlierDaemon(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        for option in [["--port-file", folder.path + "/port"], ["--port-file=" + folder.path + "/port"]] {
            try folder.write("port", "9999\n")
            #expect(try run(arguments + option).wait() == .exited(2))
            #expect(folder.files.isEmpty)
        }
    }

    /// If standard streams are closed, descriptors that the daemon opens must not take their numbers.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc"))
    func closedStreamsAreTheNullDevice() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}")
        let port = folder.path + "/port"
        let command = "exec '\(Daemon.binary)' '\(folder.path)/mocks' --port 0 --port-file '\(port)' <&- >&- 2>&-"
        let process = try ChildProcess("/bin/sh", ["-c", command], outputsIn: scratch)
        try #require(eventually { FileManager.default.fileExists(atPath: port) ? true : nil } == true)
        for number in 0...2 {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process.identifier)/fd/\(number)")
            #expect(target == "/dev/null")
        }
    }

    @Test func badStubsAreAnErrorThatNamesTheirFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("ok.yaml", "GET /ok: {}")
        try folder.write("bad.json", "{\"request\": {\"url\": \"/a\"},\n  \"respnse\": {}}")
        let process = try run([folder.path, "--port", "0"])
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("bad.json:2:3"))
        #expect(process.errors.contains(#"did you mean "response"?"#))
        #expect(process.output.isEmpty)
    }

    @Test(arguments: [
        (["--prot", "1"], "did you mean --port?"), (["--port", "70000"], "--port"), (["/no/such/folder"], "folder"),
        (["--disable-http"], "--https-port"),
    ])
    func aWrongCommandLineIsExitStatusTwo(_ arguments: [String], _ hint: String) throws {
        let process = try run(arguments)
        #expect(process.wait() == .exited(2))
        #expect(process.errors.contains(hint))
    }

    @Test func severalAddressesAndAUnixSocketAreServed() throws {
        let scratch = try TemporaryFolder()
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: { body: here }"],
            ["--bind-address", "127.0.0.1", "--bind-address", "::1", "--unix-socket", scratch.path + "/s"])
        for client in [
            try RawClient(port: daemon.port), try RawClient(port: daemon.port, address: "::1"),
            try RawClient(unixSocket: scratch.path + "/s"),
        ] {
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(HTTPAnswer(client.receiveAll().bytes)?.text == "here")
        }
        #expect(daemon.ready["listeners"]?.arrayValue?.count == 2)
        #expect(daemon.ready["pid"]?.intValue == Int(daemon.process.identifier))
    }

    /// The lines of WireMock on which scripts wait.
    @Test func verboseLogsWhatScriptsWaitFor() throws {
        let daemon = try Daemon(["--verbose", "--https-port", "0"])
        let port = String(repeating: " ", count: 25) + "\(daemon.port)"
        let httpsPort = String(repeating: " ", count: 19) + "\(try #require(daemon.ready["httpsPort"]?.intValue))"
        for line in ["Verbose logging enabled", "port:" + port, "https-port:" + httpsPort] {
            #expect(daemon.says("\"\(line)\""), "\(line): \(daemon.process.errors)")
        }
        let quiet = try Daemon()
        #expect(try quiet.get("/a").status == 404)
        #expect(!quiet.process.errors.contains("ogging enabled"))
    }

    @Test func verboseLogsALineForEachRequest() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { name: one, body: x }"], ["--verbose"])
        _ = try daemon.get("/a")
        _ = try daemon.get("/nothing")
        let lines = eventually { () -> [JSONValue]? in
            let lines = daemon.process.errors.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
                .filter { $0["message"] == "request" }
            return lines.count >= 2 ? lines : nil
        }
        let fields = lines?.map { $0["fields"] }
        #expect(fields?.first??["target"]?.stringValue == "/a")
        #expect(fields?.first??["stub"]?.stringValue == "one")
        #expect(fields?.last??["status"]?.intValue == 404)
    }

    @Test func validateChecksWithoutServing() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.yaml", "GET /a: {}\nGET /b: { staus: 200 }\n")
        let text = try run(["validate", folder.path])
        #expect(text.wait() == .exited(1))
        #expect(text.output.contains("a.yaml:2:11: error:"))
        let json = try run(["validate", folder.path, "--format", "json"])
        #expect(json.wait() == .exited(1))
        let document = try JSONValue(parsing: json.output)
        #expect(document["valid"] == false)
        #expect(document["diagnostics"]?[0]?["suggestion"]?.stringValue == "status")
        try folder.write("a.yaml", "GET /a: {}\n")
        #expect(try run(["validate", folder.path]).wait() == .exited(0))
    }

    /// Many files are read on several threads, and added while others are still being read.
    @Test func manyFilesAreCheckedAsOne() throws {
        let folder = try TemporaryFolder()
        let digits = "6e5b1f6c-0b8a-4b7e-9f0e-000000000"
        for number in 100..<600 {
            let id = number == 599 ? "\(digits)100" : "\(digits)\(number)"
            let request = number == 350 ? #"{"urlPattern": "/("}"# : #"{"url": "/\#(number)"}"#
            try folder.write("\(number).json", #"{"id": "\#(id)", "request": \#(request)}"#)
        }
        let process = try run(["validate", folder.path, "--format", "json"])
        #expect(process.wait() == .exited(1))
        let document = try JSONValue(parsing: process.output)
        #expect(document["files"] == 500)
        #expect(document["stubs"] == 498)
        let diagnostics = document["diagnostics"]?.arrayValue ?? []
        #expect(diagnostics.count == 2)
        #expect(diagnostics.first?["file"]?.stringValue?.hasSuffix("/350.json") == true)
        #expect(diagnostics.first?["column"]?.intValue == 60)
        #expect(diagnostics.last?["file"]?.stringValue?.hasSuffix("/599.json") == true)
        #expect(diagnostics.last?["message"]?.stringValue == "duplicate id \(digits)100")
    }

    private func run(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(Daemon.binary, arguments, outputsIn: scratch)
    }

    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }
}
