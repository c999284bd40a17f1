import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `POST /mappings/import/{path}`: stub files in any form over the admin API.
@Suite struct StubFileImportTests {
    @Test(arguments: [
        ("a.json", #"{"request": {"url": "/a"}, "response": {"body": "it"}}"#),
        ("b.json", #"{"mappings": [{"request": {"url": "/a"}, "response": {"body": "it"}}]}"#),
        ("routes/c.json", #"{"GET /a": {"body": "it"}}"#), ("d.yaml", "GET /a: { body: it }"),
        ("e.YML", "request: { url: /a }\nresponse: { body: it }"),
    ])
    func anyFormOfAStubFileIsImported(name: String, text: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings/import/\(name)", body: text)
        #expect(answer.status == 200)
        #expect(try JSONValue(parsing: answer.body)["mappings"]?.arrayValue?.count == 1)
        #expect(try Exchange(mock.port, "GET", "/a").body == Array("it".utf8))
    }

    @Test func aFileOfTheSameNameReplacesItsStubs() throws {
        let mock = try TestMock()
        for text in ["first", "second"] {
            _ = try Exchange(mock.port, "POST", "/__admin/mappings/import/a.yaml", body: "GET /a: { body: \(text) }")
        }
        #expect(try Exchange(mock.port, "GET", "/a").body == Array("second".utf8))
        #expect(mock.session.stubs.count == 1)
    }

    @Test func whatStandsFirstInAFileOfRoutesIsTriedFirst() throws {
        let mock = try TestMock()
        let text = "GET /users/me: { body: me }\nGET /users/{id}: { body: any }\n"
        _ = try Exchange(mock.port, "POST", "/__admin/mappings/import/a.yaml", body: text)
        #expect(try Exchange(mock.port, "GET", "/users/me").body == Array("me".utf8))
    }

    @Test(arguments: [
        ("a.yaml", "GET /a: { boddy: x }", "a.yaml:1:11: error: "), ("a.yaml", "a: [", "a.yaml:2:1: error: "),
        ("a.yaml", "GET /b: {}\nGET /c: { when: { body: { matches: \"(\" } } }", "a.yaml:2:27: error: "),
        ("a.json", "{", "a.json:1:2"),
        ("a.yaml", "chaos: { slow: [{ dely: 1s }] }", "a.yaml:1:19: error: "),
    ])
    func aFileThatCannotBeUsedIsRefusedWithItsPlace(name: String, text: String, expected: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings/import/\(name)", body: text)
        #expect(answer.status == 422)
        #expect(answer.text.contains(expected), "\(answer.text)")
        #expect(mock.session.stubs.isEmpty)
    }

    @Test(arguments: [
        (
            "a.txt", "x",
            "a.txt is no stub file: its name ends with .json, .yaml or .yml, or is that of an archive, .har"
        ),
        ("package.json", #"{"version": "1.0.0"}"#, "package.json is no stub file"),
    ])
    func whatIsNoStubFileIsRefusedAsSuch(name: String, text: String, expected: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings/import/\(name)", body: text)
        #expect(answer.status == 415)
        #expect(answer.text.contains(expected), "\(answer.text)")
        #expect(mock.session.stubs.isEmpty)
    }
}
