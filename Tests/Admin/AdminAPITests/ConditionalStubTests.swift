import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// Stubs with `conditional`, whose clients get a 304 for what they have.
struct ConditionalStubTests {
    private func answer(
        _ response: String, _ headers: [(String, String)] = [], method: String = "GET", files: [String: String] = [:]
    ) throws -> Exchange {
        let mock = try TestMock(files: files)
        try mock.add(#"{"request": {"url": "/x", "method": "ANY"}, "response": \#(response)}"#)
        return try Exchange(mock.port, method, "/x", headers: headers)
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            // If-None-Match compares weakly.
            (#""a""#, nil, [("If-None-Match", #""a""#)], 304), (#""a""#, nil, [("If-None-Match", #""b""#)], 200),
            (#""a""#, nil, [("If-None-Match", #"W/"a""#)], 304), (#"W/"a""#, nil, [("If-None-Match", #""a""#)], 304),
            (#"W/"a""#, nil, [("If-None-Match", #"W/"a""#)], 304), (#""a""#, nil, [("If-None-Match", #""A""#)], 200),
            // Lists, in one line or several, and tags with a comma.
            (#""a""#, nil, [("If-None-Match", #""b", W/"c" ,"a""#)], 304),
            (#""a""#, nil, [("If-None-Match", #""b""#), ("If-None-Match", #""a""#)], 304),
            (#""a,b""#, nil, [("If-None-Match", #""x", "a,b""#)], 304),
            (#""b""#, nil, [("If-None-Match", #""a,"b","#)], 200),
            ("a", nil, [("If-None-Match", "b, a")], 304),
            // Any version.
            (#""a""#, nil, [("If-None-Match", "*")], 304), (nil, date, [("If-None-Match", "*")], 304),
            (nil, nil, [("If-None-Match", "*")], 304),
            // Dates, in each form.
            (nil, date, [("If-Modified-Since", date)], 304),
            (nil, date, [("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT")], 200),
            (nil, date, [("If-Modified-Since", "Sunday, 06-Nov-94 08:49:38 GMT")], 304),
            (nil, date, [("If-Modified-Since", "Sun Nov  6 08:49:37 1994")], 304),
            (nil, date, [("If-Modified-Since", "soon")], 200), (nil, "soon", [("If-Modified-Since", date)], 200),
            (#""a""#, nil, [("If-Modified-Since", date)], 200),
            // The tag counts before the date.
            (#""a""#, date, [("If-None-Match", #""b""#), ("If-Modified-Since", date)], 200),
            (#""a""#, date, [("If-None-Match", #""a""#), ("If-Modified-Since", "Sun, 06 Nov 1980 08:49:37 GMT")], 304),
            (nil, date, [("If-None-Match", #""b""#), ("If-Modified-Since", date)], 200),
            (#""a""#, date, [], 200),
        ] as [(String?, String?, [(String, String)], Int)])
    func conditionsAreComparedWithTheStubsOwnHeaders(
        tag: String?, date: String?, conditions: [(String, String)], status: Int
    ) throws {
        var headers = JSONObject()
        headers["ETag"] = tag.map(JSONValue.string)
        headers["Last-Modified"] = date.map(JSONValue.string)
        let response: JSONValue = ["conditional": true, "body": "b", "headers": .object(headers)]
        for method in ["GET", "HEAD"] {
            let answer = try answer(response.compactText, conditions, method: method)
            #expect(answer.status == status, "\(conditions) \(answer)")
            #expect(answer.text == (status == 304 || method == "HEAD" ? "" : "b"))
        }
        var plain = response.objectValue ?? [:]
        plain["conditional"] = nil
        #expect(try self.answer(JSONValue.object(plain).compactText, conditions).status == 200, "without the option")
    }

    @Test func a304KeepsWhatCachesNeed() throws {
        let kept = [
            ("ETag", #""a""#), ("Cache-Control", "max-age=5"), ("Vary", "Accept"), ("Content-Location", "/y"),
            ("Expires", Self.date), ("Date", Self.date), ("Set-Cookie", "a=b"),
        ]
        let dropped = [
            ("Content-Type", "text/plain"), ("Content-Language", "en"), ("Last-Modified", Self.date),
            ("Content-Length", "4"),
        ]
        let headers = JSONValue.object(JSONObject((kept + dropped).map { ($0.0, .string($0.1)) }))
        let answer = try answer(
            #"{"conditional": true, "statusMessage": "Fine", "body": "body", "headers": \#(headers.compactText)}"#,
            [("If-None-Match", #""a""#), ("Accept-Encoding", "gzip")])
        #expect(answer.received.text.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
        for (name, value) in kept { #expect(answer.header(name) == value, "\(name)") }
        for (name, _) in dropped { #expect(answer.header(name) == nil, "\(name)") }
        #expect(answer.header("Matched-Stub-Id") != nil)
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: [
        (#"{"conditional": true, "status": 404, "headers": {"ETag": "a"}}"#, "GET", 404),
        (#"{"conditional": true, "status": 302, "headers": {"ETag": "a"}}"#, "GET", 302),
        (#"{"conditional": true, "status": 201, "headers": {"ETag": "a"}}"#, "GET", 304),
        (#"{"conditional": true, "headers": {"ETag": "a"}}"#, "POST", 200),
        (#"{"conditional": true, "headers": {"ETag": "a"}}"#, "DELETE", 200),
        (#"{"conditional": false, "headers": {"ETag": "a"}}"#, "GET", 200),
        (#"{"conditional": true, "ranges": true, "body": "0123", "headers": {"ETag": "a"}}"#, "GET", 304),
    ])
    func conditionsApplyToSuccessfulReads(response: String, method: String, status: Int) throws {
        let headers = [("If-None-Match", "a"), ("Range", "bytes=0-1")]
        #expect(try answer(response, headers, method: method).status == status)
    }

    /// A response that has no validator gets a tag of its body, of whatever kind it is.
    @Test(arguments: [
        #""body": "text""#, #""jsonBody": {"a": 1}"#, #""base64Body": "AAEC""#, #""bodyFileName": "f""#,
        #""status": 204"#,
        #""body": "{{request.path}}", "transformers": ["response-template"]"#,
        #""bodyFileName": "{{'f'}}", "transformers": ["response-template"]"#,
    ])
    func aTagIsMade(response: String) throws {
        let mock = try TestMock(files: ["f": "content"])
        try mock.add(#"{"request": {"url": "/x"}, "response": {\#(response), "conditional": true}}"#)
        for headers in [[], [("Accept-Encoding", "gzip")]] {
            let first = try Exchange(mock.port, "GET", "/x", headers: headers)
            let tag = try #require(first.header("ETag"))
            #expect(tag.hasPrefix("W/\""))
            let second = try Exchange(mock.port, "GET", "/x", headers: headers + [("If-None-Match", tag)])
            #expect(second.status == 304)
            #expect(second.header("ETag") == tag)
            #expect(mock.session.events.first?.status == 304)
            #expect(try Exchange(mock.port, "GET", "/x", headers: [("If-None-Match", "W/\"0\"")]).status != 304)
        }
        try mock.add(#"{"request": {"url": "/y"}, "response": {"body": "other", "conditional": true, "ranges": true}}"#)
        let other = try #require(try Exchange(mock.port, "GET", "/y").header("ETag"))
        #expect(other.hasPrefix("\""), "a body that is never compressed has a strong tag")
    }

    @Test func headersMayBeTemplates() throws {
        let mock = try TestMock()
        try mock.add(
            #"""
            {"request": {"urlPath": "/x"}, "response": {
              "conditional": true, "body": "b", "headers": {"ETag": "\"{{request.query.v}}\""},
              "transformers": ["response-template"]
            }}
            """#)
        #expect(try Exchange(mock.port, "GET", "/x?v=1", headers: [("If-None-Match", "\"1\"")]).status == 304)
        #expect(try Exchange(mock.port, "GET", "/x?v=2", headers: [("If-None-Match", "\"1\"")]).status == 200)
    }

    /// Each response of a sequence has its own version, and a 304 takes its turn as any answer does.
    @Test func aSequenceMovesOn() throws {
        let mock = try TestMock()
        try mock.add(
            routes: """
                {"defaults": {"conditional": true}, "GET /x": {"sequence": [
                  {"body": "a", "headers": {"ETag": "\\"1\\""}}, {"body": "b", "headers": {"ETag": "\\"2\\""}}
                ]}}
                """)
        let statuses = try (0..<3).map { _ in
            try Exchange(mock.port, "GET", "/x", headers: [("If-None-Match", "\"1\"")]).status
        }
        #expect(statuses == [304, 200, 200])
    }
}
