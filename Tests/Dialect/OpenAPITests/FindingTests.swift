import SDJSON
import SDOpenAPI
import SDStubModel
import Testing

struct FindingTests {
    /// A document with one operation.
    static func document(_ operation: String, _ more: String = "", version: String = "3.0.3") -> String {
        """
        openapi: \(version)
        info: {title: T, version: '1'}
        paths:
          /a:
            get: \(operation)
        \(more)
        """
    }

    /// What is wrong in a document, with the place, whether it is an error, and what was probably meant.
    static let mistakes: [(String, String, String, Bool, String?)] = [
        (
            document("{responses: {200: {$ref: '#/components/responses/Oky'}}}", "components: {responses: {Okay: {}}}"),
            "/paths/~1a/get/responses/200/$ref", "there is nothing at", true, "#/components/responses/Okay"
        ),
        (
            document(
                "{responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/Pets'}}}}}}",
                "components: {schemas: {Pet: {}}}"),
            "/paths/~1a/get/responses/200/content/application~1json/schema/$ref", "there is nothing at", true,
            "#/components/schemas/Pet"
        ),
        (
            document("{respnses: {}, responses: {200: {description: x}}}"), "/paths/~1a/get/respnses",
            "unknown member \"respnses\"", false, "responses"
        ),
        (
            document("{parameters: {}, responses: {200: {description: x}}}"), "/paths/~1a/get/parameters",
            "wrong type", true, nil
        ),
        (document("5"), "/paths/~1a/get", "wrong type", true, nil),
        (
            document("{parameters: [{name: a, in: qury, schema: {}}], responses: {200: {}}}"),
            "/paths/~1a/get/parameters/0/in", "unknown location \"qury\"", true, "query"
        ),
        (
            document("{responses: {ok: {}}}"), "/paths/~1a/get/responses/ok", "\"ok\" is no status", false, nil
        ),
        (
            document(
                "{responses: {200: {content: {application/json: {schema: {type: strin, propertis: {}}}}}}}"),
            "/paths/~1a/get/responses/200/content/application~1json/schema/type", "unknown type \"strin\"", false,
            "string"
        ),
        (
            document("{responses: {200: {content: {a/b: {schema: {propertis: {}}}}}}}"),
            "/paths/~1a/get/responses/200/content/a~1b/schema/propertis", "unknown keyword \"propertis\"", false,
            "properties"
        ),
        (
            document("{responses: {200: {content: {a/b: {schema: {required: true}}}}}}"),
            "/paths/~1a/get/responses/200/content/a~1b/schema/required", "wrong type", false, nil
        ),
        (
            document(
                "{security: [{kye: []}], responses: {200: {}}}", "components: {securitySchemes: {key: {type: http}}}"),
            "/paths/~1a/get/security/0/kye", "there is no scheme \"kye\"", false, "key"
        ),
        (
            document("{operationId: a, responses: {200: {}}}\n    put: {operationId: a, responses: {200: {}}}"),
            "/paths/~1a/put/operationId", "another operation has the id \"a\"", false, nil
        ),
        (
            document("{parameters: [{name: id, in: path, required: true, schema: {}}], responses: {200: {}}}"),
            "/paths/~1a/get/parameters/0", "the path \"/a\" has no {id}", false, nil
        ),
        (
            document("{responses: {200: {}}}\n  /b/{c: {get: {responses: {200: {}}}}"), "/paths/~1b~1{c", "a brace",
            true, nil
        ),
        (
            document("{responses: {200: {}}}\n  b: {get: {responses: {200: {}}}}"), "/paths/b", "a path begins with /",
            false,
            "/b"
        ),
        (
            document("{responses: {200: {}}}\n  /b/{c}: {get: {responses: {200: {}}}}"), "/paths/~1b~1{c}/get",
            "the parameter {c} of the path is not described", false, nil
        ),
        (document("{responses: {200: {}}}", version: "3.7.0"), "/openapi", "unknown version \"3.7.0\"", false, nil),
        (
            document("{responses: {200: {}}}", "servers: [{url: 'https://{h}/'}]"), "/servers/0/url",
            "the variable {h} of the server is not described", false, nil
        ),
        (
            document(
                "{responses: {200: {$ref: '#/components/responses/A'}}}",
                "components: {responses: {A: {$ref: '#/components/responses/A'}}}"),
            "/paths/~1a/get/responses/200/$ref", "the reference leads in a circle", true, nil
        ),
        (
            document("{responses: {200: {$ref: 'https://example.com/a.json'}}}"), "/paths/~1a/get/responses/200/$ref",
            "references to URLs are off", true, nil
        ),
    ]

    @Test(arguments: mistakes.indices)
    func aMistakeIsFoundAtItsPlace(index: Int) throws {
        let (text, place, message, isError, suggestion) = Self.mistakes[index]
        let read = try description(text)
        let findings = read.findings.map { "\($0.problem.place.text): \($0.problem)" }.joined(separator: "\n")
        let found = read.findings.first { $0.problem.place.text == place && $0.problem.message.hasPrefix(message) }
        #expect(found != nil, "\(findings)")
        #expect(found?.isError == isError)
        #expect(found?.problem.suggestion == suggestion)
    }

    @Test func whatIsWrongWithOneOperationLeavesTheOthers() throws {
        let read = try description(Self.document("{responses: 5}\n  /b: {get: {responses: {200: {}}}}"))
        #expect(read.operations.map(\.key) == ["GET /a", "GET /b"])
        #expect(read.operations[0].problem?.message == "wrong type")
        #expect(read.operations[1].problem == nil)
    }

    @Test func whatIsWrongWithARequestIsLeftOut() throws {
        let read = try description(
            Self.document(
                """
                {parameters: [{$ref: '#/x'}, {name: a, in: query, schema: {$ref: '#/x'}}], security: [5],
                      requestBody: {content: {a/b: {schema: {$ref: '#/x'}}}}, responses: {200: {}}}
                """))
        let operation = try #require(read.operations.first)
        #expect(read.findings.filter(\.isError).count == 4)
        #expect(operation.problem == nil)
        #expect(operation.parameters.map(\.name) == ["a"])
        #expect(operation.parameters[0].schema == nil)
        #expect(operation.body?.contents[0].schema == nil)
    }

    @Test func whatIsWrongWithOneResponseLeavesTheOthers() throws {
        let read = try description(Self.document("{responses: {200: {description: x}, 404: {$ref: '#/x'}}}"))
        let operation = try #require(read.operations.first)
        #expect(operation.problem == nil)
        #expect(operation.responses.map { $0.problem == nil } == [true, false])
    }

    @Test func whatManyReferToIsFoundOnce() throws {
        let response = "{responses: {200: {$ref: '#/components/responses/A'}}}"
        let read = try description(
            Self.document(
                "\(response)\n    put: \(response)",
                "components: {responses: {A: {content: {a/b: {schema: {$ref: '#/x'}}}}}}"))
        #expect(read.findings.filter(\.isError).count == 1)
        #expect(read.operations.allSatisfy { $0.responses[0].problem != nil })
    }
}
