import SDJSON
import SDTestSupport
import Testing

/// Recordings of servers that do not answer.
@Suite(.timeLimit(.minutes(30))) struct FailedRecordingTests {
    /// What a recording has of calls that failed here is no answer of the server's.
    @Test func ourOwnFailuresAreNotRecorded() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        for (target, reason) in [
            ("http://127.0.0.1:1", "127.0.0.1:1 refused the connection"),
            ("http://127.0.0.1:\(daemon.port)", "this server was called by itself"),
        ] {
            let started = try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(target)"}"#)
            #expect(started.status == 200 && started["x-stuntdouble-warning"] == nil)
            _ = try daemon.get("/down")
            let stopped = try daemon.admin("POST", "/recordings/stop")
            #expect(stopped.json?["mappings"]?.arrayValue?.isEmpty == true, "\(stopped.text)")
            #expect(stopped["x-stuntdouble-warning"]?.contains("/down is not kept: \(reason)") == true, "\(stopped)")
        }
        let started = try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "localhost:1"}"#)
        #expect(started.status == 200)
        #expect(started["x-stuntdouble-warning"]?.contains("no absolute URL") == true, "\(started)")
    }
}
