import Foundation
import SDJSON
import SDTestSupport
import Testing

/// OpenAPI documents that the daemon serves.
@Suite struct OpenAPIServingTests {
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: "https://pets.example/v1"}]
        paths:
          /pets:
            get:
              operationId: listPets
              parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}]
              responses:
                "200":
                  description: All.
                  content: {application/json: {example: [{id: 1, name: Rex}]}}
                "404":
                  description: None.
                  content: {application/json: {examples: {cat: {value: {error: no cat}}, dog: {value: {error: no dog}}}}}
          /pets/mine:
            get: {responses: {"200": {description: Mine., content: {text/plain: {example: mine}}}}}
          /pets/{petId}:
            get:
              parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
              responses: {"200": {description: One., content: {text/plain: {example: one}}}}
        """

    @Test func servesADocumentThatIsKnownByItsContent() throws {
        let daemon = try Daemon(files: ["api/anything.yml": Self.pets])
        #expect(try daemon.get("/v1/pets").text == #"[{"id":1,"name":"Rex"}]"#)
        #expect(try daemon.get("/v1/pets/mine").text == "mine")
        #expect(try daemon.get("/v1/pets/7").text == "one")
        #expect(try daemon.request("HEAD", "/v1/pets/7").status == 200)
        #expect(try daemon.get("/pets").status == 404)
    }

    @Test func answersWhatARequestPrefers() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets])
        let answer = try daemon.request("GET", "/v1/pets", headers: ["Prefer: code=404, example=dog"])
        #expect(answer.status == 404)
        #expect(answer.text == #"{"error":"no dog"}"#)
    }

    @Test func routesStandOverADocumentThatTheyName() throws {
        let daemon = try Daemon(files: [
            "pets.yaml": Self.pets,
            "routes.yaml": """
            openapi: { file: pets.yaml, prefix: /shop }
            GET /shop/pets/mine: { body: ours }
            GET /none: { openapi: { operation: listPets, code: 404, example: cat } }
            """,
        ])
        #expect(try daemon.get("/shop/pets/mine").text == "ours")
        #expect(try daemon.get("/shop/pets/7").text == "one")
        #expect(try daemon.get("/v1/pets/7").status == 404)
        let answer = try daemon.get("/none")
        #expect(answer.status == 404)
        #expect(answer.text == #"{"error":"no cat"}"#)
    }

    @Test func keepsTheLastGoodDocument() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets])
        try daemon.folder.write("pets.yaml", Self.pets.replacingOccurrences(of: "example: mine", with: "example: new"))
        #expect(eventually(within: 30_000) { (try? daemon.get("/v1/pets/mine").text) == "new" ? true : nil } == true)
        try daemon.folder.write("pets.yaml", "openapi: 3.0.3\npaths: {\n")
        #expect(
            eventually(within: 30_000) { daemon.process.errors.contains("last valid stubs are kept") ? true : nil }
                == true)
        #expect(try daemon.get("/v1/pets/mine").text == "new")
    }

    @Test func callbacksHaveBodiesOfTheirSchemas() throws {
        let heard = Locked([String]())
        let target = try RawServer { client, _ in
            let head = client.receive(until: "\r\n\r\n").text
            let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
            let count = length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            let body = client.receive(count).text
            heard.withLock { $0.append(head + body) }
            try client.send("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")
        }
        let event =
            "{type: object, required: [id, kind], properties: {id: {type: integer}, kind: {type: string, enum: [made]}}}"
        let document = """
            openapi: 3.1.0
            info: {title: Hooks, version: "1"}
            webhooks: {newPet: {post: {requestBody: {content: {application/json: {schema: \(event)}}}}}}
            paths:
              /hooks:
                post:
                  requestBody: {content: {application/json: {schema: {type: object, properties: {url: {type: string}}}}}}
                  responses: {"201": {description: d}}
                  callbacks:
                    told: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: \(event)}}},
                      responses: {"204": {description: d}}}}}
            """
        let daemon = try Daemon(files: [
            "hooks.yaml": document, "routes.yaml": "openapi: { file: hooks.yaml, callbacks: true }",
        ])
        let answer = try daemon.request(
            "POST", "/hooks", headers: ["Content-Type: application/json"],
            body: #"{"url": "http://127.0.0.1:\#(target.port)/told"}"#)
        #expect(answer.status == 201)
        let call = try #require(eventually(within: 30_000) { heard.withLock { $0.first } })
        #expect(call.hasPrefix("POST /told "))
        #expect(call.contains("application/json"))
        let start = try #require(call.firstIndex(of: "{"))
        let body = try JSONValue(parsing: String(call[start...]))
        #expect(body["kind"] == "made")
        #expect(body["id"]?.intValue != nil)
        #expect(try daemon.get("/newPet").status == 404)
    }
}
