import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Requests and answers that are held against an OpenAPI document.
@Suite struct OpenAPICheckingTests {
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              operationId: listPets
              parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}]
              responses:
                "200":
                  description: All.
                  content: {application/json: {schema: {type: array, items: {type: object}}, example: [{id: 1}]}}
                "422": {description: No., content: {application/json: {example: {error: no}}}}
            post:
              security: [{key: []}]
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
              responses: {"201": {description: Made.}}
        components:
          securitySchemes: {key: {type: http, scheme: bearer}}
        """

    @Test func refusesWhatTheDocumentDoesNotAllow() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets], ["--openapi-validate", "enforce"])
        #expect(try daemon.get("/pets?limit=3").status == 200)
        let bad = try daemon.get("/pets?limit=0")
        #expect(bad.status == 422)
        #expect(bad["Content-Type"] == "application/problem+json")
        #expect(bad.json?["violations"]?.arrayValue?.first?["name"]?.stringValue == "limit")
        let missing = try daemon.request(
            "POST", "/pets", headers: ["Content-Type: application/json"], body: #"{"name": "Rex"}"#)
        #expect(missing.status == 401)
        #expect(missing["WWW-Authenticate"] == "Bearer")
        let known = ["Authorization: Bearer x"]
        #expect(
            try daemon.request("POST", "/pets", headers: known + ["Content-Type: text/plain"], body: "Rex").status
                == 415)
        #expect(
            try daemon.request("POST", "/pets", headers: known + ["Content-Type: application/json"], body: "{}").status
                == 400)
        let method = try daemon.request("DELETE", "/pets")
        #expect(method.status == 405)
        #expect(method["Allow"] == "GET, POST")
        #expect(try daemon.get("/cats").status == 404)
    }

    @Test func warnsInJournalLogAndReport() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets], ["--openapi-validate", "warn"])
        for _ in 0..<2 { #expect(try daemon.get("/pets?limit=0").status == 200) }
        #expect(
            eventually(within: 30_000) {
                daemon.process.errors.components(separatedBy: "does not allow this request of GET /pets").count == 2
                    ? true : nil
            } == true)
        let journal = try daemon.admin("GET", "/requests").text
        #expect(journal.contains("does not allow this"))
        let report = try daemon.admin("GET", "/report?fail=contract").json
        #expect(report?["verdict"]?.stringValue == "failed")
        #expect(report?["contracts"]?.arrayValue?.first?["usedOperationCount"]?.intValue == 1)
        #expect(report?["contractViolations"]?.arrayValue?.first?["count"]?.intValue == 2)
        for format in ["text", "junit", "markdown", "html", "github"] {
            #expect(
                try daemon.admin("GET", "/report?format=\(format)&fail=contract").text.contains("POST /pets")
                    || format == "github")
        }
    }

    @Test func aSessionMayCheckAlone() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets])
        #expect(try daemon.get("/pets?limit=0").status == 200)
        try daemon.admin("POST", "/settings", #"{"openapiValidate": "enforce"}"#)
        #expect(try daemon.get("/pets?limit=0").status == 422)
    }

    @Test func importsADocument() throws {
        let daemon = try Daemon()
        #expect(try daemon.request("POST", "/__admin/mappings/import", body: Self.pets).status == 200)
        #expect(try daemon.get("/pets").text == #"[{"id":1}]"#)
    }

    @Test func holdsAStubThatIsAddedAgainstTheDocument() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets])
        try daemon.admin(
            "POST", "/mappings",
            #"{"request": {"method": "GET", "urlPath": "/pets"}, "response": {"status": 299}}"#)
        #expect(
            eventually(within: 30_000) {
                daemon.process.errors.contains("does not allow this answer of GET /pets") ? true : nil
            } == true)
    }

    @Test func validateHoldsStubsAgainstADocument() throws {
        let folder = try TemporaryFolder()
        try folder.write("pets.yaml", Self.pets)
        try folder.write("mocks/a.yaml", "GET /pets: { json: { no: list } }\nGET /cats: { status: 200 }\n")
        let command = try ChildProcess(
            Daemon.binary, ["validate", folder.path + "/mocks", "--openapi", folder.path + "/pets.yaml"],
            outputsIn: folder)
        #expect(command.wait() == .exited(1))
        #expect(command.output.contains("a.yaml:1:"))
        #expect(command.output.contains("a.yaml:2:"))
    }

    @Test func callsBackWhereThatIsAllowed() throws {
        let document = """
            openapi: 3.0.3
            info: {title: Hooks, version: "1"}
            paths:
              /hooks:
                post:
                  responses: {"201": {description: Made.}}
                  callbacks:
                    onEvent:
                      '{$request.body#/url}/events':
                        post:
                          requestBody: {content: {application/json: {example: {id: 1}}}}
                          responses: {"200": {description: Fine.}}
            """
        let daemon = try Daemon(files: [
            "hooks.yaml": document,
            "routes.yaml": "openapi: { file: hooks.yaml, callbacks: true }\nPOST /called/events: { status: 200 }\n",
        ])
        _ = try daemon.request(
            "POST", "/hooks", headers: ["Content-Type: application/json"],
            body: #"{"url": "http://localhost:\#(daemon.port)/called"}"#)
        #expect(
            eventually(within: 30_000) {
                (try? daemon.admin("GET", "/requests").text.contains(#"{\"id\":1}"#)) == true ? true : nil
            } == true)
    }
}
