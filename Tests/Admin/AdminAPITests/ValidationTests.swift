import SDJSON
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization
import Testing

/// `POST /__admin/mappings/validate`: what is said of stubs before they are added.
@Suite struct ValidationTests {
    private let mock: TestMock

    init() throws {
        mock = try TestMock(store: PlannedStore())
    }

    private func check(_ body: String, yaml: Bool = false, path: String = "/mappings/validate") throws -> JSONValue {
        let headers = yaml ? [("Content-Type", "application/yaml")] : []
        let answer = try Exchange(mock.port, "POST", "/__admin" + path, headers: headers, body: body)
        try #require(answer.status == 200)
        return answer.json ?? .null
    }

    @Test func aGoodStubIsValidAndNotAdded() throws {
        let check = try check(#"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "x"}}"#)
        #expect(check["valid"] == true && check["problems"] == [] && check["hides"] == [] && check["hiddenBy"] == [])
        #expect(check["stubs"]?[0]?["request"]?["urlPath"] == "/a")
        #expect(check["paste"]?.stringValue?.hasPrefix("GET /a:") == true)
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 0)
    }

    @Test func aProblemHasItsPlace() throws {
        let check = try check("{\n  \"request\": {\"url\": \"/a\"},\n  \"response\": {\"boddy\": \"x\"}\n}")
        #expect(check["valid"] == false)
        let problem = check["problems"]?[0]
        #expect(problem?["severity"] == "error" && problem?["line"] == 3 && problem?["column"] == 16, "\(check)")
        #expect(problem?["pointer"] == "/response/boddy" && problem?["suggestion"] == "body")
    }

    @Test(arguments: [
        ("{\n  \"request\": {,}\n}", false, 2), ("GET /a: {\n  b\n", true, 1), ("GET /a:\n  boddy: x\n", true, 2),
    ])
    func syntaxAndYAMLHavePlacesToo(body: String, yaml: Bool, line: Int) throws {
        let check = try check(body, yaml: yaml)
        #expect(check["valid"] == false && check["problems"]?[0]?["line"]?.intValue == line, "\(check)")
    }

    @Test func whatCannotBeServedIsAnError() throws {
        let check = try check(#"{"request": {"urlPattern": "[a-"}}"#)
        #expect(check["valid"] == false && check["problems"]?[0]?["severity"] == "error", "\(check)")
        #expect(
            try Exchange(mock.port, "POST", "/__admin/mappings", body: #"{"request": {"urlPattern": "[a-"}}"#).status
                == 422)
    }

    @Test func itTellsWhichRequestsItWouldAnswer() throws {
        try mock.add(#"{"request": {"url": "/taken"}}"#)
        for path in ["/a/1", "/b", "/a/2", "/taken"] { _ = try Exchange(mock.port, "GET", path) }
        let check = try check("GET /a/{id}: { body: x }\n", yaml: true)
        #expect(check["answers"]?.arrayValue?.map { $0["url"] } == ["/a/2", "/a/1"], "\(check)")
        let id = try #require(check["answers"]?[0]?["id"]?.stringValue)
        #expect(try mock.admin("GET", "/requests/\(id)")["request"]?["url"] == "/a/2")
    }

    @Test func itTellsWhatHidesWhat() throws {
        try mock.add(#"{"name": "old", "request": {"method": "GET", "urlPath": "/a"}}"#)
        let hides = try check(#"{"request": {"method": "GET", "urlPath": "/a"}}"#)
        #expect(hides["hides"]?[0]?["name"] == "old" && hides["hiddenBy"] == [], "\(hides)")
        let hidden = try check(#"{"request": {"method": "GET", "urlPath": "/a"}, "priority": 9}"#)
        #expect(hidden["hiddenBy"]?[0]?["name"] == "old" && hidden["hides"] == [], "\(hidden)")
        #expect(hidden["valid"] == true && hidden["problems"]?[0]?["severity"] == "warning")
        #expect(try mock.admin("GET", "/requests/counters")["stubs"]?[0]?["hiddenBy"] == nil)
    }

    @Test func anEditTakesThePlaceOfItsStub() throws {
        let stub = try mock.admin("POST", "/mappings", #"{"request": {"url": "/a"}}"#, status: 201)
        let id = try #require(stub["id"]?.stringValue)
        let again = try check(stub.compactText)
        #expect(again["valid"] == false && again["problems"]?[0]?["pointer"] == "/id", "\(again)")
        let edit = try check(stub.compactText, path: "/mappings/validate?id=\(id)")
        #expect(edit["valid"] == true && edit["hides"] == [] && edit["stubs"]?[0]?["id"]?.stringValue == id, "\(edit)")
        let unknown = "/__admin/mappings/validate?id=22222222-2222-4222-8222-222222222222"
        #expect(try Exchange(mock.port, "POST", unknown, body: "{}").status == 404)
    }

    @Test func theFileIsThatOfASave() throws {
        let body = #"{"name": "a", "request": {"url": "/a"}}"#
        let file = try check(body)["file"]
        #expect(file == ["path": "a.json", "line": 1, "before": .null, "after": "persistent true"])
        mock.control.obstacle.withLock { $0 = "the daemon may not write to mocks" }
        let check = try check(body)
        #expect(check["file"] == .null && check["notSaved"] == "the daemon may not write to mocks")
    }

    @Test func severalStubsAreChecked() throws {
        let check = try check("GET /a: { body: x }\nGET /b:\n  boddy: x\n", yaml: true)
        #expect(check["valid"] == false && check["stubs"]?.arrayValue?.count == 1)
        let both = try self.check("GET /a: { body: x }\nGET /b: { body: y }\n", yaml: true)
        #expect(both["valid"] == true && both["stubs"]?.arrayValue?.count == 2 && both["file"] == .null, "\(both)")
    }

    @Test func severalAreSavedAtOnce() throws {
        let check = try check("GET /a: { body: x }\nGET /b: { body: y }\n", yaml: true)
        #expect(check["files"]?.arrayValue?.count == 2 && check["notSaved"] == nil, "\(check)")
        #expect(try self.check(#"{"name": "a", "request": {"url": "/a"}}"#)["files"]?[0]?["path"] == "a.json")
    }

    @Test(arguments: [
        (#"{"request": {"url": "/a"}}"#, false), ("GET /a: { body: x }\n", true),
        ("GET /a: { body: x }\nGET /b: { body: y }\n", true),
    ])
    func theSameIDsAreGivenAgain(body: String, yaml: Bool) throws {
        let first = try check(body, yaml: yaml)
        let id = try #require(first["newId"]?.stringValue)
        let again = try check(body, yaml: yaml, path: "/mappings/validate?newId=\(id)")
        let ids = first["stubs"]?.arrayValue?.map { $0["id"] }
        #expect(ids == again["stubs"]?.arrayValue?.map { $0["id"] } && again["newId"]?.stringValue == id)
        if !yaml { #expect(ids == [.string(id)]) }
        #expect(try check(body, yaml: yaml)["newId"]?.stringValue != id)
        #expect(try Exchange(mock.port, "POST", "/__admin/mappings/validate?newId=x", body: body).status == 400)
    }

    @Test func aMappingThatSaysItsIDKeepsIt() throws {
        let id = "11111111-1111-4111-8111-111111111111"
        let check = try check(
            #"{"id": "\#(id)", "request": {"url": "/a"}}"#,
            path: "/mappings/validate?newId=22222222-2222-4222-8222-222222222222")
        #expect(check["stubs"]?[0]?["id"]?.stringValue == id)
    }

    /// Messages are ours, one line each.
    @Test(arguments: [
        #"{"request": {"url": "/a"}, "response": {"boddy": "x"}}"#, #"{"reqest": {}}"#,
        #"{"request": {"url": "/a"}, "response": {"status": "many"}}"#,
        #"{"request": {"headers": {"A": {"equals": 1}}}}"#,
        #"{"request": {"bodyPatterns": {}}}"#, "[1]", "{", "1",
    ])
    func messagesAreOfOneLine(body: String) throws {
        let check = try check(body)
        #expect(check["valid"] == false)
        for problem in check["problems"]?.arrayValue ?? [] {
            let message = problem["message"]?.stringValue ?? ""
            #expect(!message.isEmpty && !message.contains("\\n") && !message.contains("\n"), "\(message)")
            #expect(!message.contains("not marked as ignorable") && !message.contains("(class "), "\(message)")
        }
    }

    @Test func whatTakesTooLongIsNotLookedAt() throws {
        var options = SessionOptions()
        options.matchBudget = 0
        let mock = try TestMock(session: options, store: PlannedStore())
        let routes = (0..<200).map { "GET /\($0): { body: x }\n" }.joined()
        let headers = [("Content-Type", "application/yaml")]
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings/validate", headers: headers, body: routes)
        #expect(answer.status == 200)
        let text = answer.json?["incomplete"]?.stringValue ?? ""
        #expect(text.contains("of 200") && text.contains("--match-budget"), "\(text)")
        #expect(try check(#"{"request": {"url": "/a"}}"#)["incomplete"] == nil)
    }

    @Test func whatIsTooLongIsRefused() throws {
        let body = #"{"name": ""# + String(repeating: "a", count: 9 << 20) + #""}"#
        let answer = try PersistentConnection(port: mock.port).request("POST", "/__admin/mappings/validate", body: body)
        #expect(answer.status == 413 && answer.json?["errors"]?[0]?["title"]?.stringValue?.contains("8 MiB") == true)
    }

    @Test func aStubIsSwitchedOffAndOnAlone() throws {
        let stub = try mock.admin(
            "POST", "/mappings", #"{"request": {"url": "/a"}, "metadata": {"a": 1}}"#, status: 201)
        let id = try #require(stub["id"]?.stringValue)
        let off = try mock.admin("PATCH", "/mappings/\(id)", #"{"enabled": false}"#)
        #expect(off["enabled"] == false && off["metadata"] == ["a": 1])
        #expect(try Exchange(mock.port, "GET", "/a").status == 404)
        #expect(try mock.admin("GET", "/requests/counters")["stubs"]?[0]?["enabled"] == false)
        let on = try mock.admin("PATCH", "/mappings/\(id)", #"{"enabled": true}"#)
        #expect(on == stub)
        #expect(try Exchange(mock.port, "GET", "/a").status == 200)
        let wrong = try mock.admin("PATCH", "/mappings/\(id)", #"{"enable": true}"#, status: 422)
        #expect(wrong["errors"]?[0]?["detail"]?.stringValue?.contains("enabled") == true)
        _ = try mock.admin("PATCH", "/mappings/\(id)", "{}", status: 422)
    }

    @Test func countersTellTheStandingOfStubs() throws {
        try mock.add(#"{"name": "hidden", "request": {"method": "GET", "urlPath": "/a"}}"#)
        try mock.add(#"{"name": "once", "times": 1, "request": {"url": "/b"}}"#)
        try mock.add(#"{"name": "first", "request": {"method": "GET", "urlPath": "/a"}}"#)
        func stubs() throws -> [JSONValue] {
            try mock.admin("GET", "/requests/counters")["stubs"]?.arrayValue ?? []
        }
        var found = try stubs()
        #expect(found.map { $0["name"] } == ["first", "once", "hidden"])
        #expect(found.map { $0["hiddenBy"]?["name"] } == [nil, nil, "first"])
        #expect(found.map { $0["timesLeft"] } == [nil, 1, nil])
        #expect(found.allSatisfy { $0["edited"] == false && $0["persistent"] == false && $0["enabled"] == true })
        _ = try Exchange(mock.port, "GET", "/b")
        #expect(try stubs()[1]["timesLeft"] == 0)
        let id = try #require(found[0]["id"]?.stringValue)
        _ = try mock.admin("DELETE", "/mappings/\(id)")
        found = try stubs()
        #expect(found.map { $0["hiddenBy"] } == [nil, nil])
    }
}

/// A store that only tells what it would do.
private struct PlannedStore: StubStore {
    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        throw StubStoreError(message: "nothing is written")
    }

    func remove(_ file: String) throws(StubStoreError) {}
    func flush(_ files: [String]) throws(StubStoreError) {}

    func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        PlannedWrite(
            file: (stub.name ?? "none") + ".json", before: nil, after: "persistent \(stub.persistent ?? false)")
    }
}
