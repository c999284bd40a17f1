import SDHTTPMessages
import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Collections whose changes are written to their files.
struct DataWritingTests {
    private static let path = "users.json"

    private func mock(_ data: String = #"[{"id": 1}]"#, path: String = path, key: String = "id") throws -> ServedSession
    {
        let served = try ServedSession(files: [path: data])
        for url in [#""urlPath": "/users""#, #""urlPathTemplate": "/users/{id}""#] {
            try served.add(
                #"""
                {"request": {"method": "ANY", \#(url)}, "resource": {
                    "name": "users", "path": "/users", "data": "\#(path)", "write": true, "key": "\#(key)"
                }}
                """#)
        }
        return served
    }

    private func send(_ mock: ServedSession, _ method: String, _ target: String, _ body: String = "") throws
        -> HTTPAnswer
    {
        try PersistentConnection(port: mock.server.port).request(
            method, target, headers: ["Content-Type: application/json"], body: body)
    }

    @Test(arguments: [
        ("users.json", #"[{"id": 1}]"#, "[ {\n  \"id\" : 1\n}, {\n  \"n\" : \"x\",\n  \"id\" : 2\n} ]\n"),
        ("users.csv", "id,n\n1,\n", "id,n\n1,\n2,x\n"),
        (
            "db.json", #"{"users": [{"id": 1}], "posts": [1]}"#,
            "{\n  \"users\" : [ {\n    \"id\" : 1\n  }, {\n    \"n\" : \"x\",\n    \"id\" : 2\n  } ],\n  \"posts\" : [ 1 ]\n}\n"
        ),
    ])
    func aChangeIsInTheFile(path: String, old: String, new: String) throws {
        let mock = try mock(old, path: path)
        #expect(try mock.ask("GET", "/users").status == 200)
        mock.session.finishWriting()
        #expect(mock.files[path] == old, "nothing has changed")
        #expect(try send(mock, "POST", "/users", #"{"n": "x"}"#).status == 201)
        #expect(eventually { mock.files[path] == new ? true : nil } == true, "\(mock.files[path] ?? "")")
        // The file is there before the writing has ended.
        mock.session.finishWriting()
        // What the daemon wrote is no change by others.
        #expect(mock.session.readDataFiles().isEmpty)
        #expect(try mock.ask("GET", "/users/2").text.contains("x"))
        #expect(mock.session.collections.first?.isChanged == false)
        #expect(try send(mock, "DELETE", "/users/2").status == 200)
        mock.session.finishWriting()
        #expect(try JSONValue(parsing: mock.ask("GET", "/users").text).arrayValue?.count == 1)
        #expect(mock.files[path]?.contains("x") == false)
        // A key is never given twice, whatever the file has.
        #expect(try send(mock, "POST", "/users", "{}").json?["id"] == 3)
    }

    /// Each change is in the file in the end, however fast they come.
    @Test func noChangeIsLost() throws {
        let mock = try mock()
        for _ in 0..<50 { #expect(try send(mock, "POST", "/users", "{}").status == 201) }
        mock.session.finishWriting()
        let written = try JSONValue(parsing: mock.files[Self.path] ?? "")
        #expect(written.arrayValue?.map { $0["id"]?.intValue } == Array(1...51))
        #expect(mock.session.readDataFiles().isEmpty)
        #expect(try JSONValue(parsing: mock.ask("GET", "/users").text).arrayValue?.count == 51)
    }

    /// What somebody else wrote counts, and is never overwritten.
    @Test func anEditOfTheFileCounts() throws {
        let mock = try mock()
        #expect(try send(mock, "POST", "/users", "{}").status == 201)
        mock.session.finishWriting()
        mock.files[Self.path] = #"[{"id": 7}]"#
        #expect(try send(mock, "POST", "/users", "{}").status == 201)
        mock.session.finishWriting()
        #expect(mock.files[Self.path] == #"[{"id": 7}]"#)
        #expect(try mock.ask("GET", "/users").text == #"[{"id":7}]"#)
        #expect(try send(mock, "POST", "/users", "{}").json?["id"] == 8)
        mock.session.finishWriting()
        #expect(mock.files[Self.path]?.contains("8") == true)
    }

    @Test func aResetGoesBackToTheFile() throws {
        let mock = try mock()
        #expect(try send(mock, "POST", "/users", "{}").status == 201)
        mock.session.finishWriting()
        try mock.session.resetCollection("users")
        #expect(try mock.ask("GET", "/users").text == #"[{"id":1},{"id":2}]"#)
    }

    @Test func whatCannotBeWrittenIsTold() throws {
        let mock = try mock("id\n1\n", path: "users.csv")
        #expect(try send(mock, "POST", "/users", #"{"tags": []}"#).status == 201)
        mock.session.finishWriting()
        #expect(mock.files["users.csv"] == "id\n1\n")
        #expect(
            mock.log.warnings.withLock { $0 } == [
                "the data file users.csv is not written: the record 2 has an empty list under \"tags\", "
                    + "which CSV cannot hold; the next change tries again"
            ])
        #expect(try send(mock, "PUT", "/users/2", #"{"tags": "a"}"#).status == 200)
        mock.session.finishWriting()
        #expect(mock.files["users.csv"] == "id,tags\n1,\n2,a\n")
    }

    @Test func othersWriteNothing() throws {
        let mock = try mock()
        let registry = SessionRegistry(base: mock.session)
        let child = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0).session
        #expect(try child.replaceCollection("users", with: [["id": 5]]) == 1)
        child.finishWriting()
        #expect(mock.files[Self.path] == #"[{"id": 1}]"#)
        // Nor among files of their own.
        #expect(try child.files.read(Self.path).content.prefix(.max) == Array(#"[{"id": 1}]"#.utf8))
    }
}
