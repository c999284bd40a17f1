import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

/// Where the records of a `CRUD` route live: in a session, from its declaration to its reset.
struct ResourceStateTests {
    private static func session(_ mock: TestMock, _ body: String = "{}") throws -> String {
        let made = try mock.admin("POST", "/sessions", body, status: 201)
        return try #require(made["id"]?.stringValue)
    }

    @Test func sessionsShareTheDeclarationAndNothingElse() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        #expect(try mock.call("DELETE", "/users/1").status == 200)
        let (first, second) = (try Self.session(mock), try Self.session(mock))
        // What the parent has changed is not inherited.
        #expect(try mock.keys("/__session/\(first)/users") == "1 2 3")
        #expect(try mock.call("POST", "/__session/\(first)/users", "{}").text == #"{"id":4}"#)
        #expect(try mock.call("DELETE", "/__session/\(second)/users/3").status == 200)
        #expect(try mock.keys("/__session/\(first)/users") == "1 2 3 4")
        #expect(try mock.keys("/__session/\(second)/users") == "1 2")
        #expect(try mock.keys("/users") == "2 3")
        // A path with a session's prefix leads to pages with that prefix.
        let page = try mock.call("GET", "/__session/\(first)/users?_page=1&_limit=3")
        #expect(page.header("Link")?.contains("/__session/\(first)/users?_page=2") == true)
    }

    @Test func aResetBeginsAnew() throws {
        let mock = try TestMock(files: ["users.json": #"[{"id": 1}]"#])
        // Stubs of files survive a reset.
        let stub =
            #"{"request": {"urlPath": "/users"}, "resource": {"name": "users", "path": "/users", "data": "users.json"}}"#
        _ = mock.session.update([(name: "a.json", stubs: [try .init(json: .init(parsing: stub))])])
        #expect(try mock.call("POST", "/users", "{}").status == 201)
        #expect(try mock.keys("/users") == "1 2")
        _ = try mock.admin("POST", "/reset")
        #expect(try mock.keys("/users") == "1")
        #expect(try mock.call("POST", "/users", "{}").text == #"{"id":2}"#)
    }

    /// A stub that is declared again with the same data goes on with what it has; one with other data begins with
    /// these.
    @Test func aNewDeclarationReplacesTheRecords() throws {
        let mock = try TestMock()
        func declare(_ data: String, priority: Int = 5) throws {
            let stub =
                #"{"priority": \#(priority), "request": {"urlPath": "/users"}, "resource": {"name": "users", "path": "/users", "data": \#(data)}}"#
            _ = mock.session.update([(name: "a.json", stubs: [try .init(json: .init(parsing: stub))])])
        }
        try declare(#"[{"id": 1}]"#)
        #expect(try mock.call("POST", "/users", "{}").status == 201)
        let child = try Self.session(mock)
        let busy = try Self.session(mock)
        #expect(try mock.keys("/__session/\(child)/users") == "1")
        #expect(try mock.call("POST", "/__session/\(busy)/users", "{}").status == 201)
        // A request that changed nothing is no change.
        let refused = try Self.session(mock)
        #expect(try mock.call("POST", "/__session/\(refused)/users", #"{"id": 1}"#).status == 409)
        try declare(#"[{"id": 1}]"#, priority: 4)
        #expect(try mock.keys("/users") == "1 2")
        try declare(#"[{"id": 7}]"#)
        #expect(try mock.keys("/users") == "7")
        #expect(try mock.keys("/__session/\(child)/users") == "7")
        #expect(try mock.keys("/__session/\(refused)/users") == "7")
        // A child keeps what it changed itself.
        #expect(try mock.keys("/__session/\(busy)/users") == "1 2")
    }

    @Test func theAdminAPIReadsAndWritesCollections() throws {
        let mock = try TestMock(routes: ResourceRoutes.nested)
        let list = try mock.admin("GET", "/data")
        #expect(
            list["collections"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == ["comments", "posts", "users"])
        #expect(
            list["collections"]?[1] == [
                "name": "posts", "paths": ["/posts", "/users/{userId}/posts"], "key": "id", "count": 3,
                "changed": false,
            ])
        #expect(try mock.admin("GET", "/data/users")[1] == ["id": "x", "name": "Bob"])
        #expect(try mock.admin("GET", "/data/users/x") == ["id": "x", "name": "Bob"])
        #expect(try mock.admin("POST", "/data/users", #"{"name": "Cem"}"#, status: 201) == ["name": "Cem", "id": 2])
        #expect(try mock.admin("PUT", "/data/users/9", #"{"name": "Dee"}"#, status: 201) == ["id": 9, "name": "Dee"])
        #expect(try mock.admin("PUT", "/data/users/9", #"{"id": 9}"#) == ["id": 9])
        _ = try mock.admin("DELETE", "/data/users/1")
        #expect(try mock.keys("/users") == #""x" 2 9"#)
        #expect(try mock.admin("PUT", "/data/users", #"[{"id": 4}]"#) == ["name": "users", "count": 1])
        #expect(try mock.keys("/users") == "4")
        #expect(try mock.admin("GET", "/data")["collections"]?[2]?["changed"] == true)
        _ = try mock.admin("POST", "/data/users/reset")
        #expect(try mock.keys("/users") == #"1 "x""#)
    }

    @Test(arguments: [
        ("GET", "/data/usres", "", 404, "did you mean \\\"users\\\"?"),
        ("GET", "/data/users/7", "", 404, "no record 7 in users"),
        ("DELETE", "/data/users/7", "", 404, "no record 7"), ("POST", "/data/users", #"{"id": 1}"#, 409, "already"),
        ("POST", "/data/users", "[]", 422, "a record is an object"),
        ("POST", "/data/users", #"{"id": {}}"#, 422, "/id"),
        ("PUT", "/data/users", #"[{"id": 1}, {"id": 1}]"#, 422, "/1/id"),
        ("PUT", "/data/users", "3", 422, "no collection"),
        ("PUT", "/data/users/1", #"{"id": 2}"#, 422, "/id"), ("PUT", "/data/users", "[", 422, "JSON"),
        ("POST", "/data/none/reset", "", 404, "none"),
    ])
    func aBadCallChangesNothing(method: String, path: String, body: String, status: Int, words: String) throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let answer = try Exchange(mock.port, method, "/__admin" + path, body: body)
        #expect(answer.status == status, "\(answer)")
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect(try mock.keys("/users") == "1 2 3")
    }

    /// What requests add counts for the daemon's memory until it goes; what was declared does not.
    @Test func recordsCountAsMemory() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let account = mock.session.memory.account(.data)
        #expect(try mock.keys("/users") == "1 2 3")
        #expect(account.bytes == 0)
        let text = String(repeating: "x", count: 10_000)
        #expect(try mock.call("POST", "/users", #"{"text": "\#(text)"}"#).status == 201)
        let held = account.bytes
        #expect(held > 10_000)
        #expect(try mock.call("PATCH", "/users/4", #"{"text": ""}"#).status == 200)
        #expect(account.bytes < held)
        #expect(try mock.call("DELETE", "/users/4").status == 200)
        #expect(account.bytes == 0)
        let child = try Self.session(mock)
        #expect(try mock.call("POST", "/__session/\(child)/users", #"{"text": "\#(text)"}"#).status == 201)
        #expect(account.bytes > 10_000)
        _ = try mock.admin("DELETE", "/sessions/\(child)")
        #expect(eventually(within: 10_000) { account.bytes == 0 ? true : nil } == true)
    }

    @Test(arguments: [
        ("{{data 'users' 1 'name'}}", "Ada"), ("{{data 'users' '2' 'name'}}", "Bob"),
        ("{{data 'users' 1 'address.city'}}", "London"),
        ("{{data 'users' 2}}", "{\n  \"id\" : 2,\n  \"name\" : \"Bob\"\n}"), ("{{data 'users' 9 'name'}}", ""),
        ("{{data 'users' 9 default='none'}}", "none"), ("{{data 'users' 1 'hat' default='none'}}", "none"),
        ("{{#each (data 'users') as |user|}}{{user.id}}{{user.name}} {{/each}}", "1Ada 2Bob 3Cem "),
        ("{{size (data 'users')}}", "3"),
        ("{{data 'usres'}}", "[ERROR: no stub serves a collection usres; did you mean 'users'?]"),
    ])
    func templatesReadTheRecords(template: String, expected: String) throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let body = JSONValue.string(template).compactText
        try mock.add(
            #"{"request": {"urlPath": "/t"}, "response": {"body": \#(body), "transformers": ["response-template"]}}"#)
        #expect(try mock.call("GET", "/t").text == expected)
        #expect(try mock.call("PATCH", "/users/1", #"{"name": "Eve"}"#).status == 200)
        #expect(try mock.call("GET", "/t").text == expected.replacing("Ada", with: "Eve"))
    }

    /// Many records take longer than a loop may be held: the list is made on another thread, and is the same.
    @Test func aLongListLeavesTheLoop() throws {
        let mock = try TestMock(routes: #"{"CRUD /items": {"data": []}}"#)
        let all = (0..<20_000).map { #"{"id":\#($0),"name":"item \#($0 % 100)","price":\#($0 % 977)}"# }
        _ = try mock.admin("PUT", "/data/items", "[" + all.joined(separator: ",") + "]")
        let answer = try mock.call("GET", "/items?name_like=9%24&_sort=-price,name&_page=2&_limit=3")
        #expect(answer.status == 200, "\(answer.text.prefix(300))")
        #expect(answer.header("X-Total-Count") == "2000")
        #expect(try mock.call("GET", "/items").text == "[" + all.joined(separator: ",") + "]")
    }
}
