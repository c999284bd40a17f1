import SDAgentTools
import SDJSON
import SDTestSupport
import Testing

/// Messages of JSON-RPC: both forms of the protocol, and what is wrong with others.
@Suite struct AgentProtocolTests {
    private static let meta = Agent.meta.compactText

    private static let mistakes: [(message: String, code: Int, words: String)] = [
        ("x", -32700, "line 1, column 1"), ("", -32700, "not JSON"), ("[]", -32600, "batch"),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, "one message at a time"), ("3", -32600, "an object"),
        ("{}", -32600, "jsonrpc"), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, "\"2.0\""),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600, "needs a method"),
        (#"{"jsonrpc":"2.0","id":1,"method":3}"#, -32600, "method: expected a text"),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "id: expected"),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, "id: expected"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602, "params: expected an object"),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602, "send initialize first"),
        (#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, -32602, "clientCapabilities"),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#
                + #""io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#, -32602, "clientCapabilities"
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#
                + #""io.modelcontextprotocol/protocolVersion":3,"io.modelcontextprotocol/clientCapabilities":{}}}}"#,
            -32602, "is a text"
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#
                + #""io.modelcontextprotocol/protocolVersion":"2027-01-01","#
                + #""io.modelcontextprotocol/clientCapabilities":{}}}}"#, -32022, "2026-07-28"
        ),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/lst","params":{"_meta":META}}"#, -32601, "tools/list"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":META}}"#, -32601, "ping"),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2","_meta":META}}"#, -32602, "cursor"),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":META}}"#, -32602, "name of a tool"),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stbu","_meta":META}}"#, -32602,
            #"did you mean "stub""#
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stub","arguments":[],"_meta":META}}"#,
            -32602, "arguments: expected an object"
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"stuntdouble://docs/rotes","#
                + #""_meta":META}}"#, -32602, "stuntdouble://docs/routes"
        ),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":META}}"#, -32602, "uri"),
    ]

    @Test(arguments: mistakes)
    func whatIsWrongIsTold(message: String, code: Int, words: String) throws {
        let answer = Agent().answer(message.replacing("META", with: Self.meta))
        let error = try #require(answer?.document?["error"], "\(message)")
        #expect(error["code"]?.intValue == code)
        #expect(error["message"]?.stringValue?.contains(words) == true, "\(error.compactText)")
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ])
    func whatAsksNothingIsNotAnswered(message: String) {
        let answer = Agent().answer(message)
        #expect(answer?.document == nil && answer?.status == 202)
    }

    @Test func theStatelessProtocolNeedsNoHandshake() throws {
        let agent = Agent()
        let discovered = agent.ask("server/discover")["result"]
        #expect(discovered?["supportedVersions"]?[0] == "2026-07-28")
        #expect(discovered?["resultType"] == "complete")
        #expect(discovered?["capabilities"] == ["tools": [:], "resources": [:]])
        #expect(discovered?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["version"] == "1.2.3")
        let listed = agent.ask("tools/list")["result"]
        #expect(listed?["resultType"] == "complete" && listed?["ttlMs"] != nil && listed?["cacheScope"] == "public")
        #expect(listed?["tools"]?.arrayValue?.count == 11)
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ])
    func theHandshakeAgreesOnAVersion(asked: String, agreed: String) {
        let agent = Agent()
        let initialize = #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#
        let answer = agent.answer(initialize)?.document
        #expect(answer?["id"] == "a")
        #expect(answer?["result"]?["protocolVersion"]?.stringValue == agreed)
        #expect(answer?["result"]?["resultType"] == nil)
        let listed = agent.answer(#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)?.document
        #expect(listed?["result"]?["tools"]?.arrayValue?.count == 11)
        #expect(agent.answer(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)?.document?["result"] == [:])
    }

    private static let headers: [(version: String?, method: String?, name: String?, status: Int)] = [
        ("2026-07-28", "tools/call", "stubs", 200), (nil, "tools/call", "stubs", 400),
        ("2025-11-25", "tools/call", "stubs", 400), ("2026-07-28", nil, "stubs", 400),
        ("2026-07-28", "tools/list", "stubs", 400), ("2026-07-28", "tools/call", nil, 400),
        ("2026-07-28", "tools/call", "stub", 400),
    ]

    /// By HTTP what the headers say is compared with the body.
    @Test(arguments: headers)
    func headersSayWhatTheBodySays(version: String?, method: String?, name: String?, status: Int) {
        let agent = Agent(origin: .http(version: version, method: method, name: name))
        let message =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stubs","_meta":\#(Self.meta)}}"#
        let answer = agent.answer(message)
        #expect(answer?.status == status)
        #expect(answer?.document?["error"]?["code"]?.intValue == (status == 200 ? nil : -32020))
    }

    @Test func theHandshakeByHTTPIsKeptByNobody() {
        let listed = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#
        for version in [nil, "2025-11-25"] {
            #expect(Agent(origin: .http(version: version, method: nil, name: nil)).answer(listed)?.status == 200)
        }
        let unknown = Agent(origin: .http(version: "2031-01-01", method: nil, name: nil)).answer(listed)
        #expect(unknown?.status == 400 && unknown?.document?["error"]?["code"]?.intValue == -32022)
        let bare = Agent(origin: .http(version: "2026-07-28", method: "tools/list", name: nil)).answer(listed)
        #expect(bare?.document?["error"]?["code"]?.intValue == -32602)
    }

    @Test func documentsAreRead() throws {
        let agent = Agent()
        let listed = try #require(agent.ask("resources/list")["result"]?["resources"]?.arrayValue)
        #expect(listed.count == 6)
        var bytes = 0
        for resource in listed {
            let content = agent.ask("resources/read", ["uri": resource["uri"] ?? ""])["result"]?["contents"]?[0]
            #expect(content?["uri"] == resource["uri"])
            let text = try #require(content?["text"]?.stringValue)
            #expect(text.utf8.count > 1_000)
            guard resource["mimeType"] == "text/markdown", let name = resource["name"]?.stringValue else { continue }
            bytes += text.utf8.count
            let isPacked = try Array(text.utf8) == Array(PackageFiles.data("docs/\(name).md"))
            #expect(isPacked, "the packed copy of docs/\(name).md is older: run `make dialect`, and build again")
        }
        #expect(bytes <= 120 << 10, "pages are part of the binary")
        #expect(agent.ask("resources/templates/list")["result"]?["resourceTemplates"] == [])
    }
}
