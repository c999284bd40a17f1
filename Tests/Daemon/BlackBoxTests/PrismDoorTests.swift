import Foundation
import SDJSON
import SDTestSupport
import Testing

/// The words and the rules of Prism: `stuntdouble mock DOCUMENT` and `stuntdouble proxy DOCUMENT URL`.
@Suite struct PrismDoorTests {
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: /v1}]
        paths:
          /pets:
            get:
              deprecated: true
              parameters:
                - {name: limit, in: query, schema: {type: integer, minimum: 1}}
                - {name: access_token, in: query, schema: {type: integer}}
              responses:
                "200":
                  description: All.
                  content: {application/json: {schema: {type: array, items: {type: object}}, example: [{id: 1}]}}
                "422": {description: No., content: {application/json: {example: {error: no}}}}
            post:
              security: [{key: []}]
              requestBody:
                content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
              responses: {"201": {description: Made.}, "400": {description: No.}}
          /wrong:
            get:
              parameters: [{name: q, in: query, schema: {type: integer}}]
              responses:
                "200":
                  description: Of a wrong type.
                  content:
                    application/json:
                      schema: {type: object, required: [id], properties: {id: {type: integer}}}
                      example: {id: x}
                default: {description: No., content: {application/json: {example: {code: 5}}}}
        components:
          securitySchemes: {key: {type: http, scheme: bearer}}
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("pets.yaml", Self.pets)
    }

    private func mock(_ options: String...) throws -> Daemon {
        try Daemon(serving: "mock", [folder.path + "/pets.yaml"] + options)
    }

    private static func violations(_ answer: HTTPAnswer) -> [JSONValue] {
        answer["sl-violations"].flatMap { try? JSONValue(parsing: $0) }?.arrayValue ?? []
    }

    @Test func onlyAnOpenAPIDocumentIsServed() throws {
        try folder.write("other.json", "{}")
        let process = try ChildProcess(
            Daemon.binary, ["mock", folder.path + "/other.json", "-p", "0"], outputsIn: folder)
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("other.json is no OpenAPI document"), "\(process.errors)")
    }

    @Test func answersAsAsked() throws {
        let daemon = try mock()
        for path in ["/pets", "/v1/pets"] {
            let answer = try daemon.get(path)
            #expect(answer.text == #"[{"id":1}]"#)
            #expect(answer["deprecation"] == "true")
            #expect(answer["Access-Control-Allow-Origin"] == "*")
            #expect(answer["sl-violations"] == nil)
        }
        #expect(try daemon.get("/pets?__code=422").text == #"{"error":"no"}"#)
        #expect(
            try daemon.get("/pets?__code=304").json?["detail"]?.stringValue
                == "Requested status code 304 is not defined in the document.")
        #expect(
            try daemon.get("/pets?__example=cat").json?["detail"]?.stringValue
                == "Response for contentType: application/json and exampleKey: cat does not exist.")
        let unacceptable = try daemon.request("GET", "/pets", headers: ["Accept: image/png"])
        #expect(unacceptable.status == 406)
        #expect(unacceptable.json?["detail"]?.stringValue == "Unable to find content for image/png")
        #expect(try daemon.get("/none").json?["type"]?.stringValue?.hasSuffix("#NO_PATH_MATCHED_ERROR") == true)
        let options = try daemon.request("OPTIONS", "/pets")
        #expect(options.status == 204)
        #expect(options["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE")
    }

    @Test func refusesWithWhatIsDeclared() throws {
        let daemon = try mock("--errors")
        let declared = try daemon.get("/pets?limit=0")
        #expect(declared.status == 422)
        #expect(declared.text == #"{"error":"no"}"#)
        #expect(Self.violations(declared).first?["location"] == ["request", "query", "limit"])
        let standard = try daemon.get("/wrong?q=x")
        #expect(standard.status == 422)
        #expect(standard.text == #"{"code":5}"#)
        let missing = try daemon.request("POST", "/pets", body: "{}")
        #expect(missing.status == 401)
        #expect(missing["WWW-Authenticate"] == "Bearer")
        let json = ["Authorization: Bearer x", "Content-Type: application/json"]
        let generated = try daemon.request("POST", "/pets", headers: json, body: "{}")
        #expect(generated.status == 422)
        #expect(generated.json?["validation"]?[0]?["location"] == ["body"])
        #expect(
            generated.json?["validation"]?[0]?["message"]?.stringValue
                == "Request body must have required property 'name'")
        let type = try daemon.request(
            "POST", "/pets", headers: ["Authorization: Bearer x", "Content-Type: text/plain"], body: "Rex")
        #expect(type.status == 415)
        #expect(type.json?["detail"]?.stringValue == "Supported content types: application/json")
    }

    @Test func tellsOfExamplesThatAreNotValid() throws {
        let daemon = try mock()
        let answer = try daemon.get("/wrong")
        #expect(answer.text == #"{"id":"x"}"#)
        #expect(Self.violations(answer).first?["location"] == ["response", "body", "id"])
        let strict = try mock("--errors")
        let refused = try strict.get("/wrong")
        #expect(refused.status == 500)
        #expect(refused["Content-Type"] == "application/problem+json")
        #expect(refused.json?["type"]?.stringValue?.hasSuffix("#VIOLATIONS") == true)
        #expect(refused.json?["validation"]?[0]?["code"]?.stringValue == "type")
    }

    @Test func holdsWhatItSendsOnAgainstTheDocument() throws {
        let upstream = try Daemon(files: [
            "routes.yaml": """
            GET /pets: { json: [{ id: 1 }], headers: { X-Up: "yes" } }
            GET /wrong: { json: { id: x } }
            GET /none: { body: there }
            POST /pets: { status: 501 }
            """
        ])
        let url = "http://127.0.0.1:\(upstream.port)"
        let daemon = try Daemon(serving: "proxy", [folder.path + "/pets.yaml", url])
        let fine = try daemon.get("/pets")
        #expect(fine.text == #"[{"id":1}]"#)
        #expect(fine["X-Up"] == "yes")
        #expect(fine["sl-violations"] == nil)
        #expect(Self.violations(try daemon.get("/pets?limit=0")).first?["location"] == ["request", "query", "limit"])
        let wrong = try daemon.get("/wrong")
        #expect(wrong.text == #"{"id":"x"}"#)
        #expect(Self.violations(wrong).first?["location"] == ["response", "body", "id"])
        let unknown = try daemon.get("/none")
        #expect(unknown.text == "there")
        #expect(Self.violations(unknown).first?["severity"]?.stringValue == "Warning")
        // What the other server has not got yet, the document answers.
        let json = ["Authorization: Bearer x", "Content-Type: application/json"]
        #expect(try daemon.request("POST", "/pets", headers: json, body: #"{"name": "Rex"}"#).status == 201)
        #expect(
            eventually(within: 30_000) {
                daemon.process.errors.contains("does not allow this answer of GET /wrong") ? true : nil
            } == true)

        let hiding = try Daemon(serving: "proxy", [folder.path + "/pets.yaml", url, "--redact"])
        let told = try hiding.get("/pets?access_token=sEcReT")
        #expect(Self.violations(told).first?["location"] == ["request", "query", "access_token"])
        #expect(told["sl-violations"]?.contains("sEcReT") == false)

        let strict = try Daemon(serving: "proxy", [folder.path + "/pets.yaml", url, "--errors"])
        #expect(try strict.get("/pets").text == #"[{"id":1}]"#)
        #expect(try strict.get("/pets?limit=0").status == 422)
        #expect(try strict.get("/wrong").json?["type"]?.stringValue?.hasSuffix("#VIOLATIONS") == true)
        #expect(try strict.get("/none").status == 404)
    }
}
