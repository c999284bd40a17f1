import SDContracts
import SDJSON
import SDOpenAPI
import Testing

/// Schemas with a discriminator, to which others refer by `allOf`.
@Suite struct BaseSchemaTests {
    /// A base whose heirs its discriminator names, or does not.
    private static func pets(mapping: String = "", tag: String = "{type: string}") -> String {
        """
        {Pet: {type: object, required: [kind], properties: {kind: \(tag)}, discriminator: {propertyName: kind\(mapping)}},
         Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [lives], properties: {lives: {type: integer}}}]},
         Lion: {allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, required: [mane], properties: {mane: {type: boolean}}}]},
         Dog: {type: object, required: [bark], properties: {bark: {type: string}}, allOf: [{$ref: '#/components/schemas/Pet'}]}}
        """
    }

    private static let mapping = ", mapping: {feline: '#/components/schemas/Cat', canine: Dog}"

    @Test(
        arguments: [
            (#"{"kind":"Cat","lives":9}"#, []), (#"{"kind":"Cat"}"#, ["body required"]),
            (#"{"kind":"Dog","bark":1}"#, ["body /bark type"]), (#"{"kind":"Dog","bark":"wau"}"#, []),
            (#"{"kind":"Lion","lives":9}"#, ["body required"]), (#"{"kind":"Lion","lives":9,"mane":true}"#, []),
            (#"{"kind":"Pet"}"#, []), (#"{"kind":"other"}"#, []), ("{}", ["body required"]),
        ] as [(String, [String])])
    func aValueOfTheBaseIsOfTheHeirThatItNames(body: String, expected: [String]) throws {
        for version in ["3.0.3", "3.1.0"] {
            let contract = try contract(
                schema: "{$ref: '#/components/schemas/Pet'}", version: version, components: Self.pets())
            let violations = try contract.violations(body: body)
            #expect(violations.map(\.short) == expected, "\(version): \(violations.map(\.message))")
        }
    }

    @Test func aMappingNamesHeirs() throws {
        let contract = try contract(
            schema: "{type: array, items: {$ref: '#/components/schemas/Pet'}}",
            components: Self.pets(mapping: Self.mapping))
        #expect(
            try contract.violations(body: #"[{"kind":"feline"}, {"kind":"canine"}]"#).map(\.short)
                == ["body /0 required", "body /1 required"])
        #expect(try contract.violations(body: #"[{"kind":"feline","lives":1}, {"kind":"canine","bark":"x"}]"#).isEmpty)
    }

    @Test func anHeirIsCheckedAsItself() throws {
        let contract = try contract(schema: "{$ref: '#/components/schemas/Cat'}", components: Self.pets())
        #expect(try contract.violations(body: #"{"kind":"Cat","lives":9}"#).isEmpty)
        #expect(try contract.violations(body: #"{"kind":"Cat"}"#).map(\.short) == ["body required"])
        #expect(try contract.violations(body: #"{"kind":"Dog","lives":9}"#).isEmpty)
    }

    @Test func heirsOfSwaggerAreKnownByTheirNames() throws {
        let contract = try contract(
            """
            swagger: "2.0"
            info: {title: t, version: "1"}
            paths:
              /things:
                post:
                  consumes: [application/json]
                  parameters: [{name: body, in: body, schema: {$ref: '#/definitions/Pet'}}]
                  responses: {200: {description: d}}
            definitions:
              Pet: {type: object, required: [kind], discriminator: kind, properties: {kind: {type: string}}}
              Cat: {allOf: [{$ref: '#/definitions/Pet'}, {type: object, required: [lives], properties: {lives: {type: integer}}}]}
            """)
        #expect(try contract.violations(body: #"{"kind":"Cat"}"#).map(\.short) == ["body required"])
        #expect(try contract.violations(body: #"{"kind":"Cat","lives":9}"#).isEmpty)
    }

    @Test(arguments: [("", "{type: string}"), (mapping, "{type: string}"), ("", "{type: string, enum: [Dog, Lion]}")])
    func aMadeValueIsOfAnHeir(mapping: String, tag: String) throws {
        let contract = try contract(
            schema: "{$ref: '#/components/schemas/Pet'}", components: Self.pets(mapping: mapping, tag: tag))
        let operation = contract.description.operations[0]
        let request = ContractRequest(method: "POST", path: "/things")
        let body = try JSONValue(
            parsing: contract.answer(to: request, of: operation, wishes: AnswerPreferences()).get().body)
        let kind = try #require(body["kind"]?.stringValue)
        if tag.contains("enum") {
            #expect(["Dog", "Lion"].contains(kind), "\(body.compactText)")
        } else {
            #expect(kind == (mapping.isEmpty ? "Cat" : "feline"), "\(body.compactText)")
        }
        #expect(body["lives"] != nil || body["bark"] != nil, "\(body.compactText)")
    }

    @Test func theBodyOfACallbackIsMade() throws {
        let contract = try contract(
            schema: "{$ref: '#/components/schemas/Event'}", version: "3.0.3",
            components:
                "{Event: {type: object, required: [id, at], properties: {id: {type: integer}, at: {type: string, "
                + "format: date-time}, secret: {type: string, writeOnly: true}, made: {type: string, readOnly: true}}}}"
        )
        let body = try #require(contract.requestBody(of: contract.description.operations[0]))
        #expect(body.type == "application/json")
        #expect(try contract.violations(body: String(decoding: body.bytes, as: UTF8.self)).isEmpty)
        let json = try JSONValue(parsing: body.bytes)
        #expect(json["secret"] != nil)
        #expect(json["made"] == nil)
    }
}
