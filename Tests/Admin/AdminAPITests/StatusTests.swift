import SDJSON
import SDTestSupport
import Synchronization
import Testing

/// `GET /__admin/status`.
@Suite struct StatusTests {
    @Test func itTellsWhatTheDaemonHas() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}}"#)
        for path in ["/a", "/b"] { _ = try Exchange(mock.port, "GET", path) }
        let status = try mock.admin("GET", "/status")
        #expect(status["stubs"] == 1 && status["served"] == 2 && status["unmatched"] == 1 && status["sessions"] == 0)
        #expect(status["folder"] == ["path": "mocks", "writable": true])
        #expect(status["watching"] == true && status["redaction"] == false && status["recording"] == .null)
        #expect(status["journal"]?["entries"] == 2 && status["journal"]?["disabled"] == false)
        #expect(status["uptimeMs"] == 7_000)
        #expect(status["urls"]?[0]?.stringValue == "http://localhost")
        let id = try #require(try mock.admin("GET", "/requests")["requests"]?[0]?["id"]?.stringValue)
        #expect(status["run"]?.stringValue == String(id.prefix(8)))
        mock.control.obstacle.withLock { $0 = "the daemon may not write to mocks" }
        #expect(
            try mock.admin("GET", "/status")["folder"]
                == ["path": "mocks", "writable": false, "reason": "the daemon may not write to mocks"])
    }

    @Test func ofASessionItTellsThatSession() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}}"#)
        _ = try Exchange(mock.port, "GET", "/b")
        let session = try mock.admin("POST", "/sessions", "{}", status: 201)
        let id = try #require(session["id"]?.stringValue)
        let status = try #require(try Exchange(mock.port, "GET", "/__session/\(id)/__admin/status").json)
        #expect(status["stubs"] == 1 && status["served"] == 0 && status["sessions"] == 0)
        #expect(status["folder"]?["writable"] == false)
        #expect(status["urls"] == [session["url"] ?? .null])
        #expect(try mock.admin("GET", "/status")["sessions"] == 1)
    }

    @Test func itTellsOfARecording() throws {
        let mock = try TestMock()
        _ = try mock.admin("POST", "/recordings/start", #"{"targetBaseUrl": "http://ada:pw@127.0.0.1:1"}"#)
        let recording = try mock.admin("GET", "/status")["recording"]
        #expect(recording?["status"] == "Recording")
        #expect(recording?["target"]?.stringValue?.contains("pw") == false, "\(recording ?? .null)")
        _ = try mock.admin("POST", "/recordings/stop")
        #expect(try mock.admin("GET", "/status")["recording"] == ["status": "Stopped"])
    }
}
