import SDLinting
import SDMockEngine
import Testing

/// Findings about collections of records.
struct ResourceLintTests {
    @Test(arguments: [
        (#"{"CRUD /users": {}, "CRUD /users/{userId}/posts": {}}"#, []),
        (#"{"CRUD /users": {"data": [{"id": 1}]}, "CRUD /v2/users": {}}"#, []),
        (
            #"{"CRUD /users": {"data": "u.json"}, "CRUD /v2/users": {"data": "u.json"}}"#,
            [
                "missing-body-file /resource/data", "missing-body-file /resource/data",
            ]
        ),
        (
            #"{"CRUD /users": {"data": [{"id": 1}]}, "CRUD /v2/users": {"data": [{"id": 2}]}}"#,
            ["conflicting-data /resource/data"]
        ),
        (#"{"CRUD /users": {}, "CRUD /v2/users": {"key": "uid"}}"#, ["conflicting-data /resource/key"]),
        (#"{"CRUD /users": {"data": [{"id": 1}]}, "CRUD /v2/users": {"data": [{"id": 2}], "collection": "more"}}"#, []),
        (#"{"CRUD /users/{userId}/posts": {}}"#, ["missing-parent /request"]),
        (#"{"CRUD /people": {}, "CRUD /users/{userId}/posts": {}}"#, ["missing-parent /request"]),
    ])
    func collectionsFitTogether(routes: String, expected: [String]) throws {
        let file = try LintedFile(routes)
        #expect(file.session.findings().map(\.summary) == expected)
    }
}
