import SDHTTPMessages
import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Stubs that leave requests to the next one where their body file is missing.
struct FallThroughTests {
    private static let routes = #"""
        {
          "GET /api/**": [
            {"file": "{{request.path}}.json", "fallThrough": true, "name": "file"},
            {"status": 404, "body": "none", "name": "rest"}
          ],
          "GET /plain": [{"file": "missing.txt", "fallThrough": true}, {"body": "here"}]
        }
        """#

    @Test func theNextStubAnswers() throws {
        let mock = try TestMock(routes: Self.routes, files: ["/api/a.json": "[]"])
        let found = try mock.call("GET", "/api/a")
        #expect(found.status == 200)
        #expect(found.text == "[]")
        #expect(found.header("Matched-Stub-Name") == "file")
        let other = try mock.call("GET", "/api/b")
        #expect(other.status == 404)
        #expect(other.text == "none")
        #expect(mock.session.events.map { $0.matched?.name } == ["rest", "file"])
        #expect(try mock.call("GET", "/plain").text == "here")
        #expect(try mock.call("HEAD", "/api/b").status == 404)
    }

    /// A stub that falls through uses up neither its number of requests nor a scenario's state.
    @Test func nothingIsUsedUp() throws {
        let mock = try TestMock(files: ["1": "one"])
        try mock.add(#"{"request": {"urlPathTemplate": "/x/{n}"}, "response": {"status": 404}, "priority": 9}"#)
        try mock.add(
            #"""
            {"request": {"urlPathTemplate": "/x/{n}"}, "times": 1, "scenarioName": "s", "newScenarioState": "done",
             "response": {"bodyFileName": "{{request.path.n}}", "fallThrough": true, "transformers": ["response-template"]}}
            """#)
        func state() throws -> JSONValue? { try mock.admin("GET", "/scenarios")["scenarios"]?[0]?["state"] }
        #expect(try mock.call("GET", "/x/2").status == 404)
        #expect(try state() == "Started")
        #expect(try mock.call("GET", "/x/1").text == "one")
        #expect(try state() == "done")
        #expect(try mock.call("GET", "/x/1").status == 404)
    }

    @Test func theReportAndTheExplanationSayWhy() throws {
        let mock = try TestMock(routes: #"{"GET /a": {"file": "a.txt", "fallThrough": true}}"#)
        let answer = try mock.call("GET", "/a", headers: [("Accept", "application/json")])
        #expect(answer.status == 404)
        #expect(answer.text.contains("it falls through, as there is no file a.txt in __files"), "\(answer.text)")
    }

    @Test func aSessionThatInheritsHasItsOwnFiles() throws {
        let mock = try TestMock(routes: Self.routes)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/plain").text == "here")
        _ = try Exchange(mock.port, "PUT", "/__session/\(id)/__admin/files/missing.txt", body: "mine")
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/plain").text == "mine")
        #expect(try mock.call("GET", "/plain").text == "here")
    }

    @Test func aNameThatCannotBeRenderedYetIsTold() throws {
        let mock = try TestMock(routes: #"{"GET /a": [{"file": "{{counter 'n'}}.txt", "fallThrough": true}, {}]}"#)
        let answer = try mock.call("GET", "/a")
        #expect(answer.status == 500)
    }

    /// Under the session's lock nothing is asked of the disk: what is unknown makes the attempt void.
    @Test func nothingIsLookedForWithoutTime() {
        let files = MemoryFiles(files: ["a": ""])
        var looks = BodyFileLookups()
        func ask(_ path: String, mayLook: Bool) -> (isThere: Bool, isIncomplete: Bool) {
            looks.mayLook = mayLook
            let isThere = looks.has(path, in: files)
            return (isThere, looks.isIncomplete)
        }
        #expect(ask("a", mayLook: true) == (true, false))
        #expect(ask("a", mayLook: false) == (true, false))
        #expect(ask("b", mayLook: false).isIncomplete)
        looks.lookForWanted(files)
        #expect(!looks.isIncomplete)
        #expect(ask("b", mayLook: false) == (false, false))
    }
}
