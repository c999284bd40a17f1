import SDJSON
import SDJSONSchema
import SDTestSupport
import Testing

@Suite struct JSONSchemaTests {
    @Test func errorsNameThePlaceTheKeywordAndWhatWasExpected() throws {
        let schema = try JSONSchema([
            "type": "object", "required": ["id", "tags"],
            "properties": [
                "tags": ["items": ["type": "string"]], "age": ["minimum": 18], "mail": ["pattern": "@"],
            ],
            "additionalProperties": false,
        ])
        let errors = schema.errors(in: ["tags": ["a", 5], "age": 7, "mail": "x", "more": .null])
        #expect(
            errors.map { "\($0.instance) \($0.keyword)" } == [
                " required", "/tags/1 type", "/age minimum", "/mail pattern", "/more ",
            ])
        #expect(errors.first?.description == #"the document: expected the property "id", found none"#)
        #expect(errors.dropFirst().first?.description == "/tags/1: expected string, found the number 5")
        #expect(schema.errors(in: ["tags": ["a", 5]]).map(\.keyword) == ["required", "type"])
    }

    @Test(arguments: [
        (#"{"minimum":"x"}"#, "/minimum", #"Expected a number, found the text "x""#),
        (#"{"properties":{"a":{"pattern":"("}}}"#, "/properties/a/pattern", "Expected a regular expression: "),
        (#"{"allOf":{}}"#, "/allOf", "Expected a list of schemas, found an empty object"),
        (
            #"{"items":[{}]}"#, "/items",
            "Expected a schema (a list of them is named `prefixItems` in this draft), found a list"
        ),
        (
            #"{"$schema":"http://example.com/x"}"#, "/$schema",
            "Expected one of http://json-schema.org/draft-04/schema#, "
        ),
        (#"{"$schema":5}"#, "/$schema", "Expected one of http://json-schema.org/draft-04/schema#, "),
    ])
    func aSchemaThatCannotWorkIsRefused(text: String, pointer: String, message: String) throws {
        let value = try JSONValue(parsing: text)
        let problem = #expect(throws: SchemaProblem.self) { try JSONSchema(value) }
        #expect(problem?.pointer.text == pointer)
        #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
    }

    @Test(arguments: [
        (##"{"$ref":"#/$defs/x"}"##, "/$ref"), (#"{"type":"strin"}"#, "/type"), (#"{"minLength":-1}"#, "/minLength"),
        (#"{"required":true}"#, "/required"), (#"{"properties":{"a":5}}"#, "/properties/a"),
        (#"{"$ref":"http://example.com/elsewhere.json"}"#, "/$ref"),
    ])
    func ignoredKeywordsAndDanglingReferencesAreReported(text: String, pointer: String) throws {
        let schema = try JSONSchema(JSONValue(parsing: text))
        #expect(schema.problems.map(\.pointer.text) == [pointer])
        #expect(schema.problems.first?.message.hasPrefix("Expected ") == true)
    }

    @Test func aSchemaNamesItsOwnDraft() throws {
        let schema = try JSONSchema(
            ["$schema": "http://json-schema.org/draft-04/schema#", "const": 1], draft: .v202012)
        #expect(schema.draft == .v4)
        #expect(schema.validate(2), "draft 4 has no const")
    }

    @Test func furtherDocumentsAreFoundByTheirURI() throws {
        let schema = try JSONSchema(
            ["$ref": "http://example.com/pet.json#/$defs/name"],
            documents: ["http://example.com/pet.json": ["$defs": ["name": ["type": "string"]]]])
        #expect(schema.problems.isEmpty)
        #expect(schema.validate("Rex"))
        #expect(!schema.validate(5))
    }

    /// A file, for anything that could be fetched.
    @Test func nothingIsFetched() throws {
        let folder = try TemporaryFolder()
        try folder.write("name.json", #"{"type": "string"}"#)
        for uri in ["file://\(folder.path)/name.json", "\(folder.path)/name.json", "http://example.com/name.json"] {
            for keyword in ["$ref", "$dynamicRef"] {
                let schema = try JSONSchema([keyword: .string(uri)])
                #expect(schema.problems.map(\.pointer.text) == ["/\(keyword)"], "\(uri)")
                #expect(schema.problems.first?.message.hasSuffix("(nothing is fetched)") == true, "\(uri)")
                #expect(!schema.validate("Rex") && !schema.validate(5), "\(uri)")
            }
        }
    }

    @Test func distanceIsViolationsPerDescribedProperty() throws {
        let schema = try JSONSchema([
            "required": ["a", "b", "c"], "properties": ["a": ["properties": ["x": [:], "y": [:]]], "b": [:]],
        ])
        #expect(schema.propertyCount == 4)
        #expect(schema.distance(of: [:]) == 0.75)
        #expect(schema.distance(of: ["a": 1, "b": 1, "c": 1]) == 0)
        #expect(try JSONSchema(["required": ["a", "b"]]).distance(of: [:]) == 1)
    }

    /// The errors are empty exactly if the verdict is true, whatever the schema.
    @Test func verdictAndErrorsAgreeOnRandomSchemas() throws {
        var generator = SeededSchemas()
        print("seed \(generator.seed)")
        var verdicts = [true: 0, false: 0]
        for _ in 0..<2_000 {
            let text = generator.schema(depth: 3)
            guard let schema = try? JSONSchema(text) else { continue }
            let negated = try JSONSchema(["not": text])
            for _ in 0..<5 {
                let document = generator.document(depth: 3)
                let isValid = schema.validate(document)
                verdicts[isValid, default: 0] += 1
                #expect(schema.errors(in: document).isEmpty == isValid, "\(text.compactText) \(document.compactText)")
                #expect(negated.validate(document) != isValid, "\(text.compactText) \(document.compactText)")
            }
        }
        for verdict in [true, false] {
            #expect(verdicts[verdict, default: 0] > 500, "\(verdict), seed \(generator.seed)")
        }
    }
}
