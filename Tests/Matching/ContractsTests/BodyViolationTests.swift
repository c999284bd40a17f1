import SDContracts
import SDJSON
import Testing

/// Tables of schemas, bodies, and what is wrong with them.
struct BodyViolationTests {
    typealias Case = (schema: String, body: String, violations: [String])

    private static let old: [Case] = [
        ("{type: object, required: [a], properties: {a: {type: integer}}}", #"{"a": 1}"#, []),
        ("{type: object, required: [a], properties: {a: {type: integer}}}", #"{"a": "1"}"#, ["body /a type"]),
        ("{type: object, required: [a], properties: {a: {type: integer}}}", "{}", ["body required"]),
        ("{type: object, required: [a]}", "{", ["body"]),
        ("{type: object, required: [a]}", "", ["body required"]),
        ("{type: integer}", "1.0", ["body type"]),
        ("{type: integer, minimum: 1, exclusiveMinimum: true}", "1", ["body exclusiveMinimum"]),
        ("{type: string, nullable: true}", "null", []),
        ("{type: string, nullable: true, enum: [a]}", "null", ["body enum"]),
        ("{type: string}", "null", ["body type"]),
        (
            "{type: object, properties: {a: {}}, additionalProperties: false}", #"{"b": 1}"#,
            ["body /b additionalProperties"]
        ),
        ("{type: object, properties: {id: {type: integer, readOnly: true}}, required: [id]}", "{}", []),
        (
            "{type: object, properties: {id: {type: integer, readOnly: true}}, required: [id]}", #"{"id": 1}"#,
            ["body /id readOnly"]
        ),
        ("{$ref: '#/components/schemas/Pet'}", #"{"kind": "cat", "lives": 9}"#, []),
        ("{$ref: '#/components/schemas/Pet'}", #"{"kind": "cat", "lives": "9"}"#, ["body /lives type"]),
        ("{$ref: '#/components/schemas/Pet'}", #"{"kind": "hund", "bark": true}"#, []),
        ("{$ref: '#/components/schemas/Pet'}", #"{"kind": "cow"}"#, ["body /kind discriminator"]),
        ("{$ref: '#/components/schemas/Pet'}", #"{"lives": 1}"#, ["body discriminator"]),
        (
            "{type: array, items: {$ref: '#/components/schemas/Tree'}}", #"[{"name": "a", "children": [{"name": 1}]}]"#,
            ["body /0/children/0/name type"]
        ),
        (
            "{oneOf: [{type: integer}, {type: object, required: [a], properties: {a: {type: string}}}]}", #"{"a": 1}"#,
            ["body /a type", "body oneOf"]
        ),
        ("{oneOf: [{type: integer}, {type: integer}]}", "1", ["body oneOf"]),
        ("{anyOf: [{type: integer}, {type: string}]}", "true", ["body type", "body anyOf"]),
        ("{allOf: [{type: object, required: [a]}, {required: [b]}]}", "{}", ["body required", "body required"]),
        ("{$ref: '#/components/schemas/Car'}", #"{"type": "van", "seats": 2}"#, []),
        ("{$ref: '#/components/schemas/Car'}", #"{"type": "van", "seats": "2"}"#, ["body /seats type"]),
        ("{$ref: '#/components/schemas/Car'}", #"{"type": "bus"}"#, ["body /type discriminator"]),
        ("{type: string, format: byte}", #""YWI=""#, []),
        ("{type: string, format: time}", #""11:42:38""#, []),
        ("{type: string, format: time}", #""11:42:38Z""#, []),
        ("{type: string, format: time}", #""11:42""#, ["body format"]),
        ("{$ref: '#/components/schemas/Word', maxLength: 3}", #""abcd""#, ["body maxLength"]),
        ("{$ref: '#/components/schemas/Word', maxLength: 3}", "1", ["body type"]),
        (
            "{type: object, properties: {w: {$ref: '#/components/schemas/Word', readOnly: true}}, required: [w]}", "{}",
            []
        ),
        ("{type: string, format: byte}", #""no!""#, ["body format"]),
        ("{type: object, additionalProperties: {type: integer}}", #"{"x": "y"}"#, ["body /x type"]),
        // What is broken in a schema is left out, and the rest counts.
        ("{type: integer, minimum: abc, maximum: 3}", "4", ["body maximum"]),
        ("{type: string, pattern: '(', maxLength: 1}", #""ab""#, ["body maxLength"]),
        ("{$ref: '#/components/schemas/Nowhere'}", "1", []),
        ("{type: invented}", "1", []),
        ("{$ref: '#/components/schemas/Loop'}", "1", []),
    ]

    private static let components = """
        {Pet: {oneOf: [{$ref: '#/components/schemas/cat'}, {$ref: '#/components/schemas/Dog'}],
         discriminator: {propertyName: kind, mapping: {hund: '#/components/schemas/Dog'}}},
         cat: {type: object, properties: {kind: {type: string}, lives: {type: integer}}},
         Dog: {type: object, properties: {kind: {type: string}, bark: {type: boolean}}},
         Tree: {type: object, properties: {
          name: {type: string}, children: {type: array, items: {$ref: '#/components/schemas/Tree'}}}},
         Loop: {$ref: '#/components/schemas/Loop'}, Word: {id: Word, type: string},
         Car: {oneOf: [{$ref: '#/components/schemas/Van'}, {$ref: '#/components/schemas/Taxi'}],
          discriminator: {propertyName: type}},
         Van: {type: object, properties: {type: {type: string, enum: [van]}, seats: {type: integer}}},
         Taxi: {type: object, properties: {type: {type: string, enum: [taxi]}, seats: {type: string}}}}
        """

    @Test(arguments: old)
    func bodiesBy30(item: Case) throws {
        let contract = try contract(schema: item.schema, components: Self.components)
        let violations = try contract.violations(body: item.body)
        #expect(violations.map(\.short) == item.violations, "\(item) \(violations.map(\.message))")
    }

    private static let new: [Case] = [
        ("{type: integer}", "1.0", []),
        ("{type: [string, 'null']}", "null", []),
        ("{type: string, nullable: true}", "null", ["body type"]),
        ("{type: integer, exclusiveMinimum: 1}", "1", ["body exclusiveMinimum"]),
        ("{const: a}", #""b""#, ["body const"]),
        (
            "{type: object, properties: {a: {}}, unevaluatedProperties: false}", #"{"b": 1}"#,
            ["body /b unevaluatedProperties"]
        ),
        ("{type: array, prefixItems: [{type: integer}], items: {type: string}}", #"[1, 2]"#, ["body /1 type"]),
        ("{type: object, properties: {id: {readOnly: true}}, required: [id]}", "{}", []),
        ("{type: object, properties: {id: {readOnly: true}}, required: [id]}", #"{"id": 1}"#, []),
        ("{$ref: '#/components/schemas/Pets'}", #"{"items": [{"name": "a"}]}"#, []),
        ("{$ref: '#/components/schemas/Pets'}", #"{"items": [{"name": 1}]}"#, ["body /items/0/name type"]),
        ("{$ref: '#/components/schemas/Named'}", "1", ["body type"]),
        ("{$ref: 'https://example.com/page'}", #"{"items": [1]}"#, []),
        ("{if: {properties: {a: {const: 1}}}, then: {required: [b]}}", #"{"a": 1}"#, ["body required"]),
        ("{$schema: 'http://json-schema.org/draft-07/schema#', items: [{type: integer}]}", #"["a"]"#, ["body /0 type"]),
    ]

    private static let newComponents = """
        {Page: {$id: 'https://example.com/page', type: object,
          properties: {items: {type: array, items: {$dynamicRef: '#item'}}},
          $defs: {any: {$dynamicAnchor: item}}},
         Pets: {$id: 'https://example.com/pets', $ref: page,
          $defs: {pet: {$dynamicAnchor: item, type: object, properties: {name: {type: string}}}}},
         Named: {$ref: '#word'}, Word: {$anchor: word, type: string}}
        """

    @Test(arguments: new)
    func bodiesBy31(item: Case) throws {
        let contract = try contract(schema: item.schema, version: "3.1.0", components: Self.newComponents)
        let violations = try contract.violations(body: item.body)
        #expect(violations.map(\.short) == item.violations, "\(item) \(violations.map(\.message))")
    }

    @Test(
        arguments: [
            ("application/json", "application/json; charset=utf-8", "1", ["body type"]),
            ("application/json", "APPLICATION/JSON", "1", ["body type"]),
            ("application/json", "text/plain", "1", ["content type Content-Type"]),
            ("application/json", "application/problem+json", "1", ["content type Content-Type"]),
            ("application/*", "application/hal+json", "1", ["body type"]),
            ("*/*", "text/plain", "1", []), ("application/hal+json", "application/hal+json", "1", ["body type"]),
            ("text/plain", "text/plain", "1", []), ("application/octet-stream", "application/octet-stream", "1", []),
        ] as [(String, String, String, [String])])
    func contentTypes(declared: String, sent: String, body: String, expected: [String]) throws {
        let violations = try contract(schema: "{type: string}", type: declared).violations(body: body, type: sent)
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }

    private static let form =
        """
        {type: object, required: [a], additionalProperties: false, properties: {a: {type: integer},
         tags: {type: array, items: {type: integer}}, o: {type: object, properties: {x: {type: integer}}}}}
        """

    @Test(
        arguments: [
            ("a=1", []), ("a=x", ["body /a type"]), ("b=1", ["body required", "body /b additionalProperties"]),
            ("a=1&tags=1&tags=2", []), ("a=1&tags=x", ["body /tags/0 type"]), ("a=1&tags[]=1", []),
            ("a=1&o=%7B%22x%22:1%7D", []), ("a=1&o[x]=y", ["body /o/x type"]), ("a=1&o%5Bx%5D=1", []),
        ] as [(String, [String])])
    func forms(body: String, expected: [String]) throws {
        let type = "application/x-www-form-urlencoded"
        let violations = try contract(schema: Self.form, type: type).violations(body: body, type: type)
        #expect(Set(violations.map(\.short)) == Set(expected), "\(violations.map(\.message))")
    }

    @Test func formsHaveEncodings() throws {
        let type = "application/x-www-form-urlencoded"
        let contract = try contract(
            schema: Self.form, type: type, encoding: "{tags: {explode: false}, o: {style: deepObject}}")
        #expect(try contract.violations(body: "a=1&tags=1,2&o[x]=3", type: type).isEmpty)
        #expect(try contract.violations(body: "a=1&tags=1,x", type: type).map(\.short) == ["body /tags/1 type"])
    }

    @Test(
        arguments: [
            (["a": "1"], []), (["a": "x"], ["body /a type"]), (["o": #"{"x": "y"}"#, "a": "1"], ["body /o/x type"]),
            ([:], ["body"]),
        ] as [([String: String], [String])])
    func multipart(parts: [String: String], expected: [String]) throws {
        let contract = try contract(schema: Self.form, type: "multipart/form-data")
        let body =
            parts.map { "--xyz\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }
            .joined() + "--xyz--\r\n"
        let violations = try contract.violations(
            body: parts.isEmpty ? "nothing" : body, type: "multipart/form-data; boundary=xyz")
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }

    @Test func partsOfAFormHaveNames() throws {
        let schema = "{type: object, required: [a], properties: {a: {type: integer}}}"
        let body =
            "--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x\r\nContent-Type: text/plain\r\n\r\n2\r\n--x\r\n"
            + "Content-Disposition: form-data; name=\"a\"\r\n\r\n3\r\n--x--\r\n"
        let form = try contract(schema: schema, type: "multipart/form-data")
        let violations = try form.violations(body: body, type: "multipart/form-data; boundary=x")
        #expect(violations.map(\.short) == ["body /0", "body /1"])
        #expect(violations.map { $0.message.contains("no Content-Disposition") } == [false, true])
        let mixed = try contract(schema: "{type: array, items: {type: integer}}", type: "multipart/mixed")
        #expect(try mixed.violations(body: body, type: "multipart/mixed; boundary=x").isEmpty)
    }

    @Test func partsHaveContentTypes() throws {
        let contract = try contract(
            schema: "{type: object, properties: {f: {type: string, format: binary}}}", type: "multipart/form-data",
            encoding: "{f: {contentType: 'image/png, image/*'}}")
        func body(_ type: String) -> String {
            "--x\r\nContent-Disposition: form-data; name=f; filename=a\r\nContent-Type: \(type)\r\n\r\n\u{1}\r\n--x--"
        }
        #expect(try contract.violations(body: body("image/gif"), type: "multipart/form-data; boundary=x").isEmpty)
        #expect(
            try contract.violations(body: body("text/plain"), type: "multipart/form-data; boundary=x").map(\.short)
                == ["body f /f contentType"])
        #expect(
            try contract.violations(body: "", type: "multipart/form-data").map(\.short) == ["body required"])
        #expect(
            try contract.violations(body: "a", type: "multipart/form-data").map(\.short)
                == ["content type Content-Type"])
    }

    @Test func deepBodiesAreChecked() throws {
        let tree = "{anyOf: [{type: string}, {type: object, properties: {a: {$ref: '#/components/schemas/Tree'}}}]}"
        let contract = try contract(
            schema: "{$ref: '#/components/schemas/Tree'}", components: "{Tree: \(tree)}")
        func body(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        #expect(try contract.violations(body: body(3)).first?.pointer.text == "/a/a/a")
        #expect(try contract.violations(body: body(100)).first?.keyword == "type")
        #expect(try !contract.violations(body: body(500)).isEmpty)
    }

    @Test func whatIsSentOftenIsReadOnce() throws {
        let type = "application/x-www-form-urlencoded"
        let contract = try contract(schema: "{type: object, additionalProperties: false}", type: type)
        let body = (0..<20_000).map { "n\($0)[a]=1" }.joined(separator: "&")
        #expect(try contract.violations(body: body, type: type).count == 100)
    }

    @Test func whatHasNoSchemaIsStillJSON() throws {
        let contract = try contract(schema: "{}")
        #expect(try contract.violations(body: "{").map(\.short) == ["body"])
        #expect(try contract.violations(body: "{}").isEmpty)
    }

    @Test(
        arguments: [
            ("application/jsonl", "{\"a\":1}\n{\"a\":\"b\"}\n", ["body /1/a type"]),
            ("application/x-ndjson", "{\"a\":1}\n\n{", ["body /1"]),
            ("application/json-seq", "\u{1E}{\"a\":1}\n\u{1E}{\"a\":\"b\"}\n", ["body /1/a type"]),
            ("text/event-stream", "event: x\ndata: 5\na: 1\n\n: note\n\na: b\n\n", ["body /1/a type"]),
        ] as [(String, String, [String])])
    func itemsOfSequences(type: String, body: String, expected: [String]) throws {
        let contract = try contract(
            """
            openapi: 3.2.0
            info: {title: t, version: '1'}
            paths:
              /things:
                post:
                  requestBody: {content: {'\(type)': {itemSchema: {type: object, properties: {a: {type: integer}}}}}}
                  responses: {'200': {description: ok}}
            """)
        let violations = try contract.violations(body: body, type: type)
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }

    @Test func linesHaveTheSchemaOfAnItem() throws {
        let contract = try contract(schema: "{type: object, required: [a]}", type: "application/x-ndjson")
        #expect(
            try contract.violations(body: "{\"a\":1}\n{}", type: "application/x-ndjson").map(\.short)
                == ["body /1 required"])
    }

    @Test func anEmptyMultipartBodyHasNoParts() throws {
        let contract = try contract(schema: "{type: object}", type: "multipart/form-data")
        #expect(try contract.violations(body: "--x--", type: "multipart/form-data; boundary=x").isEmpty)
    }

    @Test func messagesNameTheNearest() throws {
        let contract = try contract(
            schema: "{type: object, properties: {name: {}}, additionalProperties: false}")
        #expect(
            try contract.violations(body: #"{"nmae": 1}"#).map(\.message)
                == [#"the body is not valid at /nmae: the property "nmae" is not allowed; did you mean "name"?"#])
    }

    @Test func manyErrorsAreCut() throws {
        let contract = try contract(schema: "{type: array, items: {type: string}}")
        let body = "[" + (0..<500).map(String.init).joined(separator: ",") + "]"
        #expect(try contract.violations(body: body).count == 100)
    }
}
