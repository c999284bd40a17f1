import SDJSON
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// `hold`, `stream`, `early`, `trailers`, `ranges`, `conditional` and `fallThrough`, in routes and in mappings.
@Suite struct RouteWireTests {
    private func parse(_ text: String, _ format: StubFile.Format = .yaml) -> ([StubMapping], [FileDiagnostic]) {
        let (stubs, diagnostics) = StubFile.parse(text.utf8, format: format, path: "a.yaml")
        return (stubs, diagnostics)
    }

    @Test(arguments: [
        ("hold: g", #"{"status":200,"hold":"g"}"#),
        (
            "hold: {gate: g, timeout: 1.5s, onTimeout: fail}",
            #"{"status":200,"hold":{"gate":"g","timeout":"1500ms","onTimeout":"fail"}}"#
        ),
        (
            "hold: {gate: g, timeout: 90s, onTimeout: 504}",
            #"{"status":200,"hold":{"gate":"g","timeout":"90s","onTimeout":504}}"#
        ),
        (
            "hold: {gate: g, timeout: 1m, onTimeout: EMPTY_RESPONSE}",
            #"{"status":200,"hold":{"gate":"g","timeout":"1m","onTimeout":"EMPTY_RESPONSE"}}"#
        ),
        (
            "stream: [{event: e, id: 7, data: {a: [1]}}, {after: 2s, data: text, retry: 3s}, {comment: c}]",
            #"{"status":200,"stream":[{"event":"e","id":"7","data":{"a":[1]}},{"after":"2s","retry":3000,"data":"text"},{"comment":"c"}]}"#
        ),
        (
            "stream: {events: [{chunk: a}, {base64: YQ==}, {hold: g}, {after: 1s, hold: {gate: h}}], repeat: 3}",
            #"{"status":200,"stream":{"events":[{"chunk":"a"},{"base64":"YQ=="},{"hold":"g"},{"after":"1s","hold":"h"}],"repeat":3}}"#
        ),
        (
            "stream: {events: [{data: null}], repeat: forever}",
            #"{"status":200,"stream":{"events":[{"data":null}],"repeat":"forever"}}"#
        ),
        ("stream: {name: s}", #"{"status":200,"stream":{"name":"s"}}"#),
        (
            "early: [103, {headers: {Link: a}}, {status: 102}]",
            #"{"status":200,"early":[103,{"status":103,"headers":{"Link":"a"}},102]}"#
        ),
        ("early: 103", #"{"status":200,"early":[103]}"#),
        ("trailers: {X: 1}", #"{"status":200,"trailers":{"X":"1"}}"#),
        ("ranges: true", #"{"status":200,"ranges":true}"#),
        ("conditional: true", #"{"status":200,"conditional":true}"#),
        ("file: a, fallThrough: true", #"{"status":200,"bodyFileName":"a","fallThrough":true}"#),
    ])
    func aRouteBecomesAMapping(route: String, response: String) throws {
        let (stubs, diagnostics) = parse("GET /a: { \(route) }")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let stub = try #require(stubs.first)
        #expect(stub.response.json.compactText == response)
        // The mapping reads as it was written.
        #expect(try StubMapping(json: ["response": stub.response.json]).response == stub.response)
    }

    @Test(
        arguments: [
            ("hold: ^[g]", "not the name of a gate", nil),
            ("hold: ^\"\"", "not the name of a gate", nil),
            ("hold: {^gat: g}", "unknown key \"gat\"", "gate"),
            ("hold: ^{timeout: 1s}", "the name of the gate is missing", nil),
            ("hold: {gate: g, timeout: ^30}", "a duration without a unit", "30ms"),
            ("hold: {gate: g, onTimeout: ^504}", "there is no timeout after which this could happen", nil),
            ("hold: {gate: g, timeout: 1s, onTimeout: ^anser}", "not an end of a wait", "answer"),
            ("hold: {gate: g, timeout: 1s, onTimeout: ^99}", "not an end of a wait", nil),
            ("stream: ^5", "not a stream", nil),
            ("stream: ^[]", "no events", nil),
            ("stream: ^{}", "a stream of nothing", nil),
            ("stream: {name: ^~}", "not the name of a stream", nil),
            ("stream: {^evnts: []}", "unknown key \"evnts\"", "events"),
            ("stream: {events: ^{}}", "not a list", nil),
            ("stream: {events: [{data: x}], repeat: ^0}", "not a number of rounds", nil),
            ("stream: {events: [{data: x}], repeat: ^for ever}", "not a number of rounds", "forever"),
            ("stream: {name: s, repeat: ^forever}", "goes on with what is pushed", nil),
            ("stream: [^x]", "not an event", nil),
            ("stream: [^{}]", "an event of nothing", nil),
            ("stream: [^{after: 1s}]", "an event of nothing", nil),
            ("stream: [{^dta: x}]", "unknown key \"dta\"", "data"),
            ("stream: [{^type: x}]", "unknown key \"type\"", "event"),
            ("stream: [{after: ^5, data: x}]", "a duration without a unit", "5ms"),
            ("stream: [{data: x, id: ^\"a\\nb\"}]", "not one line", nil),
            ("stream: [{data: x, retry: ^soon}]", "not a time", nil),
            ("stream: [{chunk: a, ^data: b}]", "\"chunk\" stands alone", nil),
            ("stream: [{base64: ^\"%\"}]", "not Base64", nil),
            ("stream: [{hold: {gate: g, timeout: 1s, onTimeout: ^504}}]", "not an end of a wait", nil),
            ("stream: [{data: x}], ^body: y", "a response has only one body", nil),
            ("early: [^200]", "not an informational status", nil),
            ("early: [^101]", "not an informational status", nil),
            ("early: [{^sttus: 103}]", "unknown key \"sttus\"", "status"),
            ("trailers: ^[X]", "wrong type", nil),
            ("ranges: ^maybe", "not a boolean", nil),
            ("conditional: ^maybe", "not a boolean", nil),
            ("stream: [{data: x}], conditional: ^true", "a stream has no version", nil),
            ("body: a, fallThrough: ^true", "only a response with a body file", nil),
            ("sequence: [{body: a}], ^fallThrough: true", "one of several responses cannot", nil),
            ("sequence: [{file: a, ^fallThrough: true}]", "unknown key \"fallThrough\"", nil),
            ("^optional: true", "unknown key \"optional\"", "fallThrough"),
            ("^gate: g", "unknown key \"gate\"", "hold"),
            ("^sse: []", "unknown key \"sse\"", "stream"),
        ] as [(String, String, String?)])
    func aMistakeSaysWhereAndWhat(route: String, message: String, suggestion: String?) throws {
        let marked = "GET /a: { \(route) }"
        let column = try #require(marked.firstIndex(of: "^")).utf16Offset(in: marked) + 1
        let (_, diagnostics) = parse(marked.replacing("^", with: ""))
        let first = try #require(diagnostics.first { $0.severity == .error }, "no mistake was found")
        let text = "\(first)"
        #expect(text.hasPrefix("a.yaml:1:\(column): error: "), "\(text)")
        #expect(text.contains(message), "\(text)")
        #expect(first.suggestion == suggestion, "\(text)")
        #expect(suggestion != nil || first.expected != nil, "\(text)")
        #expect(diagnostics.count { $0.severity == .error } == 1, "\(diagnostics)")
    }

    @Test func mistakesInMappingsSayTheSame() throws {
        let (_, diagnostics) = parse(
            #"{"request": {"url": "/a"}, "response": {"stream": [{"data": "x"}, {"dat": "y"}]}}"#, .json)
        let text = try #require(diagnostics.first.map { "\($0)" })
        #expect(text.contains("response.stream[1].dat: unknown key \"dat\""), "\(text)")
        #expect(text.contains("did you mean \"data\"?"), "\(text)")
    }

    @Test(arguments: [#"{"chunk": "x", "hold": null}"#, #"{"hold": null, "chunk": "x", "base64": null}"#])
    func nullStandsForNothingBesideAPiece(item: String) throws {
        let (stubs, diagnostics) = parse(#"{"request": {"url": "/a"}, "response": {"stream": [\#(item)]}}"#, .json)
        #expect(diagnostics.isEmpty)
        #expect(stubs.first?.response.stream?.items == [StreamDefinition.Item(.chunk("x"))])
    }

    /// Documents made at random are refused or read, and what was read is written as it reads.
    @Test func anyStreamIsReadOrRefused() throws {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        let keys = [
            "after", "event", "id", "data", "retry", "comment", "chunk", "base64", "hold", "name", "events", "x",
        ]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
            case 0: return .null
            case 1: return .bool(true)
            case 2: return .number(JSONNumber(Int.random(in: -5...5, using: &generator)))
            case 3:
                return .string(
                    ["1s", "g", "", "a\nb", "forever", "YQ==", "{{x}}"].randomElement(using: &generator) ?? "")
            case 4, 5: return .string("text")
            case 6: return .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth - 1) })
            default:
                var object = JSONObject()
                for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                    object[keys.randomElement(using: &generator) ?? "x"] = value(depth - 1)
                }
                return .object(object)
            }
        }
        var read = 0
        for _ in 0..<20_000 {
            let field = ["stream", "hold", "early"].randomElement(using: &generator) ?? "stream"
            let written = value(3)
            guard let stub = try? StubMapping(json: ["response": .object([field: written])]) else { continue }
            read += 1
            let again = Result { try StubMapping(json: ["response": stub.response.json]).response }
            #expect((try? again.get()) == stub.response, "seed \(seed): \(written.compactText) became \(again)")
        }
        #expect(read > 500, "seed \(seed): only \(read) were read")
    }
}
