import SDJSON
import SDOpenAPI
import Testing

struct DocumentSetTests {
    @Test(arguments: [
        ("", "{\"a\":[1,{\"b/c\":2}]}"), ("/a/0", "1"), ("/a/1/b~1c", "2"), ("/a/2", nil), ("/a/0/x", nil), ("/b", nil),
    ])
    func aPlaceHasItsValue(pointer: String, expected: String?) throws {
        let json = try JSONValue(parsing: "{\"a\":[1,{\"b/c\":2}]}".utf8)
        let set = DocumentSet(.init(name: "api.json", json: json))
        let found = set.value(at: .init(pointer: try #require(JSONPointer(text: pointer))))
        #expect(found == (try expected.map { try JSONValue(parsing: $0.utf8) }))
    }
}
