import SDJSON
import SDTestSupport
import Testing

/// Which servers are called in HTTP/2.
@Suite struct ProxyHTTP2Tests {
    /// How a target was called by a daemon with options, in the clear.
    private func version(_ path: String, _ options: (UInt16) -> [String]) throws -> String? {
        let target = try Daemon(files: ["a.yaml": "ANY /**: { body: hi }"])
        let daemon = try Daemon(
            files: ["b.yaml": "ANY /**: { proxy: \"http://localhost:\(target.port)\" }"], options(target.port))
        let answer = try daemon.request("POST", path, body: "abc")
        #expect(answer.status == 200 && answer.text == "hi", "\(answer.text)")
        let request = try target.admin("GET", "/requests").json?["requests"]?[0]?["request"]
        #expect(request?["body"]?.stringValue == "abc")
        return request?["protocol"]?.stringValue
    }

    @Test func serversAreCalledInHTTP11() throws {
        #expect(try version("/a") { _ in [] } == "HTTP/1.1")
        #expect(try version("/a") { port in ["--proxy-http2", "localhost:\(port + 1)"] } == "HTTP/1.1")
    }

    @Test func thoseThatAreNamedAreCalledInHTTP2() throws {
        #expect(try version("/a") { _ in ["--proxy-http2", "localhost"] } == "HTTP/2.0")
        #expect(try version("/a") { port in ["--proxy-http2", "a.example,localhost:\(port)"] } == "HTTP/2.0")
        #expect(try version("/a") { _ in ["--proxy-http2=*"] } == "HTTP/2.0")
    }
}
