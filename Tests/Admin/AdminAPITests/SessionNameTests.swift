import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

/// What anyone may call a session.
@Suite struct SessionNameTests {
    @Test func aNameHasABound() throws {
        let mock = try TestMock()
        for (name, status) in [
            (String(repeating: "x", count: 1_024), 201), (String(repeating: "x", count: 1_025), 422),
            (String(repeating: "ü", count: 512), 201), (String(repeating: "ü", count: 513), 422),
        ] {
            let answer = try Exchange(mock.port, "POST", "/__admin/sessions", body: #"{"name": "\#(name)"}"#)
            #expect(answer.status == status)
            guard status == 422 else { continue }
            #expect(answer.json?["errors"]?[0]?["source"]?["pointer"] == "/name")
            #expect(answer.text.contains("the name is too long") && answer.text.contains("at most 1024 bytes"))
            #expect(answer.text.utf8.count < 1_000)
        }
        #expect(mock.sessions.count == 2)
        #expect(mock.session.memory.bytes(of: .names) == 2_048)
    }

    /// A name counts as long as a late answer or a report may tell it.
    @Test func theNameOfAnEndedSessionCountsOnce() throws {
        let mock = try TestMock()
        let made = try Exchange(mock.port, "POST", "/__admin/sessions", body: #"{"name": "a test"}"#)
        let id = try #require(made.json?["id"]?.stringValue)
        #expect(try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)").status == 200)
        #expect(try Exchange(mock.port, "GET", "/__session/\(id)/a").text.contains("(a test) has ended"))
        #expect(mock.session.memory.bytes(of: .names) == 6)
    }

    @Test func secretsInANameAreHiddenWhereverItStands() throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        let mock = try TestMock(session: options)
        let made = try Exchange(mock.port, "POST", "/__admin/sessions", body: #"{"name": "token=hUsh"}"#)
        let id = try #require(made.json?["id"]?.stringValue)
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/a")
        var texts = [made.text]
        for path in ["/sessions", "/sessions/\(id)", "/memory", "/report", "/sessions/\(id)/report"] {
            texts.append(try Exchange(mock.port, "GET", "/__admin" + path).text)
        }
        _ = try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)")
        for format in ["json", "text", "junit", "html", "github", "markdown"] {
            texts.append(try Exchange(mock.port, "GET", "/__admin/report?format=\(format)").text)
        }
        texts.append(try Exchange(mock.port, "GET", "/__session/\(id)/a").text)
        texts.append(try Exchange(mock.port, "GET", "/__admin/sessions/\(id)").text)
        for text in texts { #expect(!text.contains("hUsh"), "\(text)") }
    }
}
