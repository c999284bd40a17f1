import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// Templates in the strings of JSON documents.
@Suite struct JSONTemplateTests {
    /// A name, a number, a list, an object, null, and what JSON has to escape.
    private static let body =
        #"{"s": "say \"hi\"\nC:\\temp\u0001", "n": 35, "f": 1.50, "t": true, "l": ["a", 1], "o": {"x": [null]}, "z": null}"#

    private func render(_ document: String, keepsTypes: Bool = false) throws -> String {
        let values: [String: TemplateValue] = [
            "body": .text(Self.body), "many": .values([.text("a"), .text("b")]),
            "map": .map(TemplateMap([("k", .text("v"))])),
        ]
        let environment = RenderEnvironment(
            model: FixedModel(values: values), budget: WorkBudget(), system: FixedSystem())
        let template = try Template(json: JSONValue(parsing: document), keepsTypes: keepsTypes)
        return String(decoding: try template.render(environment), as: UTF8.self)
    }

    private static let escaped = #"say \"hi\"\nC:\\temp\u0001"#

    @Test(arguments: [
        (#"{"a": "{{jsonPath body '$.s'}}"}"#, #"{"a":"\#(escaped)"}"#),
        (#"{"a": "{{{jsonPath body '$.s'}}}!"}"#, #"{"a":"\#(escaped)!"}"#),
        (#"{"{{jsonPath body '$.s'}}": 1}"#, #"{"\#(escaped)":1}"#),
        // A name is a text, whatever its expression is.
        (#"{"{{jsonPath body '$.l'}}": 1}"#, #"{"[\"a\",1]":1}"#),
        // Literals, their quotes too, mean what they mean in the JSON.
        (#"{"a": "{{jsonPath body \"$.s\"}}"}"#, #"{"a":"\#(escaped)"}"#),
        (#"{"a": "{{val 'say \"hi\"'}}"}"#, #"{"a":"say \"hi\""}"#),
        (#"{"a": "{{replace 'a1' '\\d' 'x'}}{{regexExtract 'a1' '\\d'}}"}"#, #"{"a":"a11"}"#),
        (#"{"a": "{{upper\n  'x'}}"}"#, #"{"a":"X"}"#),
        // What a block captures is escaped once.
        (#"{"a": "{{#trim}} \"{{jsonPath body '$.s'}}\" {{/trim}}"}"#, #"{"a":"\"\#(escaped)\""}"#),
        (#"{"a": "{{#assign 'v'}}\"q\"\n{{/assign}}{{v}}."}"#, #"{"a":"\"q\"."}"#),
        (#"{"a": "{{#each (jsonPath body '$.l') as |x|}}<{{x}}>{{/each}}"}"#, #"{"a":"<a><1>"}"#),
        // A block may end in another string; one that is read as a text may not.
        (#"["{{#if body}}yes", "{{else}}no{{/if}}"]"#, #"["yes",""]"#),
        (#"["{{!-- a", "b --}}c"]"#, #"["c"]"#),
        (#"["a{{!-- - -- --} --~ --~} --}} b{{!-- -}} --~}} c{{!----}}{{!--}}d"]"#, #"["a bcd"]"#),
        // Texts and what prints as one.
        (#"{"a": "{{many}}", "b": "{{missing}}", "c": "{{now format='yyyy'}}"}"#, #"{"a":"a","b":"","c":"2020"}"#),
        // No expression, or an escaped one.
        (#"{"a": "}} {{", "b": "x\u0002\"/"}"#, #"{"a":"}} {{","b":"x\u0002\"/"}"#),
        (#"{"a": "{{val 1}}", "b": "{{body"}"#, #"{"a":"1","b":"{{body"}"#),
        (#"["\\{{x}}", "{{val 1}}"]"#, #"["{{x}}","1"]"#),
    ])
    func whatIsPutIntoATextIsEscaped(document: String, expected: String) throws {
        #expect(try render(document) == expected)
        #expect(throws: Never.self) { try JSONValue(parsing: expected) }
    }

    /// The JSON of a string that is an expression alone: as WireMock has it, and where types are kept.
    @Test(arguments: [
        ("jsonPath body '$.l'", #"["a",1]"#, #"["a",1]"#), ("jsonPath body '$.o'", #"{"x":[null]}"#, #"{"x":[null]}"#),
        ("parseJson '[1, {\"a\": 1.50}]'", #"[1,{"a":1.50}]"#, #"[1,{"a":1.50}]"#),
        ("map", #"{"k":"v"}"#, #"{"k":"v"}"#), ("array 'a' 'b\"'", #"["a","b\""]"#, #"["a","b\""]"#),
        ("toJson (array 1)", "[1]", "[1]"), ("jsonMerge '{}' '{\"a\": 1}'", #"{"a":1}"#, #"{"a":1}"#),
        ("jsonPath body '$.n'", #""35""#, "35"), ("jsonPath body '$.f'", #""1.5""#, "1.5"),
        ("jsonPath body '$.t'", #""true""#, "true"), ("eq 1 2", #""false""#, "false"),
        ("jsonPath body '$.z'", #""""#, "null"), ("jsonPath body '$.none'", #""""#, "null"),
        ("jsonPath body '$.none' default='d'", #""d""#, #""d""#), ("missing", #""""#, "null"),
        ("math 1 '+' 2", #""3""#, "3"), ("toJson 1", #""1""#, "1"), ("val '1'", #""1""#, #""1""#),
        ("size (jsonPath body '$.none')", #""0""#, "0"),
    ])
    func aTextThatIsAnExpressionBecomesJSON(expression: String, asInWireMock: String, typed: String) throws {
        let quoted = JSONValue.string("{{\(expression)}}")
        #expect(try render(quoted.compactText) == asInWireMock)
        #expect(try render(quoted.compactText, keepsTypes: true) == typed)
        #expect(try render(#"{"a":[\#(quoted.compactText)]}"#, keepsTypes: true) == #"{"a":[\#(typed)]}"#)
        // With anything beside it, it is a text.
        let beside = JSONValue.string("{{\(expression)}} ").compactText
        #expect(try JSONValue(parsing: render(beside, keepsTypes: true)).stringValue != nil)
    }

    @Test(arguments: [
        (#"{"a": ["x", "\n{{#if x}}"]}"#, ["a", "1"], 2, 1), (#"{"a": {"b{{x": 1, "c": "}}"}}"#, ["a", "b{{x"], 1, 2),
        (#"["{{upper 'x\"", "y'}}"]"#, ["0"], 1, 1),
    ])
    func anErrorHasThePathOfItsText(document: String, path: [String], line: Int, column: Int) throws {
        let error = try #require(throws: TemplateError.self) {
            try Template(json: JSONValue(parsing: document), keepsTypes: false)
        }
        #expect(error.path == path && (error.line, error.column) == (line, column), "\(error)")
    }

    @Test func aTextOfSeveralTextsIsAnError() throws {
        #expect(throws: RenderError.self) { try render(#"["{{#trim}}a", "b{{/trim}}"]"#) }
    }
}
