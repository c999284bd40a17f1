import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble wait`, `stop` and `version`, and a stub file that stands alone.
@Suite struct ServerCommandTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func run(_ arguments: [String], folder: String? = nil) throws -> EndedCommand {
        try EndedCommand(arguments, in: folder, outputsIn: scratch)
    }

    /// What `wait` says of a server that answers: on a busy machine it may answer too late to be asked what it is.
    private func wait(_ arguments: String...) throws -> EndedCommand {
        let told = eventually {
            (try? run(["wait"] + arguments)).flatMap { $0.output.hasSuffix(" accepts connections\n") ? nil : $0 }
        }
        return try #require(told)
    }

    // MARK: wait

    @Test func aServerThatAnswersIsNotWaitedFor() throws {
        let daemon = try Daemon()
        for place in ["\(daemon.port)", "http://127.0.0.1:\(daemon.port)/", "localhost:\(daemon.port)"] {
            let told = try wait(place)
            #expect(told.status == 0)
            #expect(told.output.contains(" is Stunt Double "), "\(told)")
        }
        let isTold = eventually {
            (try? JSONValue(parsing: run(["wait", "\(daemon.port)", "--json"]).output))?["status"] == 200 ? true : nil
        }
        #expect(isTold == true)
    }

    @Test func aPortFileThatComesLaterIsWaitedFor() throws {
        let path = scratch.path + "/port"
        let waiting = try ChildProcess(Daemon.binary, ["wait", path], outputsIn: scratch)
        let daemon = try Daemon(["--port-file", path])
        #expect(waiting.wait() == .exited(0))
        #expect(waiting.output.hasPrefix("http://127.0.0.1:\(daemon.port) "))
    }

    @Test func whatDoesNotAnswerIsTold() throws {
        let told = try run(["wait", "1", "--timeout", "100ms"])
        #expect(told.status == 1)
        #expect(
            told.errors == "stuntdouble: http://127.0.0.1:1 does not answer after 100 ms: Connection refused\n"
                + "Try: wait longer by --timeout, or start it: stuntdouble --port 1\n")
        let file = try run(["wait", "nothing", "--timeout", "0ms", "--json"])
        #expect(file.status == 1)
        let error = file.error
        #expect(error?["found"] == "there is no such port file")
        #expect(error?["fix"] == "stuntdouble --port 0 --port-file nothing")
    }

    /// Another server, and one that says nothing.
    @Test func anyServerCounts() throws {
        let silent = try RawServer { client, _ in _ = client.receiveAll(within: 30_000) }
        let told = try run(["wait", "\(silent.port)"])
        #expect(told.status == 0)
        #expect(told.output.hasSuffix(" accepts connections\n"), "\(told)")
        let secured = try run(["wait", "https://127.0.0.1:\(silent.port)"])
        #expect(secured.status == 0)
    }

    @Test func aGenuineWireMockIsToldAsThat() throws {
        let health = #"{"status":"healthy","message":"Wiremock is ok","version":"3.13.2","uptimeInSeconds":12}"#
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(health.utf8.count)\r\nConnection: close\r\n\r\n"
                    + health)
        }
        #expect(try wait("\(server.port)").output == "http://127.0.0.1:\(server.port) is WireMock 3.13.2\n")
    }

    // MARK: stop

    @Test func aDaemonIsEnded() throws {
        for _ in 0..<2 {
            let path = scratch.path + "/port"
            let daemon = try Daemon(["--port-file", path, "--admin-token", "secret"])
            let refused = try run(["stop", path])
            #expect(refused.status == 2)
            #expect(refused.errors.contains("requires --admin-token"))
            let told = try run(["stop", path, "--admin-token", "secret"])
            #expect(told.status == 0)
            #expect(told.output == "stopped http://127.0.0.1:\(daemon.port)\n")
            #expect(daemon.process.wait() == .exited(0))
        }
    }

    @Test func whatHasEndedAlreadyIsNoError() throws {
        let told = try run(["stop", "1"])
        #expect(told.status == 0)
        #expect(told.output == "nothing to stop at http://127.0.0.1:1: Connection refused\n")
        let file = try run(["stop", "nothing", "--json"])
        #expect(file.status == 0)
        #expect(try JSONValue(parsing: file.output)["stopped"] == false)
    }

    // MARK: version

    @Test func theVersionIsToldWithWhatItIsFor() throws {
        #expect(try run(["version"]).output.hasPrefix("stuntdouble "))
        for arguments in [["version", "--json"], ["--version", "--json"], ["--json", "--version"]] {
            let json = try JSONValue(parsing: try run(arguments).output)
            #expect(json["name"] == "stuntdouble")
            #expect(json["libraries"]?.objectValue?.isEmpty == false)
        }
    }

    // MARK: A stub file alone

    @Test func aStubFileIsServedAndWatched() throws {
        let folder = try TemporaryFolder()
        try folder.write("api.yaml", "GET /a: { file: a.txt }\n")
        try folder.write("other.yaml", "GET /b: { body: b }\n")
        try folder.write("mappings/third.yaml", "GET /c: { body: c }\n")
        try folder.write("__files/a.txt", "one")
        let daemon = try Daemon(serving: folder.path + "/api.yaml")
        #expect(daemon.ready["stubs"] == 1)
        #expect(daemon.ready["folder"] == .string(folder.path + "/api.yaml"))
        #expect(try daemon.get("/a").text == "one")
        try folder.write("other.yaml", "GET /b: { body: b2 }\n")
        try folder.write("sub/api.yaml", "GET /d: { body: d }\n")
        try folder.write("api.yaml", "GET /a: { body: two }\nGET /e: { body: e }\n")
        #expect(try eventually { try daemon.get("/e").text == "e" ? true : nil } == true)
        #expect(try daemon.get("/a").text == "two")
        for path in ["/b", "/c", "/d"] { #expect(try daemon.get(path).status == 404) }
        try daemon.admin("POST", "/mappings/reset")
        for path in ["/b", "/c", "/d"] { #expect(try daemon.get(path).status == 404) }
        try folder.remove("api.yaml")
        #expect(try eventually { try daemon.get("/a").status == 404 ? true : nil } == true)
    }

    @Test(arguments: [["routes"], ["explain", "GET", "/a"]])
    func aStubFileIsAskedOf(command: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write("api.json", #"{"request": {"url": "/a"}, "response": {}}"#)
        try folder.write("bad.yaml", "GET /a: { bdy: 1 }")
        let told = try run(command + [folder.path + "/api.json"])
        #expect(told.status == 0, "\(told)")
        #expect(told.output.contains("api.json:1"))
        let text = try run(command + ["bad.txt"], folder: folder.path)
        #expect(text.status == 2)
    }
}
