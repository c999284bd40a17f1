import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Which routes are templates, and what `capture` becomes.
@Suite struct RouteTemplateTests {
    private func mapping(_ route: String) throws -> StubMapping {
        let (stubs, diagnostics) = StubFile.parse(
            "GET /users/{id}: \(route)".utf8, format: .yaml, path: "a.yaml")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return try #require(stubs.first)
    }

    @Test(
        arguments: [
            (#"{ body: "{{path.id}}" }"#, true), (#"{ body: "a {{ x }} b" }"#, true),
            (#"{ json: { a: [{ b: "{{path.id}}" }] } }"#, true), (#"{ json: { "{{path.id}}": 1 } }"#, true),
            (#"{ headers: { Location: "/users/{{path.id}}" } }"#, true), (#"{ statusMessage: "{{path.id}}" }"#, true),
            (#"{ body: "{{ without an end" }"#, false), (#"{ body: "}} {{" }"#, false), ("{ body: text }", false),
            (#"{ base64: e3thfX0= }"#, false), ("{ file: a.json }", false), ("{ file: a.json, template: true }", true),
            (#"{ body: "{{path.id}}", template: false }"#, false), ("{ body: text, template: true }", true),
            (#"{ body: "{{path.id}}", fault: EMPTY_RESPONSE }"#, false),
        ])
    func aRouteWithAnExpressionIsATemplate(route: String, isTemplate: Bool) throws {
        let response = try parsed(route).response
        #expect(response.transformers == (isTemplate ? ["response-template"] : []))
        // JSON gets the values of expressions with their types.
        #expect(response.transformerParameters == (isTemplate && route.contains("json:") ? ["keepTypes": true] : nil))
        #expect(response.template == (route.contains("template: false") ? false : nil))
    }

    private func parsed(_ route: String) throws -> StubMapping {
        let text = "GET /users/{id}: \(route)"
        return try #require(StubFile.parse(text.utf8, format: .yaml, path: "a.yaml").stubs.first)
    }

    @Test func theContentOfAFileIsATemplateOnlyIfTheRouteSaysSo() throws {
        let asIs: JSONObject = ["disableBodyFileTemplating": true]
        #expect(try mapping(#"{ file: "{{path.id}}.json" }"#).response.transformerParameters == asIs)
        #expect(try mapping(#"{ file: "{{path.id}}.json", template: true }"#).response.transformerParameters == nil)
    }

    @Test func aDelayMayBeATemplate() throws {
        let response = try mapping(#"{ delay: "{{request.query.wait}}" }"#).response
        #expect(response.fixedDelayTemplate == "{{request.query.wait}}")
        #expect(response.transformers == [])
        #expect(response.json["fixedDelayMilliseconds"] == "{{request.query.wait}}")
    }

    @Test func aStatusMayBeATemplate() throws {
        let response = try mapping(#"{ status: "{{request.query.status}}" }"#).response
        #expect(response.statusTemplate == "{{request.query.status}}" && response.status == 200)
        #expect(response.json["status"] == "{{request.query.status}}")
    }

    @Test(arguments: [
        (
            #"{ user: "{{request.body}}" }"#,
            #"[{"name": "recordState", "parameters": {"context": "session", "state": {"user": "{{request.body}}"}}}]"#
        ),
        (
            #"{ "u-{{path.id}}": { a: 1 }, b: x }"#,
            #"[{"name": "recordState", "parameters": {"context": "session", "state": {"b": "x"}}}, {"name": "recordState", "parameters": {"context": "u-{{path.id}}", "state": {"a": "1"}}}]"#
        ),
    ])
    func aCaptureBecomesListeners(capture: String, listeners: String) throws {
        #expect(try mapping("{ capture: \(capture) }").serveEventListeners == JSONValue(parsing: listeners))
    }

    @Test(arguments: [
        "{ capture: x }", "{ capture: {} }", "{ capture: { a: [1] } }", "{ template: 1 }", #"{ status: "{{x" }"#,
    ])
    func whatIsNeitherIsRefused(route: String) {
        let diagnostics = StubFile.parse("GET /a: \(route)".utf8, format: .yaml, path: "a.yaml").diagnostics
        #expect(diagnostics.map(\.severity) == [.error])
        #expect(diagnostics.first?.expected != nil)
    }
}
