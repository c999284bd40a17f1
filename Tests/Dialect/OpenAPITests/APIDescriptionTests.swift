import SDJSON
import SDOpenAPI
import SDStubFiles
import SDStubModel
import Testing

/// Reads a description in YAML, with other documents beside it.
func description(_ text: String, beside files: [String: String] = [:]) throws -> APIDescription {
    let json = try JSONValue(parsingYAML: text)
    return APIDescription(reading: json, named: "mocks/api.yaml") { path in
        files[path].map { text in
            (try? JSONValue(parsingYAML: text)).map { .success($0) }
                ?? .failure(ModelProblem(pointer: .root, message: "not valid YAML"))
        }
    }
}

struct APIDescriptionTests {
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: 1.0.0}
        servers: [{url: "https://example.com/{version}/", variables: {version: {default: v1, enum: [v1, v2]}}}]
        security: [{key: []}]
        paths:
          /pets/{petId}:
            parameters:
              - {name: petId, in: path, required: true, schema: {type: integer}}
              - {name: lang, in: query, schema: {type: string}}
            get:
              operationId: getPet
              summary: One pet
              parameters:
                - {name: lang, in: query, required: true, schema: {type: string, enum: [en, de]}}
                - $ref: '#/components/parameters/Tags'
              responses:
                '200':
                  description: A pet
                  headers: {X-Rate: {schema: {type: integer}}, Content-Type: {schema: {type: string}}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Pet'}
                      examples:
                        cat: {value: {name: Tom}}
                        shared: {$ref: '#/components/examples/dog'}
                4XX: {$ref: '#/components/responses/Error'}
                default: {description: Any}
            put:
              security: []
              requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
              responses: {'204': {description: Done}}
        components:
          securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
          parameters: {Tags: {name: tags, in: query, style: pipeDelimited, schema: {type: array}}}
          examples: {dog: {value: {name: Rex}}}
          responses: {Error: {description: Wrong, content: {text/plain: {schema: {type: string}}}}}
          schemas: {Pet: {type: object, properties: {name: {type: string}, friend: {$ref: '#/components/schemas/Pet'}}}}
        """

    @Test func aDescriptionIsRead() throws {
        let pets = try description(Self.pets)
        #expect(pets.findings.isEmpty, "\(pets.findings.map(\.problem.description))")
        #expect(pets.version == .v30)
        #expect(pets.title == "Pets")
        #expect(pets.basePaths == ["/v1", "/v2"])
        #expect(pets.operations.map(\.key) == ["GET /pets/{petId}", "PUT /pets/{petId}"])
        #expect(pets.securitySchemes["key"]?["name"] == "X-Key")
    }

    @Test func anOperationHasItsParametersAndThoseOfItsPath() throws {
        let get = try #require(try description(Self.pets).operations.first)
        #expect(get.id == "getPet")
        #expect(get.summary == "One pet")
        #expect(get.security == [["key"]])
        #expect(get.parameters.map(\.name) == ["lang", "tags", "petId"])
        #expect(get.parameters.map(\.isRequired) == [true, false, true])
        #expect(get.parameters.map(\.style) == [.form, .pipeDelimited, .simple])
        #expect(get.parameters.map(\.explode) == [true, false, false])
        #expect(get.parameters[0].schema?.json["enum"] == ["en", "de"])
        #expect(get.parameters[0].place.pointer.text == "/paths/~1pets~1{petId}/get/parameters/0")
        #expect(get.parameters[1].place.pointer.text == "/components/parameters/Tags")
    }

    @Test func anOperationHasItsResponses() throws {
        let pets = try description(Self.pets)
        let get = try #require(pets.operations.first)
        #expect(get.responses.map(\.code) == [.status(200), .range(4), .standard])
        #expect(get.responses[0].headers.map(\.name) == ["X-Rate"])
        let content = try #require(get.responses[0].contents.first)
        #expect(content.type == "application/json")
        #expect(content.examples.map(\.name) == ["cat", "shared"])
        #expect(content.examples.last?.value == ["name": "Rex"])
        let schema = try #require(content.schema)
        #expect(schema.json == ["$ref": "#/components/schemas/Pet"])
        #expect(pets.documents.target(of: schema.place)?.place.pointer.text == "/components/schemas/Pet")
        #expect(get.responses[1].contents.map(\.type) == ["text/plain"])
    }

    @Test func anOperationHasItsBody() throws {
        let put = try #require(try description(Self.pets).operations.last)
        #expect(put.body?.isRequired == true)
        #expect(put.body?.contents.map(\.type) == ["application/json"])
        #expect(put.security.isEmpty)
        #expect(put.problem == nil)
    }

    @Test(arguments: [
        ("openapi: 3.1.0\npaths: {}", true), ("openapi: 3.0\ninfo: {}", true), ("swagger: '2.0'\npaths: {}", true),
        ("openapi: {file: api.yaml}\nroutes: {}", false), ("paths: {}", false), ("openapi: 3.1.0", false),
        ("[]", false),
    ])
    func aDescriptionIsKnownByWhatItSays(text: String, isOne: Bool) throws {
        #expect(APIDescription.isOne(try JSONValue(parsingYAML: text)) == isOne)
    }

    @Test func whatIsNoDescriptionIsAFinding() {
        let list = APIDescription(reading: [1], named: "api.json") { _ in nil }
        #expect(list.operations.isEmpty)
        #expect(list.findings.count == 1)
    }
}
