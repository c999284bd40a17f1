import SDContractImport
import SDJSON
import SDOpenAPI
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

struct ContractImportTests {
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: '1'}
        servers: [{url: /v1}]
        paths:
          /pets/{petId}:
            get:
              operationId: getPet
              summary: One pet
              parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
              responses:
                200: {content: {application/json: {schema: {type: object}, example: {id: 7, name: '{{Tom}}'}}}}
                404: {description: None}
          /pets/mine:
            get: {responses: {200: {content: {text/plain: {schema: {type: string}, example: Tom}}}}}
            post: {responses: {5XX: {$ref: '#/x'}, 204: {description: Done}}}
            put: {responses: 5}
        """

    private func contract(_ text: String = pets) throws -> ServedDescription {
        let json = try JSONValue(parsingYAML: text)
        let description = APIDescription(reading: json, named: "api.yaml") { _ in nil }
        return ServedDescription(description, file: "api.yaml", settings: OpenAPISettings(file: "api.yaml"))
    }

    @Test func operationsBecomeRoutes() throws {
        let text = ContractImport(try contract(), idSeed: "api").routes(of: "api.yaml")
        #expect(text.contains("# Pets, imported from api.yaml\n"))
        #expect(text.contains("GET /v1/pets/{petId}:\n  # One pet\n"))
        let file = StubFile.read(Array(text.utf8), format: .yaml, path: "pets.yaml")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)\n\(text)")
        #expect(file.origins.allSatisfy { $0.routeKey != nil }, "\(text)")
        #expect(file.stubs.count == 4)
        let get = try #require(file.stubs.first { $0.name == "getPet" })
        #expect(get.response.jsonBody == ["id": 7, "name": "{{Tom}}"])
        #expect(file.stubs.contains { $0.response.status == 204 })
    }

    @Test func literalPathsAreTriedFirst() throws {
        let paths = ContractImport(try contract(), idSeed: "api").stubs.map(\.request.url)
        let literal = paths.firstIndex(of: .urlPath("/v1/pets/mine")) ?? .max
        #expect(literal < paths.firstIndex(of: .urlPathTemplate("/v1/pets/{petId}")) ?? 0)
    }

    @Test func idsStay() throws {
        let ids = ContractImport(try contract(), idSeed: "api").stubs.map(\.id)
        let changed = Self.pets.replacing("name: '{{Tom}}'", with: "name: Rex").replacing("getPet", with: "pet")
        #expect(ContractImport(try contract(changed), idSeed: "api").stubs.map(\.id) == ids)
        #expect(Set(ids).count == ids.count)
    }

    @Test func whatIsNotTakenOverIsSaid() throws {
        let losses = ContractImport(try contract(), idSeed: "api").losses
        #expect(
            losses.map(\.message) == [
                "requests are not checked, and what they ask for and the document does not have is not refused: serve the document itself for that",
                "PUT /pets/mine is left out: paths[\"/pets/mine\"].put.responses: wrong type; expected an object of responses, found the number 5",
            ])
        #expect(losses[1].place.text == "/paths/~1pets~1mine/put")
    }

    static let forms = """
        openapi: 3.0.3
        info: {title: Forms, version: '1'}
        paths:
          /cats/{catId}:
            get:
              operationId: getCat
              parameters:
                - {name: catId, in: path, required: true, schema: {type: integer}}
              responses:
                200:
                  description: One.
                  content:
                    application/json:
                      schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
                    text/plain: {schema: {type: string}, example: Tom}
                404:
                  description: None.
                  content:
                    application/json:
                      examples: {gone: {value: {error: gone}}, lost: {value: {error: lost}}}
                default: {description: Else.}
        """

    @Test func otherAnswersAreAskedFor() throws {
        let made = ContractImport(try contract(Self.forms), idSeed: "api")
        #expect(
            made.stubs.map(\.name) == [
                "getCat 404 lost", "getCat 404", "getCat 500", "getCat text/plain", "getCat",
            ])
        #expect(made.stubs.map(\.response.status) == [404, 404, 500, 200, 200])
        #expect(made.stubs[0].response.jsonBody == ["error": "lost"])
        #expect(made.stubs[1].response.jsonBody == ["error": "gone"])
        #expect(made.stubs[3].response.body == "Tom")
        #expect(Set(made.stubs.map(\.id)).count == 5)
        let text = made.routes(of: "api.yaml")
        let file = StubFile.read(Array(text.utf8), format: .yaml, path: "cats.yaml")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)\n\(text)")
        #expect(file.origins.allSatisfy { $0.routeKey != nil }, "\(text)")
        #expect(file.stubs.map(\.id) == made.stubs.reversed().map(\.id) || file.stubs.map(\.id) == made.stubs.map(\.id))
    }

    @Test func whatTheRequestSaysComesBack() throws {
        let made = ContractImport(try contract(Self.forms), idSeed: "api")
        let usual = try #require(made.stubs.last?.response)
        #expect(usual.jsonBody?["id"] == "{{parseJson request.path.catId}}")
        #expect(usual.jsonBody?["name"]?.stringValue?.contains("{") == false)
        #expect(usual.transformers == ["response-template"])
        let loss = try #require(made.losses.last?.message)
        #expect(loss.hasPrefix("GET /cats/{catId} gives every request what the document gives GET /cats/"))
        #expect(loss.hasSuffix(", but for its catId"))
    }

    @Test func anEmptyDocumentHasNoRoutes() throws {
        let made = ContractImport(try contract("openapi: 3.1.0\npaths: {}"), idSeed: "api")
        #expect(made.stubs.isEmpty)
        #expect(made.losses.isEmpty)
    }
}
