import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// `CRUD` in the route shorthand.
struct RouteResourceTests {
    private func stubs(_ yaml: String) -> ([StubMapping], [FileDiagnostic]) {
        let (stubs, diagnostics) = StubFile.parse(yaml.utf8, format: .yaml, path: "a.yaml")
        return (stubs, diagnostics)
    }

    @Test func aRouteBecomesThreeStubs() throws {
        let (stubs, diagnostics) = stubs(
            """
            defaults: { basePath: /api, headers: { X-Source: mock } }
            CRUD /users: { data: users.json, key: uid, schema: { type: object }, delay: 20ms, priority: 3, name: people, cascade: true, write: true }
            """)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        try #require(stubs.count == 3)
        #expect(
            stubs.map(\.request.url) == [
                .urlPath("/api/users/"), .urlPathTemplate("/api/users/{uid}"), .urlPath("/api/users"),
            ])
        #expect(Set(stubs.map(\.id)).count == 3)
        for stub in stubs {
            #expect(stub.request.method == .any)
            #expect(stub.priority == 3)
            #expect(stub.name == "people")
            #expect(stub.response.fixedDelayMilliseconds == 20)
            #expect(stub.response.headers == [ResponseHeader("X-Source", ["mock"])])
            let resource = try #require(stub.resource)
            #expect(resource.name == "users")
            #expect(resource.path == "/api/users")
            #expect(resource.key == "uid")
            #expect(resource.data == .file("users.json"))
            #expect(resource.cascade == true)
            #expect(resource.write == true)
            #expect(resource.schema == .inline(["type": "object"]))
            #expect(try StubMapping(json: stub.json()) == stub)
        }
    }

    @Test func whatEachRequestLeavesInTheStateIsCaptured() throws {
        let (stubs, diagnostics) = stubs("CRUD /users: { data: [], capture: { last: '{{request.path}}' } }")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        try #require(stubs.count == 3)
        for stub in stubs {
            #expect(stub.serveEventListeners?[0]?["parameters"]?["state"] == ["last": "{{request.path}}"])
        }
    }

    @Test(
        arguments: [
            ("CRUD /users:", "users", "/users", nil), ("CRUD /users/: {}", "users", "/users", nil),
            ("CRUD /users: u.json", "users", "/users", .file("u.json")),
            ("CRUD /users/{userId}/posts: { data: [] }", "posts", "/users/{userId}/posts", .inline([])),
            (
                "CRUD /users: { collection: people, data: { a: {} } }", "people", "/users",
                .inline(["a": [:]])
            ),
            ("CRUD /: { collection: all }", "all", "/", nil),
        ] as [(String, String, String, ResourceDefinition.Source?)])
    func theCollectionIsNamedAfterItsPath(
        route: String, name: String, path: String, data: ResourceDefinition.Source?
    ) throws {
        let (stubs, diagnostics) = stubs(route)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let resource = try #require(stubs.first?.resource)
        #expect(resource.name == name)
        #expect(resource.path == path)
        #expect(resource.data == data)
    }

    /// Its records are read once, however many stubs serve them.
    @Test func theStubsOfARouteShareTheDocument() throws {
        let documents = stubs("CRUD /users: { data: [{ id: 1 }], schema: {} }").0.compactMap { $0.resource?.data }
        guard documents.count == 3, case .document(let first) = documents[0], case .document(let second) = documents[1]
        else {
            Issue.record("\(documents)")
            return
        }
        #expect(first === second)
        var made = 0
        for document in [first, second] {
            let count = document.shared { (_: Int) in
                true
            } _: { json in
                made += 1
                return json.arrayValue?.count ?? 0
            }
            #expect(count == 1)
        }
        #expect(made == 1)
    }

    @Test func headersWithExpressionsAreTemplates() {
        let stubs = stubs(
            "CRUD /a: { headers: { X: '{{now}}' } }\nCRUD /b: { headers: { X: '{{now}}' }, template: false }"
        ).0
        #expect(
            stubs.map(\.response.transformers)
                == [[], [], [], ["response-template"], ["response-template"], ["response-template"]])
    }

    @Test func theVariableOfTheKeyHasANameOfItsOwn() {
        #expect(
            stubs("CRUD /a/{id}/b: {}").0.map(\.request.url) == [
                .urlPathTemplate("/a/{id}/b/"), .urlPathTemplate("/a/{id}/b/{id_}"), .urlPathTemplate("/a/{id}/b"),
            ])
        #expect(stubs("CRUD /: { collection: x }").0.map(\.request.url) == [.urlPathTemplate("/{id}"), .urlPath("/")])
    }

    @Test(
        arguments: [
            ("CRUD /users: { dta: u.json }", "unknown key \"dta\"", "data", 1, 16),
            ("CRUD /users: { file: u.json }", "unknown key \"file\"", "data", 1, 16),
            ("CRUD /users: { status: 200 }", "unknown key \"status\"", nil, 1, 16),
            ("CRUD /users: { sequence: [] }", "unknown key \"sequence\"", nil, 1, 16),
            ("CRUD /users: { data: 3 }", "wrong type", nil, 1, 22),
            ("CRUD /users: { data: ../u.json }", "not a file name", nil, 1, 22),
            ("CRUD /users: { key: [] }", "not the name of a field", nil, 1, 21),
            ("CRUD /users: { conditional: true }", "unknown key \"conditional\"", nil, 1, 16),
            ("CRUD /users: { data: u.json, write: maybe }", "not a boolean", nil, 1, 37),
            ("CRUD /users: { write: true }", "no file to write to", nil, 1, 23),
            ("CRUD /users: { data: u.yml, write: true }", "YAML is not written", nil, 1, 36),
            ("CRUD /users: { data: u.json, persistent: true }", "unknown key \"persistent\"", "write", 1, 30),
            ("CRUD /users: []", "wrong type", nil, 1, 14), ("CRUD /users?a=b: {}", "queries of their own", nil, 1, 1),
            ("CRUD ~/users: {}", "one path", nil, 1, 1), ("CRUD /a/**: {}", "one path", nil, 1, 1),
            ("CRUD|GET /users: {}", "all methods", nil, 1, 1), ("CRUD /{x}: {}", "no name", nil, 1, 12),
            ("crud /users: {}", "upper case", "CRUD /users", 1, 1),
        ] as [(String, String, String?, Int, Int)])
    func mistakesAreToldWithTheirPlace(
        route: String, message: String, suggestion: String?, line: Int, column: Int
    ) throws {
        let (_, diagnostics) = stubs(route)
        let first = try #require(diagnostics.first, "\(route)")
        #expect(first.severity == .error)
        #expect(first.message.contains(message), "\(first)")
        if let suggestion { #expect(first.suggestion == suggestion, "\(first)") }
        #expect(first.line == line)
        #expect(first.column == column, "\(first)")
    }
}
