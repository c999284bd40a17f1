import SDAdminAPI
import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `POST /mappings/import/{path}?folder=true`: the files of a folder, loaded into a session as the daemon reads its own.
@Suite struct FolderImportTests {
    private func begin(_ mock: TestMock) throws -> String {
        try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
    }

    private func load(_ mock: TestMock, _ id: String, _ name: String, _ text: String) throws -> Exchange {
        try Exchange(mock.port, "POST", "/__session/\(id)/__admin/mappings/import/\(name)?folder=true", body: text)
    }

    private func allowed(_ mock: TestMock, _ path: String) throws -> String? {
        let answer = try Exchange(mock.port, "GET", path, headers: [("Origin", "https://page")])
        return answer.headers.first { $0.name.lowercased() == "access-control-allow-origin" }?.value
    }

    @Test(arguments: [
        ("a.yaml", ""), ("a.json", " \n"), ("a.yml", "# nothing\n"), ("package.json", #"{"version": "1"}"#),
    ])
    func whatIsNoStubFileHasNoStubs(name: String, text: String) throws {
        let mock = try TestMock()
        let answer = try load(mock, try begin(mock), name, text)
        #expect(answer.status == 200 && answer.json?["mappings"] == [], "\(answer.text)")
    }

    @Test func whatAFileStatesForItsFolderHoldsInItsSessionAlone() throws {
        let mock = try TestMock(routes: #"{"GET /base": {}}"#)
        let (one, other) = (try begin(mock), try begin(mock))
        let files = [
            ("a.yaml", "GET /a: {}\n"), ("inner/b.yaml", "GET /b: {}\n"),
            ("inner/cors.yaml", "cors: { origins: [\"https://page\"] }\n"),
        ]
        for (name, text) in files { #expect(try load(mock, one, name, text).status == 200) }
        _ = try load(mock, other, "inner/b.yaml", "GET /b: {}\n")
        #expect(try allowed(mock, "/__session/\(one)/b") == "https://page")
        for path in ["/__session/\(one)/a", "/__session/\(one)/base", "/__session/\(other)/b", "/base"] {
            #expect(try allowed(mock, path) == nil, "\(path)")
        }
        _ = try load(mock, one, "cors.yaml", "cors: true\n")
        #expect(try allowed(mock, "/__session/\(one)/a") == "*")
        // The outermost folder's is for stubs without a file, too, as where a daemon serves it.
        #expect(try allowed(mock, "/__session/\(one)/base") == "*")
        #expect(try allowed(mock, "/base") == nil)
        #expect(try Exchange(mock.port, "POST", "/__session/\(one)/__admin/reset").status == 200)
        _ = try load(mock, one, "a.yaml", "GET /a: {}\n")
        #expect(try allowed(mock, "/__session/\(one)/a") == nil)
    }

    @Test func setsOfFaultsAreOfTheirSession() throws {
        let mock = try TestMock()
        let (one, other) = (try begin(mock), try begin(mock))
        #expect(try load(mock, one, "faults.yaml", "chaos: { down: [{ status: 503 }] }\n").status == 200)
        for (id, status) in [(one, 200), (other, 404)] {
            #expect(try Exchange(mock.port, "PUT", "/__session/\(id)/__admin/faults/sets/down").status == status)
        }
        #expect(try Exchange(mock.port, "GET", "/__session/\(one)/x").status == 503)
        #expect(try mock.admin("GET", "/faults")["sets"] == [])
        let bad = try load(
            mock, one, "bad.yaml",
            "chaos: { down: [{ route: GET /(, status: 503, when: { body: { matches: \"(\" } } }] }\n")
        #expect(bad.status == 422 && bad.text.contains("bad.yaml:1:"), "\(bad.text)")
    }

    @Test(
        arguments: [
            ("GET /a: { boddy: x }\nGET /b: {}\n", "shop/a.yaml:1:11: error: "),
            ("GET /b: {}\nGET /c: { when: { body: { matches: \"(\" } } }\n", "shop/a.yaml:2:"),
            ("GET /b: {}\nchaos: { down: [{ status: 503, first: x }] }\n", "shop/a.yaml:2:"),
        ], [false, true])
    func aFileWithErrorsHasItsValidStubsWhereTheDaemonKeepsGoing(
        file: (text: String, expected: String), keepsGoing: Bool
    ) throws {
        var options = AdminOptions()
        options.keepsGoing = keepsGoing
        let mock = try TestMock(admin: options)
        let id = try begin(mock)
        let answer = try load(mock, id, "shop/a.yaml", file.text)
        #expect(answer.status == (keepsGoing ? 200 : 422))
        #expect(answer.text.contains(file.expected), "\(answer.text)")
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/b").status == (keepsGoing ? 200 : 404))
        #expect(try Exchange(mock.port, "POST", "/__admin/mappings/import/a.yaml", body: file.text).status == 422)
    }
}
