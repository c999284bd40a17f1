import SDJSON
import SDMockEngine
import SDShorthand
import SDStubModel
import SDTestSupport
import Testing

extension TestMock {
    /// A mock with routes in the shorthand.
    convenience init(
        routes: String, files: [String: String] = [:], session options: SessionOptions = SessionOptions()
    ) throws {
        try self.init(session: options, files: files)
        try add(routes: routes)
    }

    /// Adds routes from their JSON.
    func add(routes: String) throws {
        let document = try StubDocument(json: JSONValue(parsing: routes, dialect: .lenient), idSeed: routes)
        try #require(document.problems.isEmpty, "\(document.problems)")
        for stub in document.stubs { try session.add(stub) }
    }

    /// Sends a request for a stub; a body is JSON unless a header says otherwise.
    func call(
        _ method: String, _ path: String, _ body: String = "", headers: [(String, String)] = []
    ) throws -> Exchange {
        let isTyped = body.isEmpty || headers.contains { $0.0 == "Content-Type" }
        return try Exchange(
            port, method, path, headers: headers + (isTyped ? [] : [("Content-Type", "application/json")]), body: body)
    }

    /// The keys of a list.
    func keys(_ path: String) throws -> String {
        let answer = try call("GET", path)
        try #require(answer.status == 200, "\(path): \(answer)")
        return (answer.json?.arrayValue ?? []).map { $0["id"]?.compactText ?? "" }.joined(separator: " ")
    }
}

/// Routes that the tests share.
enum ResourceRoutes {
    static let users = #"""
        {"CRUD /users": {"data": [
            {"id": 1, "name": "Ada", "address": {"city": "London", "zip": "N1"}}, {"id": 2, "name": "Bob"},
            {"id": 3, "name": "Cem"}
        ]}}
        """#
    static let nested = #"""
        {
          "CRUD /users": {"data": [{"id": 1, "name": "Ada"}, {"id": "x", "name": "Bob"}]},
          "CRUD /posts": {"data": [
            {"id": 1, "userId": 1, "title": "a"}, {"id": 2, "userId": "x", "title": "b"}, {"id": 3, "userId": 1, "title": "c"}
          ]},
          "CRUD /users/{userId}/posts": {},
          "CRUD /users/{userId}/posts/{postId}/comments": {"data": [{"id": 1, "postId": 1, "text": "hm"}]}
        }
        """#
    static let strict = #"""
        {"CRUD /users": {"data": [{"id": 1, "name": "Ada"}], "schema": {
            "type": "object", "required": ["id", "name"], "additionalProperties": false,
            "properties": {"id": {"type": "integer"}, "name": {"type": "string", "minLength": 2}, "age": {"minimum": 0}}
        }}}
        """#
}
