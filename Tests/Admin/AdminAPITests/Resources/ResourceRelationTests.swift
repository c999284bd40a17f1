import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// Records of other collections within those that are read, and removed with those that are removed.
struct ResourceRelationTests {
    private static func routes(_ users: String = "", _ posts: String = "") -> String {
        #"""
        {
          "CRUD /users": {"data": [{"id": 1, "name": "Ada"}, {"id": "x", "name": "Bob"}]\#(users)},
          "CRUD /posts": {"data": [
            {"id": 1, "userId": 1, "t": "a"}, {"id": 2, "userId": "x", "t": "b"}, {"id": 3, "userId": "1", "t": "c"},
            {"id": 4, "userId": 9, "t": "d"}
          ]\#(posts)},
          "CRUD /comments": {"data": [{"id": 1, "postId": 1}, {"id": 2, "postId": 2}, {"id": 3}]}
        }
        """#
    }

    @Test(arguments: [
        (
            "/users/1?_embed=posts",
            #"{"id":1,"name":"Ada","posts":[{"id":1,"userId":1,"t":"a"},{"id":3,"userId":"1","t":"c"}]}"#
        ),
        ("/users/1?_embed=comments", #"{"id":1,"name":"Ada","comments":[]}"#),
        (
            "/users?_embed=posts&_sort=-name&_limit=1",
            #"[{"id":"x","name":"Bob","posts":[{"id":2,"userId":"x","t":"b"}]}]"#
        ),
        ("/posts/2?_expand=user", #"{"id":2,"userId":"x","t":"b","user":{"id":"x","name":"Bob"}}"#),
        ("/posts/2?_embed=user", #"{"id":2,"userId":"x","t":"b","user":{"id":"x","name":"Bob"}}"#),
        ("/posts/4?_expand=user", #"{"id":4,"userId":9,"t":"d"}"#),
        (
            "/posts/1?_expand=user&_embed=comments",
            #"{"id":1,"userId":1,"t":"a","user":{"id":1,"name":"Ada"},"comments":[{"id":1,"postId":1}]}"#
        ),
        // Neither belongs to the other.
        ("/users/1?_expand=comment", #"{"id":1,"name":"Ada"}"#), ("/comments/3?_expand=post", #"{"id":3}"#),
        ("/users?id=1&_embed=posts,comments&_start=0&_end=1", nil), ("/users/", nil), ("/users/?name=Ada", nil),
    ])
    func relatedRecordsAreWithinThoseRead(path: String, expected: String?) throws {
        let mock = try TestMock(routes: Self.routes())
        let answer = try mock.call("GET", path)
        #expect(answer.status == 200, "\(answer)")
        if let expected { #expect(answer.text == expected) }
    }

    @Test func theTagIsThatOfAllThatIsSent() throws {
        let mock = try TestMock(routes: Self.routes())
        for path in ["/users/1?_embed=posts", "/users?_embed=posts"] {
            let tag = try #require(try mock.call("GET", path).header("ETag"))
            #expect(try mock.call("GET", path, headers: [("If-None-Match", tag)]).status == 304)
            #expect(try mock.call("PATCH", "/posts/1", #"{"t": "\#(path)"}"#).status == 200)
            #expect(try mock.call("GET", path, headers: [("If-None-Match", tag)]).status == 200)
        }
    }

    @Test(arguments: [
        ("GET", "/users?_embed=post1", "_embed names post1, which is no collection; did you mean posts?"),
        ("GET", "/users/1?_embed=cmments", "did you mean comments?"),
        ("GET", "/posts?_expand=usr", "did you mean user?"),
        (
            "GET", "/users?_expand=post",
            "_expand names post, but the records of posts belong to those of users: _embed=posts puts them in"
        ),
        (
            "GET", "/users/1?_expand=posts",
            "_expand names posts, but the records of posts belong to those of users: _embed=posts puts them in"
        ),
        (
            "GET", "/posts/4?_embed=comment",
            "the records of comments belong to those of posts: _embed=comments puts them in"
        ),
        ("DELETE", "/users/1?_dependent=pots", "_dependent names pots, which is no collection; did you mean posts?"),
    ])
    func anUnknownNameIsRefused(method: String, path: String, detail: String) throws {
        let mock = try TestMock(routes: Self.routes())
        let answer = try mock.call(method, path)
        #expect(answer.status == 400)
        #expect(answer.json?["detail"]?.stringValue?.contains(detail) == true, "\(answer)")
        #expect(try mock.keys("/users") == #"1 "x""#)
    }

    @Test(arguments: [
        ("", "", "/users/1", "1 2 3 4", "1 2 3"), ("", "", "/users/1?_dependent=posts", "2 4", "1 2 3"),
        ("", "", "/users/1?_dependent=comments", "1 2 3 4", "1 2 3"),
        (#", "cascade": true"#, "", "/users/1", "2 4", "1 2 3"),
        (#", "cascade": true"#, #", "cascade": true"#, "/users/1", "2 4", "2 3"),
        ("", #", "cascade": true"#, "/users/1?_dependent=posts", "2 4", "2 3"),
        ("", #", "cascade": true"#, "/posts/1", "2 3 4", "2 3"),
    ])
    func dependentsAreRemoved(users: String, posts: String, path: String, left: String, comments: String) throws {
        let mock = try TestMock(routes: Self.routes(users, posts))
        let answer = try mock.call("DELETE", path)
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        #expect(try mock.keys("/posts") == left)
        #expect(try mock.keys("/comments") == comments)
        #expect(try mock.call("DELETE", path).status == 404)
    }

    @Test func aRecordOfAnotherVersionStaysWithItsDependents() throws {
        let mock = try TestMock(routes: Self.routes(#", "cascade": true"#))
        #expect(try mock.call("DELETE", "/users/1", headers: [("If-Match", "\"0\"")]).status == 412)
        #expect(try mock.keys("/posts") == "1 2 3 4")
        let tag = try #require(try mock.call("GET", "/users/1").header("ETag"))
        #expect(try mock.call("DELETE", "/users/1", headers: [("If-Match", tag)]).status == 200)
    }

    /// A tree within one collection, with a circle.
    @Test func aCollectionMayDependOnItself() throws {
        let mock = try TestMock(
            routes: #"""
                {"CRUD /nodes": {"cascade": true, "data": [
                    {"id": 1, "nodeId": 3}, {"id": 2, "nodeId": 1}, {"id": 3, "nodeId": 2}, {"id": 4}
                ]}}
                """#)
        #expect(try mock.call("DELETE", "/nodes/2").status == 200)
        #expect(try mock.keys("/nodes") == "4")
    }

    @Test func aSlashAtTheEndIsTheCollection() throws {
        let mock = try TestMock(routes: ResourceRoutes.nested)
        #expect(try mock.keys("/users/") == #"1 "x""#)
        let made = try mock.call("POST", "/users/", #"{"name": "Cem"}"#, headers: [("Host", "h")])
        #expect(made.status == 201)
        #expect(made.header("Location") == "http://h/users/2", "\(made)")
        #expect(try mock.keys("/users/1/posts/") == "1 3")
        #expect(try mock.call("GET", "/users//").status == 404)
    }
}
