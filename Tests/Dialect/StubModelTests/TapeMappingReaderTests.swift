import SDJSON
import SDTestSupport
import Testing

@testable import SDStubModel

/// Mappings that are read from a tape, against the same read from their values.
@Suite struct TapeMappingReaderTests {
    private struct Reading: Equatable {
        var stub: StubMapping
        var problems: [ModelProblem]
        var warnings: [ModelProblem]
    }

    private static func fromValue(_ tape: JSONTape) -> Reading? {
        guard case .object(let object) = tape.value else { return nil }
        var reader = ModelReader(idSeed: "seed", warns: true)
        var stub = StubMapping.unread
        reader.within("mappings") { reader in reader.within("0") { stub.read(object, &$0) } }
        return Reading(stub: stub, problems: reader.problems, warnings: reader.warnings)
    }

    /// Nil if it is to be read from its value.
    private static func fromTape(_ tape: JSONTape) -> Reading? {
        var reader = ModelReader(idSeed: "seed", warns: true)
        var usual = TapeMappingReader(tape)
        var stub = StubMapping.unread
        let isRead = reader.within("mappings") { reader in
            reader.within("0") { usual.read(&stub, at: 0, &$0) }
        }
        return isRead ? Reading(stub: stub, problems: reader.problems, warnings: reader.warnings) : nil
    }

    private static func tape(_ text: String) throws -> JSONTape {
        try #require(JSONTape(Array(text.utf8)[...]), "\(text)")
    }

    static let id = "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"

    @Test(arguments: [
        "{}", #"{"id": "\#(id)", "name": "a", "priority": 3, "request": {}, "response": {}}"#,
        #"{"uuid": "\#(id.uppercased())", "request": {"method": "ANY", "url": "/a?b=\u0063"}}"#,
        #"{"request": {"method": "GET", "urlPath": "/", "headers": {"A": {"contains": "b"}}}, "response": {"status": 201}}"#,
        #"{"request": {"urlPathTemplate": "/a/{b}", "pathParameters": {"b": {"equalTo": "c"}}, "bodyPatterns": []}}"#,
        #"{"request": {"urlPathPattern": "a.*"}, "response": {"status": 404, "body": "\"\u00e9", "headers": {"A": "é"}}}"#,
        #"{"response": {"jsonBody": {"a": [1]}, "delays": null}, "id": "00000000-0000-0000-0000-000000000000"}"#,
        #"{"request": {"urlPattern": "x", "cookies": {"a": {"absent": true}}}, "response": {"bodyFileName": "a.json"}}"#,
        #"{"request": {"queryParameters": {"a": {"equalTo": 1, "wrong": 2}}}, "response": {"status": 200}}"#,
    ])
    func usualMappingsAreReadAsFromTheirValues(text: String) throws {
        let tape = try Self.tape(text)
        let reading = Self.fromTape(tape)
        #expect(reading != nil)
        #expect(reading == Self.fromValue(tape))
    }

    @Test(arguments: [
        "[]", "1", #"{"metadata": {}}"#, #"{"id": "x"}"#, #"{"id": null}"#, #"{"priority": "1"}"#,
        #"{"priority": 3000000000}"#, #"{"priority": 1.5}"#, #"{"request": {"url": "/a", "urlPath": "/a"}}"#,
        #"{"request": {"url": "a"}}"#, #"{"request": {"url": "/\u0338a"}}"#, #"{"request": {"url": "/\#u{338}a"}}"#,
        #"{"request": {"url": 1}}"#, #"{"request": {"wrong": 1}}"#, #"{"request": null}"#, #"{"name": 1}"#,
        #"{"request": {"pathParameters": {"a": {"absent": true}}}}"#, #"{"response": {"stream": {}}}"#,
        #"{"response": {"body": "a", "jsonBody": 1}}"#, #"{"response": {"body": 1}}"#, #"{"response": {"wrong": 1}}"#,
        #"{"response": {"headers": {"a": ["b", "c"]}}}"#, #"{"response": {"headers": []}}"#, #"{"response": null}"#,
        #"{"$schema": ""}"#, #"{"scenarioName": "a"}"#, #"{"response": {"status": 0}}"#,
    ])
    func everythingElseIsReadFromItsValue(text: String) throws {
        #expect(Self.fromTape(try Self.tape(text)) == nil)
    }

    @Test func readsTheSameFromATapeAndFromValues() throws {
        var generator = TestGenerator()
        func object(_ members: [[String]]) -> String {
            let given = members.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
            let texts = given.compactMap { $0.randomElement(using: &generator) }
            return "{" + texts.shuffled(using: &generator).joined(separator: ", ") + "}"
        }
        let texts = (0..<5_000).map { _ in
            let request = object([
                [#""method": "GET""#, #""method": "ANY""#, #""method": null"#, #""method": {"oneOf": ["GET"]}"#],
                [#""url": "/a""#, #""urlPath": "/b/\u00e9""#, #""urlPathTemplate": "/c/{d}""#, #""urlPattern": "[""#],
                [#""headers": {"A": {"equalTo": "b"}}"#, #""bodyPatterns": [{"equalToJson": {}}]"#, #""port": 1"#],
            ])
            let response = object([
                [#""status": 201"#, #""status": -1"#, #""status": 2.0"#, #""status": "7""#],
                [#""body": "b\n""#, #""jsonBody": [1]"#, #""base64Body": "YQ==""#, #""body": null"#],
                [#""headers": {"A": "b", "C": "d"}"#, #""headers": {"A": ["b"]}"#, #""headers": {}"#],
                [#""fault": "EMPTY_RESPONSE""#, #""delayDistribution": {"type": "uniform", "lower": 1, "upper": 2}"#],
            ])
            return object([
                ["\"id\": \"\(Self.id)\"", #""id": "x""#], [#""name": "é\t""#], ["\"request\": \(request)"],
                ["\"response\": \(response)"], [#""priority": 7"#, #""persistent": true"#],
            ])
        }
        let tape = try Self.tape("[" + texts.joined(separator: ",") + "]")
        var usual = TapeMappingReader(tape)
        var stub = StubMapping.unread
        var count = 0
        for (text, place) in zip(texts, tape.elements(of: 0)) {
            var reader = ModelReader(idSeed: "seed", warns: true)
            let isRead = reader.within("mappings") { reader in
                reader.within("0") { usual.read(&stub, at: place, &$0) }
            }
            guard isRead else {
                // What is read instead does not matter for the next.
                stub.scenarioName = "a"
                continue
            }
            count += 1
            let reading = Reading(stub: stub, problems: reader.problems, warnings: reader.warnings)
            #expect(reading == Self.fromValue(try Self.tape(text)), "seed \(generator.seed): \(text)")
        }
        #expect(count > 500, "seed \(generator.seed)")
    }

    /// The headers of the stub before are taken only if they are the same.
    @Test func eachStubHasItsHeaders() throws {
        let headers = [
            #"{"A": "b"}"#, #"{"A": "b"}"#, #"{"a": "b"}"#, #"{"A": "b", "C": "d"}"#, #"{"C": "d", "A": "b"}"#,
            #"{"A": "\u0062"}"#, "{}", #"{"A": "é"}"#, #"{"A": "e\#u{301}"}"#,
        ]
        let responses = headers.map { "{\"response\": {\"headers\": \($0)}}" }
        let tape = try Self.tape("[" + responses.joined(separator: ",") + "]")
        var usual = TapeMappingReader(tape)
        var reader = ModelReader(warns: true)
        func bytes(_ stub: StubMapping?) -> [[[UInt8]]]? {
            stub?.response.headers.map { header in ([header.name] + header.values).map { Array($0.utf8) } }
        }
        for (text, place) in zip(responses, tape.elements(of: 0)) {
            var stub = StubMapping.unread
            #expect(usual.read(&stub, at: place, &reader))
            #expect(bytes(stub) == bytes(Self.fromValue(try Self.tape(text))?.stub))
        }
    }
}
