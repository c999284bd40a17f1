import SDHTTPMessages
import SDJSON
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `CRUD` routes as clients see them: the status, the headers and the body of each answer.
struct ResourceTests {
    @Test func aListIsServedWithItsTotal() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let list = try mock.call("GET", "/users")
        #expect(list.status == 200)
        #expect(list.header("Content-Type") == "application/json")
        #expect(list.header("X-Total-Count") == "3")
        #expect(list.json?.arrayValue?.count == 3)
        #expect(list.json?[0]?["address"]?["city"] == "London")
        let head = try mock.call("HEAD", "/users")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.header("X-Total-Count") == "3")
    }

    @Test(arguments: [
        ("/users?name=Bob", "2", "1"), ("/users?name_like=%5E.o", "2", "1"), ("/users?address.city=London", "1", "1"),
        ("/users?_sort=-name", "3 2 1", "3"), ("/users?_page=2&_limit=2", "3", "3"),
        ("/users?_start=1&_end=2", "2", "3"),
        ("/users?id=1&id=3", "1 3", "2"), ("/users?q=b", "2", "1"), ("/users?nothing=1", "1 2 3", "3"),
    ])
    func aListIsFilteredSortedAndCut(path: String, keys: String, total: String) throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        #expect(try mock.keys(path) == keys)
        #expect(try mock.call("GET", path).header("X-Total-Count") == total)
    }

    @Test func pagesHaveLinks() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let page = try mock.call("GET", "/users?name_ne=%C3%84&_page=2&_limit=1", headers: [("Host", "api.test:8080")])
        let base = "<http://api.test:8080/users?name_ne=%C3%84&_page="
        #expect(
            page.header("Link")
                == [
                    "\(base)1&_limit=1>; rel=\"first\"", "\(base)1&_limit=1>; rel=\"prev\"",
                    "\(base)3&_limit=1>; rel=\"next\"",
                    "\(base)3&_limit=1>; rel=\"last\"",
                ].joined(separator: ", "))
        #expect(page.header("Access-Control-Expose-Headers") == "X-Total-Count, Link")
        #expect(try mock.call("GET", "/users?_page=1").header("Link") == nil)
        let wrapped = try mock.call("GET", "/users?_page=1&_per_page=2")
        #expect(
            wrapped.text
                == #"{"first":1,"prev":null,"next":2,"last":2,"pages":2,"items":3,"data":["#
                + #"{"id":1,"name":"Ada","address":{"city":"London","zip":"N1"}},{"id":2,"name":"Bob"}]}"#)
    }

    @Test func aRecordIsMadeReadChangedAndRemoved() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let made = try mock.call("POST", "/users", #"{"name": "Dee"}"#, headers: [("Host", "h:81")])
        #expect(made.status == 201)
        #expect(made.text == #"{"name":"Dee","id":4}"#)
        #expect(made.header("Location") == "http://h:81/users/4")
        let read = try mock.call("GET", "/users/4")
        #expect(read.status == 200)
        #expect(read.text == #"{"name":"Dee","id":4}"#)
        let put = try mock.call("PUT", "/users/4", #"{"id": 4, "name": "Eve"}"#)
        #expect(put.status == 200)
        #expect(put.text == #"{"id":4,"name":"Eve"}"#)
        #expect(try mock.call("PUT", "/users/4", #"{"name": "Fay"}"#).text == #"{"name":"Fay","id":4}"#)
        let patch = try mock.call("PATCH", "/users/1", #"{"address": {"zip": null, "country": "UK"}, "age": 36}"#)
        #expect(patch.status == 200)
        #expect(patch.text == #"{"id":1,"name":"Ada","address":{"city":"London","country":"UK"},"age":36}"#)
        let json = try mock.call(
            "PATCH", "/users/1",
            #"[{"op": "move", "from": "/address/city", "path": "/city"}, {"op": "remove", "path": "/address"}]"#,
            headers: [("Content-Type", "application/json-patch+json; charset=utf-8")])
        #expect(json.text == #"{"id":1,"name":"Ada","age":36,"city":"London"}"#)
        let removed = try mock.call("DELETE", "/users/4")
        #expect(removed.status == 200)
        #expect(removed.text == "{}")
        #expect(try mock.call("GET", "/users/4").status == 404)
        #expect(try mock.keys("/users") == "1 2 3")
        // A key is not given again.
        #expect(try mock.call("POST", "/users", "{}").text == #"{"id":5}"#)
    }

    @Test func generatedTextsAreUUIDsOfTheSessionsSeed() throws {
        let routes = #"{"CRUD /carts": {"key": "uid", "data": [{"uid": "a"}]}}"#
        func keys() throws -> [String] {
            let mock = try TestMock(routes: routes)
            return try (0..<3).map { _ in
                try #require(mock.call("POST", "/carts", "{}").json?["uid"]?.stringValue)
            }
        }
        let first = try keys()
        #expect(Set(first).count == 3)
        #expect(first.allSatisfy { $0.count == 36 && $0.dropFirst(14).first == "4" })
        #expect(try keys() == first)
    }

    @Test(arguments: [
        ("GET", "/users/9", "", "", 404, "there is no record 9 in users"),
        ("PUT", "/users/9", "{}", "", 404, "there is no record 9"),
        ("PATCH", "/users/9", "{}", "", 404, "there is no record 9"),
        ("DELETE", "/users/9", "", "", 404, "there is no record 9"),
        ("POST", "/users", #"{"id": 2}"#, "", 409, "users has a record with the id 2 already"),
        ("POST", "/users", #"{"id": "2"}"#, "", 409, "already"),
        ("PUT", "/users/2", #"{"id": 7}"#, "", 409, "the id of a record cannot change"),
        ("PATCH", "/users/2", #"{"id": 7}"#, "", 409, "the id of a record cannot change"),
        (
            "PATCH", "/users/2", #"[{"op": "test", "path": "/name", "value": "X"}]"#, "application/json-patch+json",
            409, "does not fit"
        ),
        ("PATCH", "/users/2", #"[{"op": "spin"}]"#, "application/json-patch+json", 400, "no JSON Patch"),
        ("POST", "/users", "{\n  \"name\" 1}", "", 400, "line 2, column 10"),
        ("POST", "/users", "", "application/json", 400, "line 1, column 1"),
        ("PATCH", "/users/2", "{\"a\": }", "", 400, "line 1, column 7"),
        ("GET", "/users?title_like=(", "", "", 400, "title_like"),
        ("GET", "/users?_embed=posts", "", "", 400, "_embed"),
        ("GET", "/users?a=%zz", "", "", 400, "escape"),
        ("POST", "/users", "name=x", "application/x-www-form-urlencoded", 415, "application/json"),
        ("PUT", "/users/2", "{}", "text/plain", 415, "text/plain"),
        ("PATCH", "/users/2", "{}", "application/xml", 415, "merge-patch"),
        ("POST", "/users", "{}", "application/json-patch+json", 415, "application/json"),
        ("POST", "/users", "[1]", "", 422, "not a valid record"),
        ("PATCH", "/users/2", "[]", "", 422, "not a valid record"),
        ("POST", "/users", #"{"id": null}"#, "", 422, "not a valid record"),
        (
            "PATCH", "/users/2", #"[{"op": "replace", "path": "", "value": 1}]"#, "application/json-patch+json", 422,
            "not a valid"
        ),
        ("PUT", "/users", "{}", "", 405, "GET, HEAD, POST, OPTIONS"),
        ("POST", "/users/2", "{}", "", 405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("TRACE", "/users", "", "", 405, "GET, HEAD, POST"), ("FOO", "/users/1", "", "", 405, "PATCH"),
    ])
    func aRefusalSaysWhy(
        method: String, path: String, body: String, type: String, status: Int, words: String
    ) throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let before = try mock.call("GET", "/users").text
        let answer = try mock.call(method, path, body, headers: type.isEmpty ? [] : [("Content-Type", type)])
        #expect(answer.status == status, "\(answer)")
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.json?["status"] == .number(JSONNumber(status)))
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect((answer.header("Allow") != nil) == (status == 405))
        #expect(try mock.call("GET", "/users").text == before)
    }

    @Test func aBodyWithoutATypeIsJSON() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        #expect(try Exchange(mock.port, "POST", "/users", body: #"{"name": "Dee"}"#).status == 201)
        #expect(
            try mock.call("POST", "/users", "{}", headers: [("Content-Type", "application/hal+json")]).status == 201)
    }

    @Test func optionsSayWhatIsAllowed() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let whole = try mock.call("OPTIONS", "/users")
        #expect(whole.status == 204)
        #expect(whole.header("Allow") == "GET, HEAD, POST, OPTIONS")
        let record = try mock.call("OPTIONS", "/users/1")
        #expect(record.header("Allow") == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        #expect(record.header("Accept-Patch")?.hasPrefix("application/merge-patch+json") == true)
    }

    @Test func aSchemaRefusesWithPointersAndReasons() throws {
        let mock = try TestMock(routes: ResourceRoutes.strict)
        let refused = try mock.call("POST", "/users", #"{"name": "A", "age": -1, "hat": true}"#)
        #expect(refused.status == 422)
        let errors = refused.json?["errors"]?.arrayValue ?? []
        #expect(Set(errors.compactMap { $0["pointer"]?.stringValue }) == ["/name", "/age", "/hat"], "\(refused.text)")
        #expect(errors.allSatisfy { $0["reason"]?.stringValue?.isEmpty == false })
        // A generated key is a part of the record that is judged, and a refused record takes no key.
        #expect(try mock.call("POST", "/users", #"{"name": "Bo"}"#).text == #"{"name":"Bo","id":2}"#)
        #expect(try mock.call("PUT", "/users/1", "{}").status == 422)
        #expect(try mock.call("PATCH", "/users/1", #"{"name": null}"#).status == 422)
        #expect(try mock.call("PATCH", "/users/1", #"{"age": 3}"#).status == 200)
        #expect(try mock.call("POST", "/users", #"{"id": "7", "name": "Bo"}"#).status == 422)
    }

    @Test func nestedRecordsBelongToTheirParent() throws {
        let mock = try TestMock(routes: ResourceRoutes.nested)
        #expect(try mock.keys("/users/1/posts") == "1 3")
        #expect(try mock.keys("/users/x/posts") == "2")
        #expect(try mock.keys("/users/1/posts?title=c") == "3")
        #expect(try mock.call("GET", "/users/1/posts/2").status == 404)
        #expect(try mock.call("GET", "/users/x/posts/2").status == 200)
        let missing = try mock.call("GET", "/users/9/posts")
        #expect(missing.status == 404)
        #expect(missing.text.contains("there is no record 9 in users"))
        #expect(try mock.call("POST", "/users/9/posts", "{}").status == 404)
        let made = try mock.call("POST", "/users/x/posts", #"{"title": "d"}"#)
        #expect(made.text == #"{"title":"d","userId":"x","id":4}"#)
        #expect(made.header("Location")?.hasSuffix("/users/x/posts/4") == true)
        #expect(try mock.call("POST", "/users/1/posts", #"{"userId": 7}"#).text == #"{"userId":1,"id":5}"#)
        #expect(try mock.keys("/posts") == "1 2 3 4 5")
        #expect(try mock.call("DELETE", "/users/1/posts/4").status == 404)
        #expect(try mock.call("DELETE", "/users/x/posts/4").status == 200)
        // A comment's post must belong to the user of the path.
        #expect(try mock.keys("/users/1/posts/1/comments") == "1")
        #expect(try mock.call("GET", "/users/x/posts/1/comments").status == 404)
        #expect(try mock.call("GET", "/users/1/posts/3/comments").text == "[]")
    }

    @Test func versionsGuardAgainstLostChanges() throws {
        let mock = try TestMock(routes: ResourceRoutes.users)
        let tag = try #require(try mock.call("GET", "/users/1").header("ETag"))
        #expect(try mock.call("GET", "/users/1", headers: [("If-None-Match", tag)]).status == 304)
        #expect(try mock.call("GET", "/users/1", headers: [("If-None-Match", "\"0\"")]).status == 200)
        let changed = try mock.call("PATCH", "/users/1", #"{"age": 1}"#, headers: [("If-Match", tag)])
        #expect(changed.status == 200)
        #expect(changed.header("ETag") != tag)
        #expect(try mock.call("PATCH", "/users/1", #"{"age": 2}"#, headers: [("If-Match", tag)]).status == 412)
        #expect(try mock.call("DELETE", "/users/1", headers: [("If-Match", tag)]).status == 412)
        #expect(try mock.call("DELETE", "/users/1", headers: [("If-Match", "*")]).status == 200)
        let list = try #require(try mock.call("GET", "/users").header("ETag"))
        #expect(try mock.call("GET", "/users", headers: [("If-None-Match", "W/" + list)]).status == 304)
    }

    @Test func aKeyWithOddCharactersIsEscapedInItsPath() throws {
        let mock = try TestMock(routes: #"{"CRUD /tags": {"key": "name"}}"#)
        let made = try mock.call("POST", "/tags", #"{"name": "a/b ä?"}"#)
        #expect(made.header("Location")?.hasSuffix("/tags/a%2Fb%20%C3%A4%3F") == true)
        #expect(try mock.call("GET", "/tags/a%2Fb%20%C3%A4%3F").text == #"{"name":"a/b ä?"}"#)
    }

    /// What a route says beside its data holds for each answer, and the journal knows it as any stub.
    @Test func theStubsOtherFieldsApply() throws {
        let mock = try TestMock(
            routes: #"""
                {
                  "CRUD /users": {"data": [{"id": 1}], "headers": {"X-Mine": "yes", "Content-Type": "application/x"},
                    "when": {"headers": {"X-Key": "k"}}, "priority": 3, "name": "people", "delay": "1ms"},
                  "CRUD /broken": {"data": [], "fault": "EMPTY_RESPONSE"},
                  "CRUD /twice": {"data": [{"id": 1}], "times": 1}
                }
                """#)
        #expect(try mock.call("GET", "/users").status == 404)
        for (method, path, status) in [("GET", "/users", 200), ("GET", "/users/9", 404), ("PUT", "/users", 405)] {
            let answer = try mock.call(method, path, headers: [("X-Key", "k")])
            #expect(answer.status == status)
            #expect(answer.header("X-Mine") == "yes")
            #expect(answer.header("Content-Type") == "application/x")
            #expect(answer.header("Matched-Stub-Name") == "people")
        }
        #expect(try mock.raw("GET /broken HTTP/1.1\r\nHost: x\r\n\r\n").bytes.isEmpty)
        #expect(try mock.call("GET", "/twice").status == 200)
        #expect(try mock.call("GET", "/twice").status == 404)
        let count = try mock.admin("POST", "/requests/count", #"{"method": "GET", "urlPath": "/users"}"#)
        #expect(count["count"] == 2)
        let events = try mock.admin("GET", "/requests?limit=10")
        let statuses = (events["requests"]?.arrayValue ?? []).compactMap {
            $0["response"]?["status"]?.intValue
        }
        #expect(statuses.contains(405))
    }

    @Test func headersAreTemplates() throws {
        let mock = try TestMock(
            routes: #"""
                {"CRUD /users": {"data": [{"id": 1}], "headers": {
                  "X-Trace": "{{request.headers.X-Trace}}", "X-Count": "{{size (data 'users')}}", "X-Key": "{{request.path.id}}"}}}
                """#)
        let read = try mock.call("GET", "/users/1", headers: [("X-Trace", "t1")])
        #expect(read.header("X-Trace") == "t1")
        #expect(read.header("X-Key") == "1")
        let made = try mock.call("POST", "/users", "{}", headers: [("X-Trace", "t2")])
        #expect(made.status == 201)
        #expect(made.header("X-Trace") == "t2")
        // As the records were before.
        #expect(made.header("X-Count") == "1")
        #expect(try mock.call("GET", "/users/9", headers: [("X-Trace", "t3")]).header("X-Trace") == "t3")
    }

    /// A header that cannot be rendered refuses the request before anything is changed.
    @Test func aHeaderThatFailsChangesNothing() throws {
        let header = "{{#if request.query.bad}}{{numberFormat 1 'number' request.query.bad}}{{/if}}"
        let mock = try TestMock(routes: #"{"CRUD /users": {"headers": {"X": "\#(header)"}}}"#)
        let failed = try mock.call("POST", "/users?bad=1", "{}")
        #expect(failed.status == 500, "\(failed)")
        #expect(try mock.call("GET", "/users").text == "[]")
        #expect(try mock.call("POST", "/users", "{}").status == 201)
        try mock.add(
            #"{"request": {"urlPath": "/x"}, "resource": {"name": "x", "path": "/x"}, "response": {"headers": {"A": "{{#if}}"}, "transformers": ["response-template"]}}"#
        )
        let unreadable = try mock.call("GET", "/x")
        #expect(unreadable.status == 500 && unreadable.text.contains("headers.A"), "\(unreadable)")
    }

    @Test func filesMayBeYAML() throws {
        let mock = try TestMock(
            routes: #"{"CRUD /users": {"data": "users.yaml", "schema": "user.yml"}}"#,
            files: ["users.yaml": "- id: 1\n  name: Ada\n", "user.yml": "required: [name]\n"])
        #expect(try mock.call("GET", "/users").text == #"[{"id":1,"name":"Ada"}]"#)
        #expect(try mock.call("POST", "/users", "{}").status == 422)
    }

    /// A mapping that a client reads can be posted again, and its response is WireMock's own.
    @Test func aResourceIsAMapping() throws {
        let mock = try TestMock(routes: ResourceRoutes.strict)
        let listed = try mock.admin("GET", "/mappings")
        let mappings = try #require(listed["mappings"]?.arrayValue)
        #expect(mappings.count == 3)
        let record = try #require(mappings.first { $0["request"]?["urlPathTemplate"] != nil })
        #expect(record["request"] == ["urlPathTemplate": "/users/{id}", "method": "ANY"])
        #expect(record["response"] == ["status": 200])
        let resource = record["metadata"]?["stuntdouble"]?["resource"]
        #expect(resource?["name"] == "users")
        #expect(record["resource"] == nil)
        let other = try TestMock()
        for mapping in mappings.reversed() {
            _ = try other.admin("POST", "/mappings", mapping.compactText, status: 201)
        }
        #expect(try other.call("GET", "/users/1").text == #"{"id":1,"name":"Ada"}"#)
        #expect(try other.call("POST", "/users", "{}").status == 422)
    }

    @Test(arguments: [
        (#"{"path": "/x"}"#, "name"), (#"{"name": "x"}"#, "path"), (#"{"name": "x", "path": "x"}"#, "not a path"),
        (#"{"name": "x", "path": "/x", "dta": []}"#, "did you mean"),
        (#"{"name": "x", "path": "/x", "data": 3}"#, "wrong type"),
        (#"{"name": "x", "path": "/x", "data": "../x"}"#, "file name"), ("[]", "no resource"),
        (#"{"name": "x", "path": "/x", "data": [{"id": 1}, {"n": 1}]}"#, "without its key"),
        (#"{"name": "x", "path": "/x", "schema": {"pattern": "("}}"#, "regular expression"),
    ])
    func aBadResourceIsRefused(resource: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(
            mock.port, "POST", "/__admin/mappings", body: #"{"request": {"urlPath": "/x"}, "resource": \#(resource)}"#)
        #expect(answer.status == 422, "\(answer)")
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect(mock.session.stubCount == 0)
    }

    @Test func filesBringDataAndSchema() throws {
        let mock = try TestMock(
            routes:
                #"{"CRUD /users": {"data": "users.json", "schema": "user.schema.json"}, "CRUD /bad": "bad.json", "CRUD /none": "none.json"}"#,
            files: [
                "users.json": #"{"users": [{"id": 1, "name": "Ada"}]}"#, "user.schema.json": #"{"required": ["name"]}"#,
                "bad.json": "[\n  {\"id\": 1},\n  {]\n]",
            ])
        #expect(try mock.keys("/users") == "1")
        #expect(try mock.call("POST", "/users", "{}").status == 422)
        let bad = try mock.call("GET", "/bad")
        #expect(bad.status == 500)
        #expect(bad.text.contains("bad.json") && bad.text.contains("line 3, column 4"), "\(bad.text)")
        #expect(try mock.call("GET", "/none").text.contains("no file none.json in __files"))
    }
}
