import SDAgentTools
import SDJSON
import Synchronization
import Testing

/// What the tools ask the admin API, and what they make of its answers.
@Suite struct ToolTests {
    @Test func everyToolHasASchemaAndTakesNothingElse() throws {
        let tools = try #require(Agent().ask("tools/list")["result"]?["tools"]?.arrayValue)
        #expect(
            tools.compactMap { $0["name"]?.stringValue } == [
                "session_begin", "session_end", "stub", "stubs", "requests", "unmatched", "explain", "verify",
                "release", "record", "fault",
            ])
        for tool in tools {
            let schema = try #require(tool["inputSchema"])
            #expect(schema["type"] == "object" && schema["additionalProperties"] == false)
            for property in schema["properties"]?.objectValue?.members ?? [] {
                #expect(property.value["description"]?.stringValue?.isEmpty == false, "\(property.key)")
            }
            let name = tool["name"]?.stringValue ?? ""
            let outcome = Agent().call(name, ["nonsense": 1])
            #expect(outcome.isError && outcome.text.contains("nonsense"), "\(name): \(outcome.text)")
        }
    }

    private static let wrongArguments: [(tool: String, arguments: String, words: String)] = [
        ("stub", #"{"stub": "x"}"#, "write stubs in place of"), ("stub", "{}", "stub needs stubs"),
        ("stub", #"{"stubs": 3}"#, "an object, a list of objects, or a text"),
        ("stub", #"{"stubs": "GET /a: {}", "remove": "x"}"#, "exclude each other"),
        // A word that means something else in the path of a call.
        ("stub", #"{"remove": "unmatched"}"#, "no id of a stub"), ("stub", #"{"remove": ""}"#, "not empty"),
        ("stubs", #"{"id": "unmatched"}"#, "no id of a stub"), ("fault", #"{"remove": ""}"#, "not empty"),
        ("stubs", #"{"limit": 0}"#, "from 1 to 200"), ("stubs", #"{"cursor": "x"}"#, "nextCursor"),
        ("stubs", #"{"session": "../mappings"}"#, "session_begin"), ("session_end", "{}", "needs the argument session"),
        ("requests", #"{"limit": 1000}"#, "from 1 to 100"), ("explain", "{}", "the id of a request, or a url"),
        ("verify", "{}", "needs the argument expectations"), ("verify", #"{"expectations": [3]}"#, "a list of objects"),
        (
            "verify", #"{"expectations": ["GET /a", "/b?c=1"]}"#,
            #"write expectations: [{"pattern":{"method":"GET","urlPath":"/a"}}, {"pattern":{"url":"/b?c=1"}}]"#
        ),
        ("verify", #"{"expectations": "GET /a"}"#, #"[{"pattern":{"method":"GET","urlPath":"/a"}}]"#),
        (
            "verify", #"{"expectations": [{"urlPath": "/a", "exactly": 2}]}"#,
            #"write "count": {"exactly": 2} beside the pattern"#
        ),
        (
            "verify", #"{"expectations": [{"urlPath": "/a", "count": {"exactly": "2"}}]}"#,
            #"expectations[0].count.exactly: expected a whole number"#
        ),
        ("verify", #"{"expectations": [{"urlPath": "/a", "count": {"exactli": 2}}]}"#, #"{"exactly": 2}"#),
        ("verify", #"{"expectations": [{"urlPath": "/a", "count": {"exactly": -1}}]}"#, #"{"exactly": 1}"#),
        ("verify", #"{"expectations": [{"urlPath": "/a", "count": "2"}]}"#, #"write "count": 2"#),
        ("verify", #"{"expectations": [], "within": "soon"}"#, "milliseconds, or a text such as"),
        ("verify", #"{"expectations": [], "within": "10m"}"#, #""2m" at most"#),
        ("release", #"{"count": 1}"#, "needs the name of a gate"),
        ("release", #"{"gate": "a", "action": "realese"}"#, #"write "release""#),
        ("release", #"{"gate": "a", "action": "open", "count": 1}"#, "open takes no count"),
        ("record", "{}", "needs the argument action"), ("record", #"{"action": "start"}"#, "start needs a target"),
        ("record", #"{"action": "start", "target": "example.com"}"#, "begin it with https://"),
        ("record", #"{"action": "stop", "target": "http://a"}"#, "stop takes no target"),
        ("record", #"{"action": "stop", "write": true}"#, "--write DIR"),
        ("fault", #"{"add": {}, "remove": "all"}"#, "exclude each other"),
    ]

    @Test(arguments: wrongArguments)
    func wrongArgumentsNameTheFix(tool: String, arguments: String, words: String) throws {
        let agent = Agent()
        let outcome = agent.call(tool, try JSONValue(parsing: arguments))
        #expect(outcome.isError)
        #expect(outcome.text.contains(words), "\(outcome.text)")
        #expect(outcome.document["error"]?["fix"]?.stringValue?.isEmpty == false)
        #expect(agent.caller.questions.isEmpty)
    }

    /// The calls that a tool makes with such arguments.
    private static let calls: [(tool: String, arguments: String, words: String)] = [
        ("stub", #"{"stubs": "GET /a: {}"}"#, "POST /__admin/mappings?redact=true GET /a: {}"),
        (
            "stub", #"{"stubs": {"GET /a": {}}, "session": "s1-a"}"#,
            #"POST /__session/s1-a/__admin/mappings?redact=true {"GET /a":{}}"#
        ),
        ("stub", #"{"stubs": "{\"request\": {}}"}"#, #"POST /__admin/mappings?redact=true {"request": {}}"#),
        (
            "stub", #"{"stubs": [{"request": {}}]}"#,
            #"POST /__admin/mappings?redact=true {"mappings":[{"request":{}}]}"#
        ),
        (
            "stub", #"{"stubs": {}, "id": "11111111-1111-4111-8111-111111111111"}"#,
            "PUT /__admin/mappings/11111111-1111-4111-8111-111111111111?redact=true {}"
        ),
        ("stub", #"{"stubs": {}, "dryRun": true}"#, "POST /__admin/mappings/validate {}"),
        (
            "stub", #"{"remove": "11111111-1111-4111-8111-111111111111"}"#,
            "GET /__admin/mappings/11111111-1111-4111-8111-111111111111?redact=true;DELETE /__admin/mappings/11111111-1111-4111-8111-111111111111"
        ),
        ("stubs", "{}", "GET /__admin/requests/counters"),
        (
            "requests", #"{"filter": "POST a&b", "cursor": "7"}"#,
            "GET /__admin/requests?view=row&limit=20&q=POST%20a%26b&before=7"
        ),
        ("unmatched", #"{"ignore": ["/favicon.ico"]}"#, "GET /__admin/report?sessions=own&ignore=%2Ffavicon.ico"),
        ("explain", #"{"url": "/a"}"#, #"POST /__admin/explain {"method":"GET","url":"/a"}"#),
        ("explain", #"{"id": "u-1"}"#, "GET /__admin/requests/u-1/explain"),
        ("release", "{}", "GET /__admin/gates"),
        ("release", #"{"gate": "a b", "count": 2}"#, #"POST /__admin/gates/a%20b/release {"count":2}"#),
        ("release", #"{"gate": "a", "action": "open"}"#, "POST /__admin/gates/a/open"),
        (
            "record", #"{"action": "start", "target": "http://a"}"#,
            #"GET /__admin/recordings/status;POST /__admin/recordings/start {"targetBaseUrl":"http://a","persist":false}"#
        ),
        (
            "record", #"{"action": "start", "target": "127.0.0.1:8080"}"#,
            #"GET /__admin/recordings/status;POST /__admin/recordings/start {"targetBaseUrl":"http://127.0.0.1:8080","persist":false}"#
        ),
        (
            "session_end", #"{"session": "s1-a", "keep": true}"#,
            "GET /__admin/sessions/s1-a/report?fail=unmatched%2Cunmet%2Cerror"
        ),
        ("record", #"{"action": "preview"}"#, "GET /__admin/recordings/preview?format=files"),
        ("fault", #"{"add": {"status": 503}}"#, #"POST /__admin/faults {"status":503}"#),
        ("fault", #"{"remove": "all"}"#, "DELETE /__admin/faults"),
    ]

    @Test(arguments: calls)
    func toolsMakeCalls(tool: String, arguments: String, words calls: String) throws {
        let agent = Agent()
        _ = agent.call(tool, try JSONValue(parsing: arguments))
        let made = agent.caller.questions.map { question in
            "\(question.method) \(question.target)"
                + (question.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? "")
        }
        #expect(made.joined(separator: ";") == calls)
    }

    @Test func expectationsMayBeShort() throws {
        let agent = Agent(["POST /__admin/requests/verify": (200, #"{"verified": true, "text": "verified"}"#)])
        let arguments = try JSONValue(
            parsing: #"{"expectations": [{"method": "GET", "url": "/a", "count": 2, "name": "n"}, "#
                + #"{"pattern": {"url": "/b"}, "count": {"atMost": 1}}], "within": "2m"}"#)
        let outcome = agent.call("verify", arguments)
        #expect(!outcome.isError && outcome.document["verified"] == true)
        let body = try JSONValue(parsing: try #require(agent.caller.questions.first?.body))
        #expect(
            body["expectations"] == [
                ["name": "n", "count": ["exactly": 2], "pattern": ["method": "GET", "url": "/a"]],
                ["pattern": ["url": "/b"], "count": ["atMost": 1]],
            ])
        #expect(body["timeoutMs"] == 120_000)
    }

    @Test func refusalsOfTheAdminAPIAreResults() {
        let refusal = #"{"errors": [{"title": "Error in a stub file", "detail": "a\nbody:1:2: error: boddy?"}]}"#
        let agent = Agent(["POST /__admin/mappings": (422, refusal), "GET /__admin/gates": (401, "")])
        let outcome = agent.call("stub", ["stubs": "GET /a: { boddy: x }"])
        #expect(outcome.isError && outcome.text == "Error in a stub file: body:1:2: error: boddy?")
        #expect(agent.call("release").text.contains("credentials"))
        let ended = Agent([
            "GET /__session/s1-a/__admin/gates": (410, #"{"errors": [{"title": "The session s1-a has ended"}]}"#)
        ])
        #expect(ended.call("release", ["session": "s1-a"]).text.contains("session_begin"))
    }

    @Test func theVerdictIsToldBeforeTheSessionEnds() throws {
        let report = #"""
            {"verdict": "failed", "reasons": ["unmatched"], "served": 2, "unmatchedCount": 1, "unmatchedRequests":
              [{"method": "GET", "url": "/a\u202e", "smallestChange": "Only the path differs"}]}
            """#
        let agent = Agent(["GET /__admin/sessions/s1-a/report": (422, report)])
        let outcome = agent.call("session_end", ["session": "s1-a", "failOn": ["unmatched", "unused"]])
        #expect(outcome.text.hasPrefix("failed for unmatched: 2 requests, 1 unmatched\n- GET /a"))
        #expect(!outcome.text.unicodeScalars.contains("\u{202e}"), "hidden characters are told by their codes")
        #expect(
            agent.caller.questions.map(\.target) == [
                "/__admin/sessions/s1-a/report?fail=unmatched%2Cunused", "/__admin/sessions/s1-a",
            ])
        let kept = Agent(["GET /__admin/sessions/s1-a/report": (200, report)])
        _ = kept.call("session_end", ["session": "s1-a", "keep": true])
        #expect(kept.caller.questions.count == 1)
    }

    @Test func theVerdictNamesWhatWasNeverUsed() {
        let report = #"""
            {"verdict": "failed", "reasons": ["unused"], "served": 0, "unmatchedCount": 0, "unusedStubs":
              [{"id": "i", "key": "GET /tea", "file": "tea.yaml", "line": 3}]}
            """#
        let agent = Agent(["GET /__admin/sessions/s1-a/report": (422, report)])
        let outcome = agent.call("session_end", ["session": "s1-a", "failOn": ["unused"]])
        #expect(outcome.text.hasSuffix("\n- GET /tea (tea.yaml:3) was never used"), "\(outcome.text)")
        #expect(outcome.document["unusedStubs"]?[0]?["id"] == "i")
    }

    /// Who reads the text alone learns what the document has.
    @Test func textsHaveTheSubstance() {
        let archive = #"""
            {"log": {"entries": [{"_sequence": 3, "_id": "u-3", "_stub": "till", "request": {"method": "POST",
              "url": "http://localhost/a", "headers": [{"name": "X-A", "value": "1"}], "postData": {"text": "one\ntwo"}},
              "response": {"status": 201, "headers": [{"name": "X-B", "value": "2"}], "content": {"text": "done"}}}]}}
            """#
        let agent = Agent([
            "GET /__session/s1-a/__admin/requests": (200, archive),
            "GET /__session/s1-a/__admin/requests/u-3/curl": (200, "curl http://localhost/__session/s1-a/a\n"),
        ])
        let outcome = agent.call("requests", ["session": "s1-a", "id": 3])
        #expect(
            outcome.text == """
                #3 POST http://localhost/a: 201, in the session s1-a, by till
                Request:
                  X-A: 1

                  one
                  two
                Response 201:
                  X-B: 2

                  done
                """)
        #expect(outcome.document["curl"] == "curl http://localhost/__session/s1-a/a\n")
        let id = "11111111-1111-4111-8111-111111111111"
        let mapping = #"{"request": {"method": "GET", "url": "/a"}, "response": {"body": "green"}}"#
        let stub = Agent(["GET /__admin/mappings/\(id)": (200, mapping)]).call("stubs", ["id": .string(id)])
        #expect(stub.text.hasPrefix("GET /a\n") && stub.text.contains("green"))
    }

    @Test(arguments: [
        ("is:bogus", #"is: has no "bogus""#), ("is:unmached", #"did you mean "unmatched"?"#),
        ("foo:bar", #"there is no filter "foo:""#), ("pth:/a", #"did you mean "path"?"#),
        ("GET -is:failed|held path:/a http://a/b \"foo:bar\"", nil),
    ])
    func whatAFilterDoesNotKnowIsTold(filter: String, words: String?) {
        let agent = Agent(["GET /__admin/requests": (200, #"{"requests": []}"#)])
        let outcome = agent.call("requests", ["filter": .string(filter)])
        #expect(!outcome.isError)
        #expect(outcome.text.contains("Note: ") == (words != nil), "\(outcome.text)")
        if let words { #expect(outcome.text.contains(words), "\(outcome.text)") }
        #expect((outcome.document["remarks"] != nil) == (words != nil))
    }

    @Test func whatWouldHaveMatchedIsAMapping() {
        let report = #"""
            {"unmatchedCount": 1, "unmatched": [{"sequence": 4, "request": {"method": "POST", "url": "/a?b=1", "body": "x",
              "formParams": {"secret": 1}}, "smallestChange": "c", "nearestStub": {"key": "GET /a", "file": "m.yaml", "line": 3,
              "stubMapping": {"id": "i"}, "attributes": [{"attribute": "method", "matches": false}, {"matches": true}]}}]}
            """#
        let outcome = Agent(["GET /__admin/report": (200, report)]).call("unmatched")
        #expect(outcome.text.contains(#"would match: {"request":{"method":"POST","url":"/a?b=1"}"#), "\(outcome.text)")
        let entry = outcome.document["unmatched"]?[0]
        #expect(
            entry?["stubThatWouldMatch"] == [
                "request": ["method": "POST", "url": "/a?b=1"], "response": ["status": 200],
            ])
        #expect(entry?["nearestStub"]?["differences"]?.arrayValue?.count == 1)
        #expect(entry?["nearestStub"]?["id"] == "i")
        #expect(entry?["request"]?["formParams"] == nil)
    }

    @Test func longTextsAndListsAreCut() throws {
        let long = String(repeating: "é", count: 5_000)
        let agent = Agent([
            "GET /__admin/mappings/11111111-1111-4111-8111-111111111111": (200, #"{"id": "a", "name": "\#(long)"}"#)
        ])
        let name = try #require(
            agent.call("stubs", ["id": "11111111-1111-4111-8111-111111111111"]).document["stub"]?["name"]?.stringValue)
        #expect(name.utf8.count < 4_200 && name.hasSuffix("(cut: 10000 bytes in all)"))
        let stubs = (1...300).map { #"{"key": "GET /\#($0)", "matches": 0}"# }.joined(separator: ",")
        let listed = Agent(["GET /__admin/requests/counters": (200, #"{"stubs": [\#(stubs)]}"#)])
        let page = listed.call("stubs", ["limit": 200, "cursor": "100"]).document
        #expect(page["stubs"]?.arrayValue?.count == 200 && page["total"] == 300 && page["nextCursor"] == nil)
        #expect(listed.call("stubs", ["contains": "get /29"]).document["total"] == 11)
        let many = (1...150).map { #""\#($0)": "\#(String(repeating: "x", count: 3_000))""# }.joined(separator: ",")
        let heavy = Agent(["GET /__admin/mappings/11111111-1111-4111-8111-111111111111": (200, "{\(many)}")]).call(
            "stubs", ["id": "11111111-1111-4111-8111-111111111111"])
        #expect(heavy.isError && heavy.text.contains("256 KiB"))
    }

    @Test func filesAreWrittenOnlyWhereThatIsAllowed() throws {
        let files =
            #"{"files": [{"path": "recorded.yaml", "text": "GET /a: {}\n"}, {"path": "__files/b", "base64": "aGk="}]}"#
        let answers = ["POST /__admin/recordings/stop": (200, files)]
        let written = Mutex<[String: String]>([:])
        let context = ToolContext(version: "1") { path, bytes throws(ToolProblem) in
            written.withLock { $0[path] = String(decoding: bytes, as: UTF8.self) }
            return "out/" + path
        }
        let agent = Agent(answers, context: context)
        let shown = agent.call("record", ["action": "stop"])
        #expect(shown.text == "GET /a: {}\n" && written.withLock(\.isEmpty))
        let outcome = agent.call("record", ["action": "stop", "write": true])
        #expect(written.withLock { $0 } == ["recorded.yaml": "GET /a: {}\n", "__files/b": "hi"])
        #expect(outcome.document["written"] == ["out/recorded.yaml", "out/__files/b"])
    }

    @Test func waitingIsSeenInTheMessage() {
        let call = { (arguments: String) in
            Array(#"{"method": "tools/call", "params": {"name": "verify", "arguments": \#(arguments)}}"#.utf8)
        }
        #expect(AgentServer.waits(call(#"{"within": "1s"}"#)))
        #expect(!AgentServer.waits(call("{}")) && !AgentServer.waits(Array("x".utf8)))
    }
}
