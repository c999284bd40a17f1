import SDJSON
import SDTestSupport
import Testing

/// Sessions that have ended, and their reports.
@Suite struct PastSessionTests {
    private let mock: TestMock

    init() throws {
        mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}}"#)
    }

    private func begin(_ name: String, through other: String? = nil) throws -> String {
        let path = (other.map { "/__session/\($0)" } ?? "") + "/__admin/sessions"
        let answer = try Exchange(mock.port, "POST", path, body: #"{"name": "\#(name)"}"#)
        return try #require(answer.json?["id"]?.stringValue)
    }

    @Test func theyAreListedWithTheirVerdicts() throws {
        let (good, bad) = (try begin("good"), try begin("bad"))
        for path in ["/__session/\(good)/a", "/__session/\(bad)/a", "/__session/\(bad)/b?x=1"] {
            _ = try Exchange(mock.port, "GET", path)
        }
        #expect(try mock.admin("GET", "/sessions?ended=true")["ended"] == [])
        for id in [good, bad] { _ = try mock.admin("DELETE", "/sessions/\(id)") }
        let ended = try #require(try mock.admin("GET", "/sessions?ended=true")["ended"]?.arrayValue)
        #expect(ended.map { $0["name"] } == ["bad", "good"])
        #expect(ended.map { $0["verdict"] } == ["failed", "passed"])
        #expect(ended.map { $0["served"] } == [2, 1] && ended.map { $0["unmatched"] } == [1, 0])
        #expect(ended[0]["id"]?.stringValue == bad && ended[0]["endedAt"] != nil)
        #expect(try mock.admin("GET", "/sessions")["ended"] == nil)
    }

    @Test func theirReportsStay() throws {
        let id = try begin("bad")
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/b")
        let before = try mock.admin("GET", "/sessions/\(id)/report")
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        let after = try mock.admin("GET", "/sessions/\(id)/report")
        #expect(after["verdict"] == "failed" && after["name"] == "bad" && after["id"]?.stringValue == id)
        #expect(after["unmatched"]?[0]?["request"]?["url"] == "/b", "\(after)")
        for member in ["served", "unmatchedCount", "failedCount", "verdict"] {
            #expect(after[member] == before[member], "\(member)")
        }
        let text = try Exchange(mock.port, "GET", "/__admin/sessions/\(id)/report?format=text&fail=unmatched")
        #expect(text.status == 422 && text.text.contains("/b"), "\(text)")
        _ = try mock.admin("GET", "/sessions/\(id)", status: 410)
        _ = try mock.admin("GET", "/sessions/999/report", status: 404)
    }

    @Test func anotherRunDoesNotSeeThem() throws {
        let (run, other) = (try begin("run"), try begin("other"))
        let test = try begin("test", through: run)
        _ = try mock.admin("DELETE", "/sessions/\(test)")
        func ended(_ id: String) throws -> [JSONValue] {
            try Exchange(mock.port, "GET", "/__session/\(id)/__admin/sessions?ended=true").json?["ended"]?.arrayValue
                ?? []
        }
        #expect(try ended(run).map { $0["name"] } == ["test"])
        #expect(try ended(other).isEmpty)
        #expect(try Exchange(mock.port, "GET", "/__session/\(other)/__admin/sessions/\(test)/report").status != 200)
    }

    @Test func theLast200AreKept() throws {
        for number in 1...203 { _ = try mock.admin("DELETE", "/sessions/\(try begin("s\(number)"))") }
        let ended = try #require(try mock.admin("GET", "/sessions?ended=true")["ended"]?.arrayValue)
        #expect(ended.count == 200 && ended.first?["name"] == "s203" && ended.last?["name"] == "s4")
    }
}
