import SDJSON
import SDOpenAPI
import Testing

/// Version 2.0.
struct OldDescriptionTests {
    static let pets = """
        swagger: '2.0'
        info: {title: Pets, version: '1'}
        host: example.com
        basePath: /v1/
        schemes: [https]
        consumes: [application/json]
        produces: [application/json, application/xml]
        securityDefinitions: {key: {type: apiKey, name: X-Key, in: header}}
        security: [{key: []}]
        parameters: {Tags: {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}}
        responses: {Error: {description: Wrong, schema: {$ref: '#/definitions/Pet'}}}
        definitions: {Pet: {type: object, discriminator: kind, properties: {kind: {type: string}}}}
        paths:
          /pets/{id}:
            parameters: [{name: id, in: path, required: true, type: integer, format: int64}]
            get:
              parameters:
                - $ref: '#/parameters/Tags'
                - {name: ids, in: query, type: array, items: {type: string}, collectionFormat: pipes}
              responses:
                200:
                  description: A pet
                  schema: {$ref: '#/definitions/Pet'}
                  headers: {X-Rate: {type: integer}}
                  examples: {application/json: {kind: cat}}
                default: {$ref: '#/responses/Error'}
            put:
              parameters: [{name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
              responses: {204: {description: Done}}
            post:
              consumes: [multipart/form-data]
              produces: []
              security: []
              parameters:
                - {name: photo, in: formData, type: file, required: true}
                - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: multi}
              responses: {200: {description: A file, schema: {type: file}}}
        """

    @Test func anOldDescriptionIsRead() throws {
        let pets = try description(Self.pets)
        #expect(pets.findings.isEmpty, "\(pets.findings)")
        #expect(pets.version == .v2)
        #expect(pets.basePaths == ["/v1"])
        #expect(pets.operations.map(\.method) == ["GET", "PUT", "POST"])
        #expect(pets.operations.map(\.security) == [[["key"]], [["key"]], []])
    }

    @Test func parametersHaveTheSchemaThatIsSpreadOverThem() throws {
        let pets = try description(Self.pets)
        let get = pets.operations[0]
        #expect(get.parameters.map(\.name) == ["tags", "ids", "id"])
        #expect(get.parameters.map(\.style) == [.form, .pipeDelimited, .simple])
        #expect(get.parameters.map(\.explode) == [true, false, false])
        let schema = try #require(get.parameters[2].schema)
        #expect(schema.json == ["type": "integer", "format": "int64"])
        #expect(pets.documents.value(at: schema.place) == schema.json)
    }

    @Test func aResponseHasTheContentTypesOfItsOperation() throws {
        let get = try description(Self.pets).operations[0]
        #expect(get.responses[0].contents.map(\.type) == ["application/json", "application/xml"])
        #expect(get.responses[0].contents.map(\.examples.count) == [1, 0])
        #expect(get.responses[0].headers.map(\.name) == ["X-Rate"])
        #expect(get.responses[0].headers[0].schema?.json == ["type": "integer"])
        #expect(get.responses[1].contents.map(\.type) == ["application/json", "application/xml"])
    }

    @Test func bodiesAndFormsAreBodies() throws {
        let pets = try description(Self.pets)
        #expect(pets.operations[1].body?.isRequired == true)
        #expect(pets.operations[1].body?.contents.map(\.type) == ["application/json"])
        let form = try #require(pets.operations[2].body)
        #expect(form.isRequired)
        #expect(form.contents.map(\.type) == ["multipart/form-data"])
        let schema = try #require(form.contents[0].schema)
        #expect(schema.json["properties"]?["photo"] == ["type": "string", "format": "binary"])
        #expect(schema.json["required"] == ["photo"])
        #expect(pets.documents.value(at: schema.place) == schema.json)
        #expect(form.contents[0].encoding?["tags"]?["explode"] == true)
        #expect(pets.operations[2].responses[0].contents.map(\.type) == ["application/octet-stream"])
    }
}
