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
        #expect(text.contains("# One pet\nGET /v1/pets/{petId}:\n"))
        let file = StubFile.read(Array(text.utf8), format: .yaml, path: "pets.yaml")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)\n\(text)")
        #expect(file.origins.allSatisfy { $0.routeKey != nil }, "\(text)")
        #expect(file.stubs.count == 3)
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
                "requests are not checked: serve the document itself for that",
                "GET /pets/{petId} answers 200 only, not 404", "POST /pets/mine answers 204 only, not 5XX",
                "PUT /pets/mine is left out: paths[\"/pets/mine\"].put.responses: wrong type; expected an object of responses, found the number 5",
            ])
        #expect(losses[1].place.text == "/paths/~1pets~1{petId}/get")
    }

    @Test func anEmptyDocumentHasNoRoutes() throws {
        let made = ContractImport(try contract("openapi: 3.1.0\npaths: {}"), idSeed: "api")
        #expect(made.stubs.isEmpty)
        #expect(made.losses.isEmpty)
    }
}
