import SDAnswering
import SDMockEngine
import Testing

@Suite struct GzipTests {
    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("deflate, gzip", true), (" gzip ;q=0.5", true), ("gzip;q=1", true),
        ("identity;q=1, gzip;q=0.5", true), ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip; Q=0", false),
        ("br", false), ("*", false), ("x-gzip", false), ("", false), ("gzip;q=abc", true), ("gzipped", false),
    ])
    func onlyClientsThatAcceptGzipGetIt(acceptEncoding: String, isZipped: Bool) throws {
        try expect(isZipped, #"{"body": "aaaaaaaaaa"}"#, headers: [("Accept-Encoding", acceptEncoding)])
    }

    @Test(arguments: [
        ("GET", true), ("POST", true), ("PUT", true), ("PATCH", true), ("DELETE", true), ("OPTIONS", false),
        ("PURGE", false), ("HEAD", false),
    ])
    func onlySomeMethodsAreCompressed(method: String, isZipped: Bool) throws {
        try expect(isZipped, #"{"body": "aaaaaaaaaa"}"#, method: method)
    }

    @Test(arguments: [
        (#"{"body": "a"}"#, true),
        (#"{"body": ""}"#, false),
        (#"{"status": 299, "body": "a"}"#, true),
        (#"{"status": 404, "body": "a"}"#, false),
        (#"{"status": 302, "body": "a"}"#, false),
        (#"{"body": "a", "headers": {"Content-Encoding": "none"}}"#, false),
        (#"{"body": "a", "headers": {"content-length": "1"}}"#, false),
        (#"{"body": "a", "headers": {"Content-Type": "image/png"}}"#, false),
        (#"{"body": "a", "headers": {"Content-Type": "image/svg+xml"}}"#, true),
        (#"{"body": "a", "headers": {"Content-Type": "application/json; charset=utf-8"}}"#, true),
        (#"{"body": "a", "headers": {"Content-Type": "Text/Event-Stream; x=y"}}"#, false),
        (#"{"body": "a", "headers": {"Content-Type": "application/zip"}}"#, false),
        (#"{"body": "a", "chunkedDribbleDelay": {"numberOfChunks": 1, "totalDuration": 1}}"#, false),
    ])
    func theResponseDecides(response: String, isZipped: Bool) throws {
        try expect(isZipped, response)
    }

    @Test func gzipCanBeTurnedOff() throws {
        var options = SessionOptions()
        options.response.gzip = false
        try expect(false, #"{"body": "aaaaaaaaaa"}"#, options: options)
    }

    private func expect(
        _ isZipped: Bool, _ response: String, method: String = "GET",
        headers: [(String, String)] = [("Accept-Encoding", "gzip")], options: SessionOptions = SessionOptions()
    ) throws {
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"url": "/x"}, "response": \#(response)}"#)
        let answer = try Exchange(mock.port, method, "/x", headers: headers)
        #expect((answer.header("Content-Encoding") == "gzip") == isZipped, "\(answer)")
        #expect(answer.body.starts(with: [0x1f, 0x8b, 8]) == isZipped)
    }
}
