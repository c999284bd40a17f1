import SDJSON
import Testing

/// Unknown admin calls get WireMock's 404, with the call that was probably meant.
@Suite struct UnknownCallTests {
    @Test(arguments: [
        ("GET", "/mapping", "Did you mean /__admin/mappings?"), ("POST", "/request/find", "/__admin/requests/find?"),
        ("POST", "/scenario/reset", "/__admin/scenarios/reset?"),
        ("PUT", "/scenarios/cart/stat", "/scenarios/cart/state?"),
        ("POST", "/requests/reset", "Did you mean DELETE /__admin/requests?"),
        ("POST", "/mappings/clear", "Did you mean DELETE /__admin/mappings?"),
        ("POST", "/mappings/new", "Did you mean POST /__admin/mappings?"),
        ("POST", "/sessions/create", "Did you mean POST /__admin/sessions?"),
        ("GET", "/stubs", "/__admin/mappings?"), ("GET", "/imposters", "/__admin/mappings?"),
        ("GET", "/journal", "/__admin/requests?"), ("POST", "/nearMisses/request", "/__admin/near-misses/request?"),
        ("POST", "/requests-find", "/__admin/requests/find?"),
        ("GET", "/elephants/of/india/and/africa", "GET /__admin/docs lists"),
    ])
    func theNearestPathIsNamed(method: String, path: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, method, "/__admin" + path)
        #expect(answer.status == 404)
        #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains(words) == true, "\(answer)")
        #expect(answer.header("Allow") == nil)
    }

    @Test func theMethodsOfAPathAreNamed() throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "PUT", "/__admin/mappings")
        #expect(answer.status == 404)
        #expect(answer.json?["errors"]?[0]?["title"] == "/__admin/mappings has no PUT")
        #expect(answer.json?["errors"]?[0]?["detail"] == "It has DELETE, GET and POST.")
        #expect(answer.header("Allow") == "DELETE, GET, POST")
    }

    /// `GET /requests/{id}` exists, but a word is not an id.
    @Test func anUnknownWordIsNotTakenForAnID() throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/requests/reset")
        #expect(answer.status == 404)
        #expect(answer.json?["errors"]?[0]?["title"] == "The admin API has no /__admin/requests/reset")
        #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains("requests/reset") == false, "\(answer)")
        #expect(answer.header("Allow") == nil)
    }

    @Test func aSentenceOfWireMocksIsNotRepeated() throws {
        let mock = try TestMock()
        let stub = #"{"request": {"bodyPatterns": [{"equalToXml": "<a"}]}}"#
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings", body: stub)
        #expect(answer.status == 422)
        let lines = try #require(answer.json?["errors"]?[0]?["detail"]?.stringValue).split(separator: "\n")
        #expect(lines.count == 2 && lines.last == "request.bodyPatterns[0].equalToXml", "\(answer)")
    }

    @Test func anIDMayBeSurroundedByBlanks() throws {
        let id = "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"
        let mock = try TestMock()
        let made = try Exchange(mock.port, "POST", "/__admin/mappings", body: #"{"id": " \#(id)  "}"#)
        #expect(made.status == 201)
        #expect(made.json?["id"]?.stringValue == id)
    }

    /// Compared byte by byte, because some clients compare the bytes.
    @Test(arguments: [
        ("DELETE", "/mappings"), ("DELETE", "/requests"), ("POST", "/scenarios/reset"),
        ("DELETE", "/mappings/unmatched"),
        ("DELETE", "/requests/8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"),
    ])
    func anEmptyAnswerEqualsWireMocks(method: String, path: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, method, "/__admin" + path)
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        #expect(answer.header("Content-Type") == "application/json")
    }
}
