import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

/// Routes of WebSockets, which become message stubs.
@Suite struct RouteSocketTests {
    private func parse(_ text: String) -> ParsedStubFile {
        StubFile.read(Array(text.utf8), format: .yaml, path: "a.yaml")
    }

    private static let channel = #"{"type":"websocket","initiatingRequestPattern":{"urlPath":"/a","method":"ANY"}}"#

    private static func stub(_ trigger: String, _ rest: String = "") -> String {
        let parts = trigger.split(separator: "…", omittingEmptySubsequences: false)
        return #"{"trigger":\#(parts.joined(separator: channel))\#(rest)}"#
    }

    private static let opened = stub(#"{"type":"open","channel":…}"#)

    /// The value of `WS /a`, and its stubs in the order of the document, without ids.
    @Test(arguments: [
        ("", [opened]),
        (
            "{ protocol: v1, onOpen: { send: hi } }",
            [
                stub(
                    #"{"type":"open","channel":…,"protocols":["v1"]}"#,
                    #","actions":[{"type":"send","message":{"body":"hi"},"channelTarget":{"type":"originating"}}]"#)
            ]
        ),
        (
            "{ close: { after: 10, code: 1011, reason: r } }",
            [stub(#"{"type":"open","channel":…,"closeAfter":{"messages":10,"code":1011,"reason":"r"}}"#)]
        ),
        ("{ close: { after: 30s } }", [stub(#"{"type":"open","channel":…,"closeAfter":{"time":"30s"}}"#)]),
        (
            "{ on: { when: { text: ping }, send: { json: { a: 1 } }, to: others } }",
            [
                opened,
                stub(
                    #"{"type":"message","channel":…,"message":{"body":{"equalTo":"ping"}}}"#,
                    #","actions":[{"type":"send","message":{"body":{"data":{"a":1},"format":"json","compact":true}},"#
                        + #""channelTarget":{"type":"room","others":true}}]"#),
            ]
        ),
        (
            "{ on: [ { echo: true, close: 4001 } ] }",
            [
                opened,
                stub(
                    #"{"type":"message","channel":…}"#,
                    #","actions":[{"type":"echo","channelTarget":{"type":"originating"}},"#
                        + #"{"type":"close","channelTarget":{"type":"originating"},"code":4001}]"#),
            ]
        ),
        (
            "{ every: { 5s: { send: [a, b] } } }",
            [
                opened,
                stub(
                    #"{"type":"interval","every":"5s","channel":…}"#,
                    #","actions":[{"type":"send","message":{"body":"a"},"channelTarget":{"type":"originating"}},"#
                        + #"{"type":"send","message":{"body":"b"},"channelTarget":{"type":"originating"}}]"#),
            ]
        ),
        (
            "{ on: { when: { json: { a: 1 }, text: { contains: x } }, sequence: [ { send: a }, [ { close: true } ] ], "
                + "onEnd: stop, per: session, scenario: { name: s, from: f, to: t } } }",
            [
                opened,
                stub(
                    #"{"type":"message","channel":…,"message":{"body":{"and":[{"equalToJson":{"a":1}},{"contains":"x"}]}}}"#,
                    #","sequence":[[{"type":"send","message":{"body":"a"},"channelTarget":{"type":"originating"}}],"#
                        + #"[{"type":"close","channelTarget":{"type":"originating"}}]],"onEnd":"stop","per":"session","#
                        + #""scenarioName":"s","requiredScenarioState":"f","newScenarioState":"t""#),
            ]
        ),
    ])
    func routesBecomeMessageStubs(value: String, expected: [String]) throws {
        let file = parse("WS /a: \(value)\n")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        #expect(file.stubs.isEmpty)
        let found = file.messageStubs.reversed().map { stub -> String in
            var json = stub.json.objectValue ?? JSONObject()
            json["id"] = nil
            return JSONValue.object(json).compactText
        }
        #expect(found == expected)
        let again = parse("WS /a: \(value)\n")
        #expect(again.messageStubs.map(\.id) == file.messageStubs.map(\.id))
        #expect(Set(file.messageStubs.map(\.id)).count == expected.count)
        for stub in file.messageStubs { #expect(try MessageStub(json: stub.json).json == stub.json) }
    }

    /// A route with a mistake, and a part of what is said.
    @Test(arguments: [
        ("WS /a: 1", "1:8: error"), ("WS /a: []", "at least one"), ("WS /a: { onn: {} }", "did you mean \"on\"?"),
        ("WS /a: { send: hi }", "1:10: error: [\"WS /a\"].send: when is not said"),
        ("WS /a: { json: {} }", "to refuse it"), ("WS /a: { status: 401, on: { send: a } }", "says nothing"),
        ("WS /a: { status: 101 }", "no status that refuses"), ("WS /a: { proxy: ws:/x }", "did you mean"),
        ("WS /a: { protocol: a b }", "a token"), ("WS /a: { protocol: [] }", "no sub-protocol"),
        ("WS /a: { on: { when: { jsn: {} } } }", "1:24: error"),
        ("WS /a: { on: { when: { headers: {} } } }", "of the route"),
        ("WS /a: { when: { json: {} } }", "what messages say stands under \"on\""),
        ("WS /a: { on: { sendd: a } }", "did you mean \"send\"?"), ("WS /a: { on: [ hi ] }", "an answer"),
        ("WS /a: { onOpen: hi }", "did you mean \"{ send: hi }\"?"),
        ("WS /a: { onOpen: { send: { jsn: 1 } } }", "did you mean \"json\"?"),
        ("WS /a: { onOpen: { send: { a: 1 } } }", "JSON goes under \"json\""),
        ("WS /a: { onOpen: { send: { json: 1, text: a } } }", "one thing"),
        ("WS /a: { onOpen: { send: { base64: \"=\" } } }", "not Base64"),
        ("WS /a: { onOpen: { send: { file: ../a } } }", "not a file name"),
        ("WS /a: { onOpen: { send: a, to: rom } }", "did you mean \"room\"?"),
        ("WS /a: { onOpen: { close: 999 } }", "no code of closing"),
        ("WS /a: { onOpen: { close: { after: 3 } } }", "closes at once"),
        ("WS /a: { every: { 5: { send: a } } }", "did you mean \"5ms\"?"),
        ("WS /a: { every: {} }", "an object of times"),
        ("WS /a: { close: { code: 1000 } }", "\"after\" is missing"),
        ("WS /a: { close: { after: x } }", "neither a number"),
        ("WS /a: { on: { onEnd: loop, send: a } }", "there is no sequence"),
        ("WS /a: { on: { sequence: [ { send: a } ], send: b } }", "in the sequence"),
        ("WS /a: { on: { sequence: [], send: b } }", "no sequence"), ("ws /a: {}", "did you mean \"WS /a\"?"),
        ("WS a: {}", "did you mean \"WS /a\"?"),
    ])
    func mistakesAreNamed(text: String, hint: String) {
        let file = parse(text + "\n")
        #expect(file.messageStubs.isEmpty && file.stubs.isEmpty)
        #expect(file.diagnostics.contains { $0.description.contains(hint) }, "\(file.diagnostics)")
    }

    @Test func whatIsNeverReachedIsAWarning() {
        let text = """
            WS /a:
              on:
                - { echo: true }
                - { send: never }
            WS /b:
              - { on: { echo: true } }
              - { status: 404 }
            """
        let file = parse(text)
        #expect(file.diagnostics.map(\.severity) == [.warning, .warning])
        #expect(file.diagnostics.map(\.line) == [4, 7])
    }

    @Test func aResponseInItsPlaceIsAStubOfHTTP() throws {
        let text = """
            WS /a:
              - { when: { query: { a: "1" } }, on: { echo: true } }
              - { status: 401, json: { no: 1 } }
            WS /b: { proxy: { to: wss://x.example } }
            """
        let file = parse(text)
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        #expect(file.stubs.map(\.response.status) == [200, 401])
        #expect(file.stubs.map(\.response.proxyBaseUrl) == ["https://x.example", nil])
        #expect(
            file.stubs.last?.request.json.compactText
                == #"{"urlPath":"/a","method":"GET","headers":{"Sec-WebSocket-Version":{"absent":false}}}"#)
        #expect(
            file.messageStubs.map(\.precedes) == [
                [file.stubs[0].id, file.stubs[1].id], [file.stubs[0].id, file.stubs[1].id],
            ])
    }

    /// A place in a stub, and that in the document.
    @Test(arguments: [
        (0, "/actions/1/message/body", "/WS ~1{x}/onOpen/1/send"),
        (0, "/trigger/channel/initiatingRequestPattern/headers/A/matches", "/WS ~1{x}/when/headers/A/matches"),
        (0, "/trigger/channel/initiatingRequestPattern/urlPathTemplate", "/WS ~1{x}"),
        (1, "/trigger/message/body/matches", "/WS ~1{x}/on/0/when/text/matches"),
        (1, "/sequence/1/0/message/body", "/WS ~1{x}/on/0/sequence/1/send"),
        (2, "/actions/0/message/body", "/WS ~1{x}/every/5s/send"),
    ])
    func problemsOfAStubArePlacedInTheRoute(index: Int, pointer: String, place: String) throws {
        let text = """
            WS /{x}:
              when: { headers: { A: { matches: a } } }
              onOpen: [ { send: a }, { send: b } ]
              on: [ { when: { text: { matches: b } }, sequence: [ { send: a }, { send: b } ] } ]
              every: { 5s: { send: c } }
            """
        let file = parse(text)
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        let origin = try #require(Array(file.messageOrigins.reversed()).dropFirst(index).first)
        #expect(origin.place(of: try #require(JSONPointer(text: pointer))).place.text == place)
    }
}
