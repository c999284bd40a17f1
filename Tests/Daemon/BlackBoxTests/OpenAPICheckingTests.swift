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

    /// Each name that is required is told, and where a test made the request.
    @Test func violationsOfSessionsCountInTheReportOfAll() throws {
        let document = Self.pets.replacingOccurrences(of: "required: [name]", with: "required: [name, kind]")
        let daemon = try Daemon(files: ["pets.yaml": document], ["--openapi-validate", "warn"])
        for name in ["alpha", "beta"] {
            let session = try daemon.admin("POST", "/sessions", #"{"name": "\#(name)"}"#).json
            let id = try #require(session?["id"]?.stringValue)
            let answer = try daemon.request(
                "POST", "/__session/\(id)/pets",
                headers: ["Content-Type: application/json", "Authorization: Bearer x"], body: "{}")
            #expect(answer.status == 201)
            if name == "beta" { try daemon.admin("DELETE", "/sessions/\(id)") }
        }
        let report = try #require(
            eventually(within: 30_000) { () -> JSONValue? in
                let report = try? daemon.get("/__admin/report?format=json&fail=contract").json
                let operations = report?["contracts"]?[0]?["operations"]?.arrayValue
                return operations?.contains { $0["count"]?.numberValue?.text == "2" } == true ? report : nil
            } ?? nil)
        let violations = report["contractViolations"]?.arrayValue ?? []
        #expect(
            Set(violations.map { "\($0["test"]?.stringValue ?? "none"): \($0["text"]?.stringValue?.suffix(40) ?? "")" })
                .count
                == 4, "\(report.compactText)")
        #expect(report["verdict"]?.stringValue == "failed")
    }

    /// Requests that are refused because the document has no such path, or no such method there, count.
    @Test func unknownPathsAndMethodsCount() throws {
        let daemon = try Daemon(files: ["pets.yaml": Self.pets], ["--openapi-validate", "enforce"])
        #expect(try daemon.get("/cats").status == 404)
        #expect(try daemon.request("DELETE", "/pets").status == 405)
        let report = try daemon.get("/__admin/report?format=json&fail=contract").json
        #expect(report?["contractViolations"]?.arrayValue?.count == 2)
        #expect(report?["verdict"]?.stringValue == "failed")
    }

    /// What a route answers is a warning of the journal, too.
    @Test func aBadAnswerOfARouteIsAWarning() throws {
        let daemon = try Daemon(
            files: ["pets.yaml": Self.pets, "mine.yaml": "GET /pets: { json: { id: 7 } }\n"],
            ["--openapi-validate", "warn"])
        #expect(try daemon.get("/pets").text == #"{"id":7}"#)
        let told = eventually(within: 30_000) { () -> Bool? in
            let text = (try? daemon.get("/__admin/requests").text) ?? ""
            return text.contains("does not allow this answer") ? true : nil
        }
        #expect(told == true)
    }

    /// A violation says what was found, but for secrets.
    @Test(arguments: ["enforce", "warn"]) func hidesSecretsOfViolations(check: String) throws {
        let login = """
            openapi: 3.0.3
            info: {title: Login, version: "1"}
            paths:
              /login:
                post:
                  parameters:
                    - {name: access_token, in: query, schema: {type: integer}}
                    - {name: X-Api-Token, in: header, schema: {type: integer}}
                    - {name: session, in: cookie, schema: {type: integer}}
                    - {name: f, in: query, style: deepObject, schema: {type: object, properties: {password: {type: integer}}}}
                    - {name: j, in: query, content: {application/json: {schema: {properties: {token: {type: integer}}}}}}
                  requestBody:
                    content:
                      application/json:
                        schema:
                          properties:
                            password: {type: integer}
                            user: {properties: {token: {type: string, maxLength: 2}}}
                            passwords: {type: array, items: {enum: [a]}}
                            seen: {type: integer}
                      application/x-www-form-urlencoded: {schema: {properties: {password: {type: integer}}}}
                      application/xml: {schema: {type: object, properties: {password: {type: integer}}}}
                  responses: {"200": {description: Fine.}}
            """
        let daemon = try Daemon(files: ["login.yaml": login], ["--openapi-validate", check, "--redact", "-v"])
        let secret = "sEcReT"
        let path = "/login?access_token=\(secret)1&f%5Bpassword%5D=\(secret)2&j=%7B%22token%22:%22\(secret)3%22%7D"
        let headers = ["X-Api-Token: \(secret)4", "Cookie: session=\(secret)5"]
        let bodies = [
            "application/json":
                #"{"password": "\#(secret)6", "user": {"token": "\#(secret)7"}, "passwords": ["\#(secret)8"], "seen": "plain"}"#,
            "application/x-www-form-urlencoded": "password=\(secret)9",
            "application/xml": "<a><password>\(secret)A</password></a>",
        ]
        for (type, body) in bodies.sorted(by: { $0.key < $1.key }) {
            let answer = try daemon.request(
                "POST", path, headers: headers + ["Content-Type: \(type)"], body: body)
            #expect(answer.status == (check == "enforce" ? 400 : 200))
            #expect(!answer.text.contains(secret), "\(answer.text)")
            if check == "enforce", type == "application/json" { #expect(answer.text.contains("plain")) }
        }
        _ = try daemon.request(
            "POST", "/login", headers: ["Content-Type: application/json"], body: "{password hIdDeN")
        #expect(
            eventually(within: 30_000) {
                daemon.process.errors.components(separatedBy: "does not allow this request").count > 9 ? true : nil
            } == true)
        #expect(!daemon.process.errors.contains(secret))
        #expect(!daemon.process.errors.contains("hIdDeN"))
        for place in ["report?format=json", "report?format=html", "report?format=markdown", "requests?format=har"] {
            let text = try daemon.get("/__admin/\(place)").text
            #expect(text.contains("login"), "\(place)")
            #expect(!text.contains(secret), "\(place)")
            if place.hasPrefix("report") { #expect(!text.contains("hIdDeN"), "\(place)") }
        }
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
        // Another of the same title takes its place, whole; keys in any order, long before `openapi`.
        let long = String(repeating: "x", count: 100_000)
        let next = #"""
            {"components": {"x-long": "\#(long)"}, "info": {"title": "Pets", "version": "2"}, "openapi": "3.1.0",
            "paths": {"/cats": {"get": {"responses": {"204": {"description": "None."}}}}}}
            """#
        #expect(try daemon.request("POST", "/__admin/mappings/import", body: next).status == 200)
        #expect(try daemon.get("/cats").status == 204)
        #expect(try daemon.get("/pets").status == 404)
        let broken = try daemon.request("POST", "/__admin/mappings/import", body: "openapi: 3.0.0\ninfo: {title: [}\n")
        #expect(broken.status == 422)
        #expect(broken.text.contains("openapi:2:16: "), "\(broken.text)")
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
        let body = #"{"url": "http://localhost:\#(daemon.port)/called"}"#
        // An answer that there is not calls nobody.
        let refused = try daemon.request(
            "POST", "/hooks", headers: ["Content-Type: application/json", "Prefer: code=500"], body: body)
        #expect(refused.status == 404)
        _ = try daemon.request("POST", "/hooks", headers: ["Content-Type: application/json"], body: body)
        #expect(
            eventually(within: 30_000) {
                (try? daemon.admin("GET", "/requests").text.contains(#"{\"id\":1}"#)) == true ? true : nil
            } == true)
        let calls = try daemon.admin("POST", "/requests/count", #"{"method": "POST", "urlPath": "/called/events"}"#)
        #expect(calls.json?["count"]?.numberValue?.text == "1")
    }
}
