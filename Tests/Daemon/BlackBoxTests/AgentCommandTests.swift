import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble mcp`: tools for agents on standard input and output.
@Suite struct AgentCommandTests {
    private static let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
    ]

    private static func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) -> String {
        let params: JSONValue = ["name": .string(tool), "arguments": arguments, "_meta": meta]
        let message: JSONValue = [
            "jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": "tools/call", "params": params,
        ]
        return message.compactText + "\n"
    }

    /// A program that is spoken to by lines.
    private struct Conversation {
        let process: ChildProcess
        private let scratch: TemporaryFolder

        init(_ arguments: [String], in folder: TemporaryFolder) throws {
            scratch = try TemporaryFolder()
            process = try ChildProcess(
                Daemon.binary, ["mcp"] + arguments, environment: ["XDG_STATE_HOME": scratch.path],
                folder: folder.path, outputsIn: scratch)
        }

        /// The result of a call; what it has as a document, whether it failed or not.
        func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
            process.write(AgentCommandTests.call(id, tool, arguments))
            return try #require(try answer(id)["result"]?["structuredContent"])
        }

        func answer(_ id: Int) throws -> JSONValue {
            let found = eventually(within: 60_000) { () -> JSONValue? in
                process.output.split(separator: "\n").lazy.compactMap { try? JSONValue(parsing: Array($0.utf8)) }
                    .first { $0["id"]?.intValue == id }
            }
            return try #require(found, "\(process.output)\n\(process.errors)")
        }

        func end() -> ChildProcess.Ending? {
            process.closeInput()
            return process.wait()
        }
    }

    @Test func aFolderIsServedUntilTheInputEnds() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: { body: first }\n")
        let agent = try Conversation(["mocks"], in: folder)
        #expect(try agent.call(1, "stubs")["stubs"]?[0]?["key"] == "GET /a")
        let begun = try agent.call(2, "session_begin", ["port": true])
        let port = try #require(begun["port"]?.intValue)
        let session = try #require(begun["session"])
        _ = try agent.call(3, "stub", ["session": session, "stubs": "GET /b: { body: mine }"])
        let client = try RawClient(port: UInt16(port))
        try client.send("GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(HTTPAnswer(client.receiveAll(within: 60_000).bytes, isHead: false)?.text == "mine")
        #expect(try agent.call(4, "session_end", ["session": session])["verdict"] == "passed")
        #expect(agent.end() == .exited(0))
        let isGone: Bool? = eventually { (try? RawClient(port: UInt16(port))) == nil ? true : nil }
        #expect(isGone == true, "the daemon has ended with the input")
        let lines = agent.process.output.split(separator: "\n")
        #expect(lines.allSatisfy { (try? JSONValue(parsing: Array($0.utf8))) != nil }, "\(agent.process.output)")
    }

    @Test func aRunningDaemonIsSteered() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--admin-token", "t0p"])
        let folder = try TemporaryFolder()
        let url = "http://127.0.0.1:\(daemon.port)"
        let refused = try Conversation(["--url", url], in: folder)
        #expect(try refused.call(1, "stubs")["error"]?["fix"]?.stringValue?.contains("credentials") == true)
        #expect(refused.end() == .exited(0))
        let agent = try Conversation(["--url", url, "--admin-token", "t0p"], in: folder)
        _ = try daemon.get("/b")
        #expect(try agent.call(1, "unmatched")["total"] == 1)
        #expect(agent.end() == .exited(0))
        #expect(try daemon.get("/a").status == 200)
        let nobody = try Conversation(["--url", "http://127.0.0.1:1"], in: folder)
        let problem = try nobody.call(1, "stubs")["error"]
        #expect(problem?["message"]?.stringValue?.contains("cannot connect") == true)
        #expect(nobody.end() == .exited(0))
    }

    /// At the address of a session the tools name it, and those that were begun through it.
    @Test func theAddressOfASessionIsItsBound() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        let folder = try TemporaryFolder()
        let all = try Conversation(["--url", "http://127.0.0.1:\(daemon.port)"], in: folder)
        let own = try #require(try all.call(1, "session_begin", ["name": "own"])["session"]?.stringValue)
        let other = try #require(try all.call(2, "session_begin", ["name": "other"])["session"])
        #expect(try all.call(3, "requests", ["session": other])["requests"] == [])
        let agent = try Conversation(["--url", "http://127.0.0.1:\(daemon.port)/__session/\(own)"], in: folder)
        for (number, tool) in ["requests", "stubs", "unmatched", "fault"].enumerated() {
            let answer = try agent.call(number + 1, tool, ["session": other])
            #expect(answer["error"]?["message"]?.stringValue?.contains("session") == true, "\(tool): \(answer)")
        }
        let inner = try #require(try agent.call(5, "session_begin", [:])["session"])
        #expect(try agent.call(6, "requests", ["session": inner])["requests"] == [])
        #expect(try agent.call(7, "stubs", ["session": .string(own)])["total"] == 1)
        for conversation in [all, agent] { #expect(conversation.end() == .exited(0)) }
    }

    /// What waits keeps no other message waiting, and is answered before the program ends.
    @Test func aWaitingCallKeepsNobodyWaiting() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}\n")
        let agent = try Conversation(["mocks"], in: folder)
        let pattern: JSONValue = ["expectations": [["pattern": ["url": "/never"]]], "within": "1s"]
        agent.process.write(Self.call(1, "verify", pattern))
        #expect(try agent.call(2, "stubs")["total"] == 1)
        agent.process.closeInput()
        #expect(try agent.answer(1)["result"]?["structuredContent"]?["verified"] == false)
        #expect(agent.process.wait() == .exited(0))
    }

    @Test func messagesMayEndAnyhow() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}\n")
        let agent = try Conversation(["mocks"], in: folder)
        // Empty lines, an end of line of other systems, and none at the end of the input.
        let last = Self.call(2, "stubs").dropLast()
        agent.process.write("\n\r\n" + Self.call(1, "stubs").dropLast() + "\r\n" + last)
        agent.process.closeInput()
        #expect(try agent.answer(1)["result"] != nil && agent.answer(2)["result"] != nil)
        #expect(agent.process.wait() == .exited(0))
    }

    @Test func recordingsAreWrittenWhereTheCommandLineSaysSo() throws {
        let target = try Daemon(files: ["a.yaml": "GET /a: { json: { n: 1 } }"])
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /z: {}\n")
        let start: JSONValue = ["action": "start", "target": .string("http://127.0.0.1:\(target.port)")]
        let stop: JSONValue = ["action": "stop", "write": true]
        for (number, name) in ["recorded.yaml", "recorded-2.yaml"].enumerated() {
            let agent = try Conversation(["mocks", "--write", "out"], in: folder)
            let begun = try agent.call(1, "session_begin", ["port": true])
            let session = try #require(begun["session"])
            let port = try #require(begun["port"]?.intValue)
            var arguments = start.objectValue ?? [:]
            arguments["session"] = session
            #expect(try agent.call(2, "record", .object(arguments))["status"] == "Recording")
            let client = try RawClient(port: UInt16(port))
            try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(HTTPAnswer(client.receiveAll(within: 60_000).bytes, isHead: false)?.text == #"{"n":1}"#)
            arguments = stop.objectValue ?? [:]
            arguments["session"] = session
            let stopped = try agent.call(3, "record", .object(arguments))
            #expect(stopped["written"] == [.string("out/" + name)], "\(number): \(stopped.compactText)")
            #expect(try folder.read("out/" + name).contains("GET /a:"))
            #expect(agent.end() == .exited(0))
        }
    }

    private static let python: String? = ClientSuite.python(that: "import mcp; mcp.Client")

    @Test(.enabled(if: python != nil, "no Python here has the package `mcp`; `.ci/deps ci` installs it"))
    func theClientOfPyPISpeaksBothForms() throws {
        let daemon = try Daemon(["--mcp"])
        let scratch = try TemporaryFolder()
        try scratch.write("mocks/a.yaml", "GET /a: {}\n")
        let script = PackageFiles.root + "/Tests/Clients/mcp_client.py"
        let client = try ChildProcess(
            try #require(Self.python),
            [
                "-B", script, "--stdio", Daemon.binary, scratch.path + "/mocks", "--http",
                "http://127.0.0.1:\(daemon.port)",
            ], outputsIn: scratch)
        #expect(client.wait(milliseconds: 180_000) == .exited(0), "\(client.errors)")
        #expect(
            client.output.split(separator: "\n") == [
                "stdio 2026-07-28", "http 2026-07-28", "stdio auto", "http auto", "stdio legacy", "http legacy",
            ])
    }
}
