import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

/// Admin calls that a recording cannot show.
@Suite struct AdminSystemTests {
    @Test func shutdownIsAnsweredAndRequestedOnce() throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/shutdown")
        #expect(answer.status == 200)
        #expect(answer.header("Connection") == "close")
        #expect(mock.control.shutDowns.load(ordering: .relaxed) == 1)
    }

    @Test func theDaemonAnswersShutdownAndThenEndsInOrder() throws {
        let daemon = try RunningDaemon()
        #expect(try Exchange(daemon.port, "POST", "/__admin/shutdown").status == 200)
        #expect(daemon.waitForExit() == .exited(0))
    }

    @Test func healthHasWireMocksMembers() throws {
        let mock = try TestMock()
        let health = try #require(try Exchange(mock.port, "GET", "/__admin/health").json)
        #expect(health.objectValue?.keys == ["status", "message", "version", "uptimeInSeconds", "timestamp"])
        #expect(health["status"] == "healthy")
        #expect(health["uptimeInSeconds"]?.intValue == 7)
        #expect(health["timestamp"]?.stringValue?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    /// The password of a target is shown to nobody, and kept when what was shown comes back.
    @Test(arguments: [#""http://ada:p_w@127.0.0.1:1/a""#, #"{"to": "http://ada:p_w@127.0.0.1:1/a", "http2": true}"#])
    func thePasswordOfATargetIsNotShown(passThrough: String) throws {
        let mock = try TestMock()
        let body = #"{"passThrough": \#(passThrough)}"#
        let made = try Exchange(mock.port, "POST", "/__admin/sessions", body: body)
        let id = try #require(made.json?["id"]?.stringValue)
        #expect(try Exchange(mock.port, "POST", "/__admin/settings", body: body).status == 200)
        let session = "/__session/\(id)/__admin"
        var texts = [made.text]
        for path in ["/__admin/sessions", "/__admin/sessions/\(id)", "/__admin/settings", session + "/settings"] {
            texts.append(try Exchange(mock.port, "GET", path).text)
        }
        for text in texts { #expect(text.contains("127.0.0.1:1/a") && !text.contains("p_w"), "\(text)") }
        #expect(try Exchange(mock.port, "PUT", "/__admin/settings", body: texts[3]).status == 200)
        #expect(mock.session.settings.passThrough?.to == "http://ada:p_w@127.0.0.1:1/a")
        let other = #"{"passThrough": "http://127.0.0.1:1/b"}"#
        #expect(try Exchange(mock.port, "PUT", "/__admin/settings", body: other).status == 200)
        #expect(mock.session.settings.passThrough?.to == "http://127.0.0.1:1/b")
    }

    @Test(arguments: ["/__admin/reset", "/__admin/mappings/reset"])
    func aResetReadsTheFilesAndEmptiesTheJournal(path: String) throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "GET", "/x")
        #expect(mock.session.events.count == 1)
        #expect(try Exchange(mock.port, "POST", path).status == 200)
        #expect(mock.session.events.isEmpty)
        #expect(mock.control.reloads.load(ordering: .relaxed) == 1)
    }

    /// Members of a mapping that cannot be served are refused by name.
    @Test(arguments: [
        (#"{"response": {"status": "{{x}}", "stream": {"events": [{"data": "x"}]}}}"#, "/response"),
        (#"{"request": {"urlPattern": "[a-"}}"#, "/request"),
    ])
    func unsupportedStubsAreRefused(body: String, pointer: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings", body: body)
        #expect(answer.status == 422)
        let error = answer.json?["errors"]?.arrayValue?.first
        #expect(error?["source"]?["pointer"]?.stringValue == pointer, "\(answer)")
        #expect(mock.session.stubCount == 0)
    }

    @Test func globalDelaysAreApplied() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}}"#)
        try mock.add(#"{"request": {"url": "/own"}, "response": {"fixedDelayMilliseconds": 3}}"#)
        let settings = #"{"fixedDelay": 20, "delayDistribution": {"type": "fixed", "milliseconds": 5}}"#
        #expect(try Exchange(mock.port, "POST", "/__admin/settings", body: settings).status == 200)
        _ = try Exchange(mock.port, "GET", "/a")
        _ = try Exchange(mock.port, "GET", "/own")
        _ = try Exchange(mock.port, "GET", "/unmatched")
        let delays = mock.session.events.reversed().map(\.addedDelay)
        #expect(delays == [25_000_000, 8_000_000, 0])
    }
}
