import SDJSON
import SDJournal
import SDMockEngine
import SDReports
import SDStubFiles
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

/// `/__admin/report`: what a session saw, and the verdict.
@Suite struct ReportTests {
    private func mock(_ options: SessionOptions = .unhurried) throws -> TestMock {
        let mock = try TestMock(session: options)
        try mock.add(#"{"name": "users", "request": {"method": "GET", "urlPathTemplate": "/api/users/{id}"}}"#)
        return mock
    }

    private struct Answer {
        let status: Int
        let verdict: String?
        let json: JSONValue

        var reasons: [String] { json["reasons"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
    }

    private func report(_ mock: TestMock, _ query: String = "", at path: String = "/__admin/report") throws -> Answer {
        let answer = try Exchange(mock.port, "GET", path + query)
        return Answer(
            status: answer.status, verdict: answer.header("X-StuntDouble-Verdict"), json: answer.json ?? .null)
    }

    // MARK: Verdict

    @Test func aGoodRunPasses() throws {
        let mock = try mock()
        _ = try Exchange(mock.port, "GET", "/api/users/1")
        let report = try report(mock, "?fail=unmatched,unused,unmet,fault,error")
        #expect(report.status == 200 && report.verdict == "passed" && report.reasons == [])
        #expect(report.json["served"] == 1 && report.json["usedStubCount"] == 1)
        #expect(report.json["timings"]?["count"] == 1 && report.json["timings"]?["durationMs"] == 7_000)
        #expect(report.json["id"] == nil && report.json["evictedCount"] == nil && report.json["ignoredCount"] == nil)
    }

    /// A session for which one reason is met.
    private func mock(meeting reason: String) throws -> TestMock {
        let mock = try mock()
        if reason != "unused" { _ = try Exchange(mock.port, "GET", "/api/users/1") }
        switch reason {
        case "unmatched": _ = try Exchange(mock.port, "GET", "/nothing")
        case "unmet":
            _ = try mock.admin("POST", "/requests/verify", #"{"expectations": [{"pattern": {"url": "/never"}}]}"#)
        case "fault":
            try mock.add(#"{"request": {"url": "/broken"}, "response": {"fault": "EMPTY_RESPONSE"}}"#)
            _ = try mock.raw("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n")
        case "error":
            try mock.add(#"{"request": {"url": "/file"}, "response": {"bodyFileName": "missing"}}"#)
            _ = try Exchange(mock.port, "GET", "/file")
        default: break
        }
        return mock
    }

    @Test(arguments: ["unmatched", "unused", "unmet", "fault", "error"])
    func eachReasonIsMetByItself(reason: String) throws {
        let mock = try mock(meeting: reason)
        let all = try report(mock, "?fail=unmatched,unused,unmet,fault,error")
        #expect(all.status == 422 && all.verdict == "failed" && all.reasons == [reason], "\(all)")
        #expect(all.json["verdict"]?.stringValue == "failed" && all.json["counts"]?[reason] == 1)
        let alone = try report(mock, "?fail=\(reason)")
        #expect(alone.status == 422 && alone.reasons == [reason])
        let others = ["unmatched", "unused", "unmet", "fault", "error"].filter { $0 != reason }
        let rest = try report(mock, "?fail=\(others.joined(separator: ","))")
        #expect(rest.status == 200 && rest.verdict == "passed" && rest.json["counts"]?[reason] == 1)
        let none = try report(mock, "?fail=none")
        #expect(none.status == 200 && none.verdict == "passed")
        let usual = try report(mock)
        #expect(usual.status == 200)
        #expect(usual.verdict == (["unmatched", "error"].contains(reason) ? "failed" : "passed"))
        let strict = try report(mock, "?strict=true")
        #expect(strict.verdict == (["unmatched", "error", "unused"].contains(reason) ? "failed" : "passed"))
    }

    @Test func aFileThatDidNotLoadIsAnError() throws {
        let mock = try mock()
        mock.control.problems.withLock {
            $0 = [Report.FileProblem(file: "mocks/bad.yaml", line: 2, column: 5, message: "unknown key \"stauts\"")]
        }
        let report = try report(mock, "?fail=error")
        #expect(report.status == 422 && report.reasons == ["error"])
        #expect(
            report.json["files"]?[0] == [
                "file": "mocks/bad.yaml", "message": "unknown key \"stauts\"", "line": 2, "column": 5,
            ])
    }

    // MARK: Bad questions

    @Test(arguments: [
        ("?format=htm", "expected one of text, json, junit, html, github, markdown; did you mean \"html\"?"),
        ("?fail=unmached", "did you mean \"unmatched\"?"), ("?fail=", "expected a list of unmatched, unused"),
        ("?stubs=al", "expected one of own, all; did you mean \"all\"?"),
        ("?ignore=", "expected a pattern of paths such as /favicon.ico"), ("?strict=2", ""),
        ("?fial=unused", "did you mean \"fail\"?"),
    ])
    func aBadQuestionIsRefused(query: String, detail: String) throws {
        let mock = try mock()
        let answer = try Exchange(mock.port, "GET", "/__admin/report" + query)
        #expect(answer.status == 400)
        let told = answer.json?["errors"]?[0]?["detail"]?.stringValue ?? ""
        #expect(told.contains(detail), "\(answer.text)")
    }

    // MARK: Forms

    @Test(arguments: [
        ("text", "text/plain;charset=UTF-8"), ("junit", "application/xml"), ("html", "text/html;charset=UTF-8"),
        ("github", "text/plain;charset=UTF-8"), ("markdown", "text/markdown;charset=UTF-8"),
        ("json", "application/json"),
    ])
    func everyFormHasVerdictAndStatus(format: String, type: String) throws {
        let mock = try mock()
        _ = try Exchange(mock.port, "GET", "/%3Cscript%3E]]%3E%0a::error::%ff")
        for (query, status) in [("", 200), ("&fail=unmatched", 422), ("&fail=unused", 422), ("&fail=fault", 200)] {
            let answer = try Exchange(mock.port, "GET", "/__admin/report?format=\(format)\(query)")
            #expect(answer.status == status)
            #expect(answer.header("Content-Type") == type)
            #expect(answer.header("X-StuntDouble-Verdict") == (query == "&fail=fault" ? "passed" : "failed"))
            #expect(format == "json" || !answer.text.contains("<script>"))
        }
    }

    // MARK: Requests

    @Test func requestsThatCameAgainAreOne() throws {
        let mock = try mock()
        for _ in 0..<3 { _ = try Exchange(mock.port, "GET", "/api/user/1?q=1") }
        _ = try Exchange(mock.port, "POST", "/api/user/1?q=1", body: "a")
        _ = try Exchange(mock.port, "POST", "/api/user/1?q=1", body: "b")
        let json = try report(mock).json
        let requests = try #require(json["unmatchedRequests"]?.arrayValue)
        #expect(requests.map { $0["count"]?.intValue } == [3, 1, 1])
        #expect(json["unmatchedCount"] == 5 && json["unmatched"]?.arrayValue?.count == 5)
        #expect(requests[0]["url"]?.stringValue == "/api/user/1?q=1" && requests[0]["sequence"] == 1)
        #expect(requests[0]["nearestStub"]?["name"]?.stringValue == "users")
    }

    @Test func ignoredRequestsCountNowhere() throws {
        let mock = try mock()
        for path in ["/favicon.ico", "/assets/a/b.js", "/assets/c.js", "/x%20y", "/api/users/1", "/left"] {
            _ = try Exchange(mock.port, "GET", path)
        }
        let json = try report(mock, "?ignore=/favicon.ico&ignore=/assets/**&ignore=/x%2520y").json
        #expect(json["served"] == 2 && json["unmatchedCount"] == 1 && json["ignoredCount"] == 4)
        #expect(json["unmatched"]?.arrayValue?.map { $0["request"]?["url"]?.stringValue } == ["/left"])
        #expect(json["timings"]?["count"] == 2)
        let all = try report(mock, "?ignore=**&fail=unmatched")
        #expect(all.status == 200 && all.json["served"] == 0)
    }

    @Test func countsOutliveTheJournal() throws {
        var options = SessionOptions.unhurried
        options.journalEvents = 2
        let mock = try mock(options)
        for number in 0..<5 { _ = try Exchange(mock.port, "GET", "/n\(number)") }
        let json = try report(mock).json
        #expect(json["served"] == 5 && json["unmatchedCount"] == 5 && json["evictedCount"] == 3)
        #expect(json["unmatched"]?.arrayValue?.count == 2 && json["unmatchedRequests"]?.arrayValue?.count == 5)
        #expect(json["verdict"]?.stringValue == "failed")
        let ignoring = try report(mock, "?ignore=/n0&ignore=/n1").json
        #expect(ignoring["unmatchedCount"] == 3 && ignoring["served"] == 3 && ignoring["ignoredCount"] == 2)
    }

    /// A fault that lasts as long as the session's, and one that its stub has.
    private func addFaults(_ mock: TestMock) throws {
        try mock.add(#"{"name": "broken", "request": {"url": "/broken"}, "response": {"fault": "EMPTY_RESPONSE"}}"#)
        _ = try mock.admin(
            "POST", "/faults", #"{"name": "slow", "request": {"urlPath": "/api/users/1"}, "delay": "1ms"}"#, status: 201
        )
    }

    private func askForFaults(_ mock: TestMock) throws {
        _ = try Exchange(mock.port, "GET", "/api/users/1")
        _ = try mock.raw("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    private func faults(_ report: Answer) -> [String: Int] {
        var counts: [String: Int] = [:]
        for fault in report.json["faults"]?.arrayValue ?? [] {
            counts[fault["fault"]?.stringValue ?? "", default: 0] += fault["count"]?.intValue ?? 0
        }
        return counts
    }

    @Test(arguments: [1, 3, 10_000])
    func faultsAndTimesOutliveTheJournal(size: Int) throws {
        var options = SessionOptions.unhurried
        options.journalEvents = size
        let mock = try mock(options)
        try addFaults(mock)
        for _ in 0..<4 { try askForFaults(mock) }
        let all = try report(mock, "?fail=fault")
        #expect(all.status == 422 && all.json["counts"]?["fault"] == 8)
        #expect(faults(all) == ["delay": 4, "EMPTY_RESPONSE": 4])
        #expect(all.json["timings"]?["count"] == 8)
        let slowest = all.json["timings"]?["slowest"]?.arrayValue ?? []
        #expect(slowest.contains { $0["stub"]?["name"]?.stringValue == "users" && $0["count"] == 4 })
        let some = try report(mock, "?fail=fault&ignore=/broken")
        #expect(faults(some) == ["delay": 4] && some.json["counts"]?["fault"] == 4)
    }

    @Test func aFaultCountsWhileItsAnswerIsUnderWay() throws {
        var options = SessionOptions.unhurried
        options.journalEvents = 1
        let mock = try mock(options)
        _ = try mock.admin(
            "POST", "/faults", #"{"request": {"urlPath": "/api/users/9"}, "neverAnswer": true}"#, status: 201)
        let client = try RawClient(port: mock.port)
        try client.send("GET /api/users/9 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually(within: 30_000) { mock.session.counts.served == 1 ? true : nil } == true)
        for _ in 0..<2 { _ = try Exchange(mock.port, "GET", "/api/users/1") }
        let report = try report(mock)
        #expect(faults(report) == ["neverAnswer": 1] && report.json["timings"]?["count"] == 2)
    }

    @Test func faultsCountWithoutAJournal() throws {
        var options = SessionOptions.unhurried
        options.keepsJournal = false
        let mock = try mock(options)
        try addFaults(mock)
        for _ in 0..<2 { try askForFaults(mock) }
        let report = try report(mock)
        #expect(faults(report) == ["delay": 2, "EMPTY_RESPONSE": 2] && report.json["timings"]?["count"] == 0)
    }

    @Test(arguments: [("DELETE", "/requests"), ("POST", "/reset"), ("DELETE", "/mappings")])
    func whatATestForgetsIsStillTold(method: String, path: String) throws {
        let mock = try mock()
        try addFaults(mock)
        try askForFaults(mock)
        _ = try Exchange(mock.port, "GET", "/api/user/1")
        try mock.add(#"{"request": {"url": "/file"}, "response": {"bodyFileName": "missing"}}"#)
        _ = try Exchange(mock.port, "GET", "/file")
        _ = try mock.admin(method, path)
        _ = try Exchange(mock.port, "GET", "/api/user/1")
        let json = try report(mock).json
        #expect(json["unmatchedRequests"]?[0]?["count"] == 2 && json["unmatchedCount"] == 2)
        #expect(json["unmatchedRequests"]?[0]?["nearestStub"]?["name"]?.stringValue == "users")
        #expect(json["failedRequests"]?[0]?["url"]?.stringValue == "/file" && json["failedCount"] == 1)
        #expect(json["counts"]?["fault"] == 2 && json["timings"]?["count"] == 5)
    }

    // MARK: Beginning anew

    @Test(arguments: [false, true])
    func aReportBegunAnewTellsNothingOfBefore(ofSession: Bool) throws {
        let mock = try mock()
        var (prefix, at) = ("", "/__admin/report")
        if ofSession {
            let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
            (prefix, at) = ("/__session/\(id)", "/__admin/sessions/\(id)/report")
        }
        func ask(_ path: String) throws { _ = try Exchange(mock.port, "GET", prefix + path) }
        let stub = #"{"request": {"url": "/file"}, "response": {"bodyFileName": "missing"}}"#
        _ = try Exchange(mock.port, "POST", prefix + "/__admin/mappings", body: stub)
        let fault = #"{"request": {"urlPath": "/api/users/1"}, "delay": "1ms"}"#
        _ = try Exchange(mock.port, "POST", prefix + "/__admin/faults", body: fault)
        for path in ["/api/users/1", "/nothing", "/nothing", "/file"] { try ask(path) }
        _ = try Exchange(
            mock.port, "POST", prefix + "/__admin/requests/verify",
            body: #"{"expectations": [{"pattern": {"url": "/never"}}]}"#)
        _ = try Exchange(mock.port, "POST", prefix + "/__admin/sessions", body: "{}")
        let all = "?fail=unmatched,unmet,fault,error&stubs=all"
        #expect(try report(mock, all, at: at).reasons == ["unmatched", "unmet", "fault", "error"])

        let answer = try Exchange(mock.port, "DELETE", at)
        #expect(answer.status == 200 && answer.text == "{}")
        let anew = try report(mock, all, at: at)
        #expect(anew.status == 200 && anew.reasons == [], "\(anew)")
        #expect(anew.json["served"] == 0 && anew.json["unmatched"] == [] && anew.json["failed"] == [])
        #expect(anew.json["usedStubCount"] == 0 && anew.json["unusedStubCount"] == 2)
        #expect(anew.json["timings"]?["count"] == 0 && anew.json["faults"] == [])
        // It is still there.
        #expect(anew.json["begunSessions"]?["count"] == 1)
        // The journal keeps what it has, and so do its counters.
        let requests = try Exchange(mock.port, "GET", prefix + "/__admin/requests").json
        #expect(requests?["meta"]?["total"] == 4)

        for path in ["/api/users/1", "/nothing"] { try ask(path) }
        let more = try report(mock, all, at: at).json
        #expect(more["served"] == 2 && more["unmatchedCount"] == 1 && more["usedStubCount"] == 1)
        #expect(more["unmatchedRequests"]?[0]?["count"] == 1 && more["unmatched"]?.arrayValue?.count == 1)
        #expect(more["counts"]?["fault"] == 1 && more["timings"]?["count"] == 2)
    }

    @Test func whatTheJournalDropsAfterwardsDoesNotCountAgain() throws {
        let mock = try mock()
        try addFaults(mock)
        try askForFaults(mock)
        _ = try mock.admin("DELETE", "/report")
        _ = try mock.admin("DELETE", "/requests")
        let report = try report(mock)
        #expect(faults(report).isEmpty && report.json["timings"]?["count"] == 0)
    }

    // MARK: The smallest change

    /// The id of a user that is longer than the rest of the path.
    private static let long = String(repeating: "0a1b2c3d4e", count: 6)

    /// A request line with fields and a body, what differs, and what to change.
    @Test(arguments: [
        (
            "GET", "/api/user/1", [], "",
            "Only the path differs: /api/user/1, the stub has /api/users/{id}. Request /api/users/1, or change the "
                + "stub's path"
        ),
        (
            "PUT", "/api/users/1?x=y", [], "",
            "Only the method differs: PUT, the stub has GET. Send GET, or change the stub's method"
        ),
        (
            "GET", "/keyed?page=2", ["X-Api-Key: abc"], "",
            "Only the query parameter page is 2; the stub wants 1. Send the query parameter page=1 to the request, or relax "
                + "the stub's condition"
        ),
        (
            "GET", "/keyed?page=1", [], "",
            "Only the header X-Api-Key is absent; the stub wants abc. Add the header X-Api-Key: abc to the request, or "
                + "relax the stub's condition"
        ),
        (
            "GET", "/keyed", [], "",
            "2 conditions differ. Add the header X-Api-Key: abc to the request, or relax the stub's condition. Add the query "
                + "parameter page=1 to the request, or relax the stub's condition"
        ),
        (
            "GET", "/keyed?page=1", ["X-Api-Key: abc", "X-Old: 1"], "",
            "Only the header X-Old is there, 1; the stub wants none. Leave the header out of the request, or the condition "
                + "out of the stub"
        ),
        (
            "POST", "/order", [], #"{"sku": "b"}"#,
            #"Only the body differs: $.sku: expected "a", was "b". Send a body that passes equalToJson {"sku":"a"}, or "#
                + "relax the stub's bodyPatterns"
        ),
        (
            "POST", "/order", [], "",
            #"Only the body is empty; the stub wants equalToJson {"sku":"a"}. Send a body that passes equalToJson "#
                + #"{"sku":"a"}, or relax the stub's bodyPatterns"#
        ),
        ("GET", "/once", [], "", #"Only the stub's state is in the way: it answers once ("times"), and has done so"#),
        (
            "GET", "/api/users/1/", [], "",
            "Only the path differs: /api/users/1/, the stub has /api/users/{id}. Request /api/users/1, or change the "
                + "stub's path"
        ),
        (
            "GET", "/v1/api/users/1", [], "",
            "Only the path differs: /v1/api/users/1, the stub has /api/users/{id}. Request what fits /api/users/{id}, or "
                + "change the stub's path"
        ),
        (
            "POST", "/list", [], #"{"a": 2, "b": 2, "c": 2, "d": 2, "e": 2, "f": 2, "g": 2}"#,
            "Only the body differs: $.a: expected 1, was 2; $.b: expected 1, was 2; $.c: expected 1, was 2; $.d: expected "
                + "1, was 2; $.e: expected 1, was 2; and 2 more. Send a body that passes equalToJson "
                + #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}, or relax the stub's bodyPatterns"#
        ),
        (
            "POST", "/text", [], "bye",
            "Only the body is bye; the stub wants contains hello. Send a body that passes contains hello, or relax the "
                + "stub's bodyPatterns"
        ),
        (
            "POST", "/xml", [], "<a>",
            "Only the body differs: not XML: XML document structures must start and end within the same entity. Send a body that "
                + "passes equalToXml <a/>, or relax the stub's bodyPatterns"
        ),
        ("GET", "/quite/another/thing/altogether", [], "", "No stub comes near the request: add one for it"),
        (
            "GET", "/api/user/\(long)", [], "",
            "Only the path differs: /api/user/\(long), the stub has /api/users/{id}. Request /api/users/\(long), or change the "
                + "stub's path"
        ),
        (
            "GET", "/ap/users/\(long)", [], "",
            "Only the path differs: /ap/users/\(long), the stub has /api/users/{id}. Request /api/users/\(long), or change the "
                + "stub's path"
        ),
        ("GET", "/quite/another/\(long)", [], "", "No stub comes near the request: add one for it"),
    ])
    func itIsSaidInASentence(
        method: String, target: String, fields: [String], body: String, change: String
    ) throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"method": "GET", "urlPath": "/keyed", "headers": {"X-Api-Key": {"equalTo": "abc"}, "#
                + #""X-Old": {"absent": true}}, "queryParameters": {"page": {"equalTo": "1"}}}}"#)
        try mock.add(
            #"{"request": {"method": "POST", "url": "/order", "bodyPatterns": [{"equalToJson": {"sku": "a"}}]}}"#)
        try mock.add(#"{"request": {"method": "GET", "url": "/once"}, "times": 1}"#)
        for (path, pattern) in [
            ("list", #"{"equalToJson": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}}"#),
            ("text", #"{"contains": "hello"}"#), ("xml", #"{"equalToXml": "<a/>"}"#),
        ] {
            try mock.add(#"{"request": {"method": "POST", "url": "/\#(path)", "bodyPatterns": [\#(pattern)]}}"#)
        }
        _ = try Exchange(mock.port, "GET", "/once")
        let headers = fields.map { field in
            let parts = field.split(separator: ":", maxSplits: 1).map { String($0.drop { $0 == " " }) }
            return (parts[0], parts[1])
        }
        let answer = try Exchange(mock.port, method, target, headers: headers, body: body)
        #expect(answer.status == 404)
        let json = try report(mock).json
        #expect(json["unmatchedRequests"]?[0]?["smallestChange"]?.stringValue == change)
        #expect(json["unmatched"]?[0]?["smallestChange"]?.stringValue == change)
    }

    // MARK: What was expected

    @Test func aVerificationThatHoldsAtLastIsMet() throws {
        let mock = try mock()
        let expected = #"{"expectations": [{"name": "ada", "pattern": {"url": "/api/users/1"}}]}"#
        _ = try mock.admin("POST", "/requests/verify", expected)
        let unmet = try report(mock).json["unmet"]
        #expect(unmet == [["kind": "verification", "name": "ada", "text": "expected at least 1, got 0"]])
        _ = try Exchange(mock.port, "GET", "/api/users/1")
        _ = try mock.admin("POST", "/requests/verify", expected)
        #expect(try report(mock).json["unmet"] == [])
        _ = try mock.admin("POST", "/requests/wait", #"{"pattern": {"url": "/b"}, "count": {"exactly": 2}}"#)
        #expect(try report(mock).json["unmet"]?[0]?["text"]?.stringValue == "expected exactly 2, got 0")
        _ = try mock.admin("POST", "/reset")
        #expect(try report(mock).json["unmet"] == [])
    }

    @Test func anOrderThatIsNotKeptIsUnmet() throws {
        let mock = try mock()
        for path in ["/b", "/a"] { _ = try Exchange(mock.port, "GET", path) }
        _ = try mock.admin(
            "POST", "/requests/verify",
            #"{"expectations": [{"pattern": {"url": "/a"}}, {"pattern": {"url": "/b"}}], "inOrder": true}"#)
        #expect(
            try report(mock).json["unmet"] == [
                ["kind": "verification", "name": "ANY /a, ANY /b", "text": "the requests came in another order"]
            ])
    }

    @Test func usesThatAreLeftAreUnmet() throws {
        let mock = try mock()
        try mock.add(#"{"name": "thrice", "request": {"url": "/t"}, "times": 3}"#)
        try mock.add(#"{"name": "two", "request": {"url": "/s"}, "responses": [{"body": "1"}, {"body": "2"}]}"#)
        for path in ["/t", "/s"] { _ = try Exchange(mock.port, "GET", path) }
        let texts = try report(mock).json["unmet"]?.arrayValue?.compactMap { $0["text"]?.stringValue }
        #expect(Set(texts ?? []) == ["answered 1 of 3 times", "sent 1 of its 2 responses"])
        for path in ["/t", "/t", "/s"] { _ = try Exchange(mock.port, "GET", path) }
        #expect(try report(mock).json["unmet"] == [])
    }

    @Test func faultsAreCountedByStubAndKind() throws {
        let mock = try mock()
        _ = try mock.admin(
            "POST", "/faults", #"{"name": "slow", "request": {"urlPath": "/api/users/1"}, "delay": "1ms"}"#, status: 201
        )
        for _ in 0..<2 { _ = try Exchange(mock.port, "GET", "/api/users/1") }
        _ = try Exchange(mock.port, "GET", "/api/users/2")
        let json = try report(mock).json
        let fault = try #require(json["faults"]?[0])
        #expect(fault["fault"]?.stringValue == "delay" && fault["source"]?.stringValue == "slow" && fault["count"] == 2)
        #expect(fault["stub"]?["name"]?.stringValue == "users" && json["counts"]?["fault"] == 2)
    }

    /// A fault of a rule is one fault, and what it did to the answer no status.
    @Test(arguments: [
        (#"{"name": "f", "kind": "CONNECTION_RESET_BY_PEER"}"#, "kind", "CONNECTION_RESET_BY_PEER"),
        (#"{"name": "f", "kind": "EMPTY_RESPONSE"}"#, "kind", "EMPTY_RESPONSE"),
        (#"{"name": "f", "cutAfter": "nothing", "then": "rst"}"#, "cutAfter", nil),
    ])
    func aFaultThatEndsAnAnswerCountsOnceAndHasNoStatus(fault: String, name: String, ending: String?) throws {
        let mock = try mock()
        _ = try mock.admin("POST", "/faults", JSONValue(parsing: fault).compactText, status: 201)
        _ = try mock.raw("GET /api/users/1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { try? report(mock).json["timings"]?["count"] == 1 ? true : nil } == true)
        let json = try report(mock).json
        #expect(json["counts"]?["fault"] == 1 && json["faults"]?.arrayValue?.count == 1, "\(json["faults"] ?? .null)")
        #expect(json["requests"]?[0]?["status"] == nil && json["requests"]?[0]?["ending"] != nil, "\(json)")
        if let ending { #expect(json["requests"]?[0]?["ending"]?.stringValue == ending) }
    }

    /// Neither while its client waits, nor once it has left.
    @Test(arguments: [false, true]) func anAnswerThatNeverComesHasNoStatus(isInSession: Bool) throws {
        let mock = try mock()
        let prefix = try isInSession ? "/__session/\(begin(mock, "test"))" : ""
        #expect(try mock.call("POST", prefix + "/__admin/faults", #"{"neverAnswer": true}"#).status == 201)
        let client = try RawClient(port: mock.port)
        try client.send("GET \(prefix)/api/users/9 HTTP/1.1\r\nHost: a\r\n\r\n")
        func asked(isOpen: Bool) -> JSONValue? {
            eventually(within: 30_000) {
                let asked = try? report(mock).json["requests"]?[0]
                return asked.map { ($0["open"] == true) == isOpen } == true ? asked : nil
            }
        }
        let open = try #require(asked(isOpen: true))
        #expect(open["status"] == nil && open["ending"] == nil, "\(open)")
        client.close()
        let ended = try #require(asked(isOpen: false))
        #expect(ended["status"] == nil && ended["ending"] == "neverAnswer", "\(ended)")
    }

    // MARK: What is still open

    /// Whose answer is open, in a session begun through the one that is asked or in itself; of a command that has ended, what is
    /// in its delay broke off.
    @Test(arguments: [false, true], [false, true])
    func whatIsStillOpenIsNotAnswered(isBegun: Bool, hasJournal: Bool) throws {
        var options = SessionOptions.unhurried
        options.keepsJournal = hasJournal
        let mock = try mock(options)
        try mock.add(
            #"{"name": "late", "request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        try mock.add(#"{"name": "held", "request": {"urlPath": "/held"}, "response": {"hold": "g"}}"#)
        let prefix = try isBegun ? "/__session/\(begin(mock, "test"))" : ""
        _ = try Exchange(mock.port, "GET", prefix + "/api/users/1")
        var clients: [RawClient] = []
        for path in ["/late", "/held"] {
            let client = try RawClient(port: mock.port)
            try client.send("GET \(prefix)\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            clients.append(client)
            #expect(
                eventually {
                    (try? Exchange(mock.port, "GET", prefix + "/__admin/in-flight"))?.text.contains(path) == true
                        ? true : nil
                } == true)
        }
        let pending = try mock.admin("GET", "/report/pending")
        #expect(pending == ["webhooks": 0, "answers": 1])
        let now = try report(mock, "?fail=unmatched").json
        #expect(now["openCount"] == 2 && now["counts"]?["aborted"] == 0 && now["served"] == 3, "\(now)")
        #expect(now["open"]?.arrayValue?.map { $0["state"] } == ["delayed", "held"])
        #expect(now["open"]?.arrayValue?.map { $0["stub"]?["name"] } == ["late", "held"])
        #expect(now["open"]?[1]?["gate"] == "g" && now["open"]?[0]?["test"] == (isBegun ? "test" : nil))
        if hasJournal {
            let open = now["requests"]?.arrayValue?.filter { $0["open"] == true }
            #expect(
                open?.map { $0["url"]?.stringValue } == ["/late", "/held"]
                    && open?.allSatisfy { $0["status"] == nil } == true)
            let ended = try report(mock, "?fail=aborted&ended=true")
            #expect(
                ended.reasons == ["aborted"] && ended.json["counts"]?["aborted"] == 1 && ended.json["openCount"] == 2)
            #expect(ended.json["aborted"]?[0]?["reason"] == "Still open when the command ended: in its delay")
            #expect(try report(mock, "?fail=aborted&ended=true&ignore=/late").status == 200)
        }
        #expect(try report(mock, "?ignore=/late&fail=unmatched").json["openCount"] == 1)
        for client in clients { client.close() }
    }

    // MARK: Sessions

    @Test func aSessionIsReportedByIDAndByItsAddress() throws {
        let mock = try mock()
        let session = try mock.admin("POST", "/sessions", #"{"name": "cart"}"#, status: 201)
        let id = try #require(session["id"]?.stringValue)
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/nothing")
        for path in ["/__admin/sessions/\(id)/report", "/__session/\(id)/__admin/report"] {
            let report = try report(mock, "?fail=unmatched", at: path)
            #expect(
                report.status == 422 && report.json["id"]?.stringValue == id
                    && report.json["name"]?.stringValue == "cart")
            #expect(report.json["unusedStubCount"] == 0)
        }
        let own = try report(mock, "?fail=unmatched,unused")
        // With its request, which is one of all.
        #expect(own.status == 422 && own.reasons == ["unmatched", "unused"])
        let header = try Exchange(mock.port, "GET", "/__admin/report", headers: [("X-StuntDouble-Session", id)])
        #expect(header.json?["id"]?.stringValue == id)
    }

    @Test func inheritedStubsCountWhereTheyAreAskedFor() throws {
        let mock = try mock()
        try mock.add(#"{"name": "twice", "request": {"url": "/twice"}, "times": 2}"#)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        // What others ask for does not count.
        for path in ["/api/users/1", "/twice", "/twice"] { _ = try Exchange(mock.port, "GET", path) }
        let path = "/__admin/sessions/\(id)/report"
        for query in ["", "&stubs=own"] {
            #expect(try report(mock, "?fail=unused,unmet" + query, at: path).status == 200)
        }
        let bad = try report(mock, "?fail=unused,unmet&stubs=all", at: path)
        #expect(bad.status == 422 && bad.reasons == ["unused", "unmet"])
        #expect(bad.json["unusedStubCount"] == 2 && bad.json["unmet"]?[0]?["text"] == "answered 0 of 2 times")
        for path in ["/api/users/1", "/twice", "/twice"] {
            _ = try Exchange(mock.port, "GET", "/__session/\(id)" + path)
        }
        #expect(try report(mock, "?fail=unused,unmet&stubs=all", at: path).status == 200)
    }

    /// As a helper for tests begins one for each test of a run: what these use is used.
    @Test(arguments: [false, true]) func stubsThatBegunSessionsUsedAreUsed(haveEnded: Bool) throws {
        let mock = try mock()
        try mock.add(#"{"name": "twice", "request": {"url": "/twice"}, "times": 2}"#)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        let path = "/__admin/sessions/\(id)/report"
        for (used, reasons) in [("/api/users/1", ["unused", "unmet"]), ("/twice", ["unmet"])] {
            let begun = try Exchange(mock.port, "POST", "/__session/\(id)/__admin/sessions", body: "{}")
            let inner = try #require(begun.json?["id"]?.stringValue)
            _ = try Exchange(mock.port, "GET", "/__session/\(inner)" + used)
            if haveEnded { _ = try mock.admin("DELETE", "/sessions/\(inner)") }
            #expect(try report(mock, "?fail=unused,unmet&stubs=all", at: path).reasons == reasons)
        }
        let report = try report(mock, "?stubs=all", at: path).json
        #expect(report["usedStubCount"] == 2 && report["served"] == 2)
    }

    // MARK: Whose it is

    /// A request for a stub that a test's session has, which came without its identity.
    @Test(arguments: [false, true]) func aRequestWithoutIdentityIsToldWhoseStubItIsFor(hasEnded: Bool) throws {
        let mock = try mock()
        let id = try begin(mock, "test_noid", inherit: false)
        let stub = #"{"request": {"method": "GET", "url": "/mine"}}"#
        #expect(try Exchange(mock.port, "POST", "/__session/\(id)/__admin/mappings", body: stub).status == 201)
        #expect(try Exchange(mock.port, "GET", "/mine").status == 404)
        #expect(try Exchange(mock.port, "POST", "/mine").status == 404)
        if hasEnded { _ = try mock.admin("DELETE", "/sessions/\(id)") }
        let missed = try report(mock).json["unmatchedRequests"]
        #expect(
            missed?[0]?["smallestChange"]
                == "The session of test_noid has this stub; the request came without its identity", "\(missed ?? .null)"
        )
        #expect(missed?[0]?["nearestStub"]?["key"] == "GET /mine")
        #expect(missed?[1]?["smallestChange"]?.stringValue?.contains("identity") == false)
        // One that the session has used is not told of, as that did have an identity.
        if !hasEnded {
            #expect(try Exchange(mock.port, "GET", "/__session/\(id)/mine").status == 200)
            #expect(
                try report(mock).json["unmatchedRequests"]?[0]?["smallestChange"]?.stringValue?.contains("identity")
                    == false)
        }
    }

    /// Requests of begun sessions are in the lists of requests, too.
    @Test(arguments: [false, true]) func requestsOfSessionsAreInTheListsOfRequests(haveEnded: Bool) throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/broken"}, "response": {"bodyFileName": "none.txt"}}"#)
        let id = try begin(mock, "my test")
        for path in ["/nothing", "/nothing", "/broken"] {
            _ = try Exchange(mock.port, "GET", "/__session/\(id)" + path)
        }
        if haveEnded { _ = try mock.admin("DELETE", "/sessions/\(id)") }
        let json = try report(mock).json
        let unmatched = json["unmatched"]?.arrayValue ?? []
        #expect(json["unmatchedCount"] == 2 && unmatched.count == 1, "\(json)")
        #expect(unmatched.first?["request"] == ["url": "/nothing", "method": "GET"] && unmatched.first?["count"] == 2)
        #expect(unmatched.first?["test"] == "my test" && unmatched.first?["session"]?.stringValue == id)
        #expect(unmatched.first?["smallestChange"]?.stringValue?.isEmpty == false)
        #expect(json["failed"]?.arrayValue?.map { $0["request"]?["url"] } == ["/broken"], "\(json)")
    }

    /// The files of stubs are named with their folder, as in the other forms.
    @Test func filesAreNamedWithTheirFolder() throws {
        let mock = try mock()
        let text = "GET /a: { body: a }\nGET /b: { body: b }\nGET /c: { file: none.txt }\n"
        let format = try #require(StubFile.Format(path: "shop.yaml"))
        #expect(
            mock.session.update([
                ("shop.yaml", StubFile.read(Array(text.utf8), format: format, path: "shop.yaml").stubs)
            ]).isEmpty)
        for path in ["/a", "/bb", "/c"] { _ = try Exchange(mock.port, "GET", path) }
        let json = try report(mock).json
        let files = [
            json["requests"]?[0]?["stub"], json["unmatchedRequests"]?[0]?["nearestStub"],
            json["unmatched"]?[0]?["nearestStub"],
            json["unusedStubs"]?.arrayValue?.first(where: { $0["key"] == "GET /b" }), json["failed"]?[0]?["stub"],
            json["failedRequests"]?[0]?["stub"],
        ].map { $0?["file"]?.stringValue }
        #expect(files == Array(repeating: "mocks/shop.yaml", count: files.count), "\(json)")
    }

    /// A report that was begun anew, or that of a session in it, says that something may have come before.
    @Test(arguments: [false, true], [false, true]) func aReportSaysThatItWasBegunAnew(ofSession: Bool, hasEnded: Bool)
        throws
    {
        let mock = try mock()
        let id = try begin(mock, "test")
        let prefix = ofSession ? "/__session/\(id)" : ""
        _ = try Exchange(mock.port, "GET", prefix + "/api/users/1")
        #expect(try report(mock).json["begunAnew"] == nil)
        _ = try Exchange(mock.port, "DELETE", prefix + "/__admin/report")
        if hasEnded { _ = try mock.admin("DELETE", "/sessions/\(id)") }
        let anew = try report(mock).json
        #expect(anew["served"] == 0 && anew["begunAnew"] == true, "\(anew)")
    }

    /// The stubs of a collection are one line of the report.
    @Test func aCollectionIsUsedIfAnyPartIs() throws {
        let mock = try mock()
        let text = "CRUD /u:\nCRUD /v:\nGET /w: {}\n"
        let format = try #require(StubFile.Format(path: "shop.yaml"))
        let file = StubFile.read(Array(text.utf8), format: format, path: "shop.yaml")
        #expect(file.stubs.count == 7)
        #expect(mock.session.update([("shop.yaml", file.stubs)]).isEmpty)
        #expect(try Exchange(mock.port, "GET", "/u").status == 200)
        let json = try report(mock, "?fail=unused").json
        let unused = json["unusedStubs"]?.arrayValue?.compactMap { $0["key"]?.stringValue } ?? []
        #expect(unused.sorted() == ["CRUD /v", "GET /api/users/{id}", "GET /w"], "\(unused)")
        #expect(json["unusedStubCount"] == 3 && json["counts"]?["unused"] == 3 && json["usedStubCount"] == 1)
    }

    @Test func theCommandOfARunMayHaveFailed() throws {
        let mock = try mock()
        let answer = try report(mock, "?fail=none&command=3")
        #expect(answer.status == 422 && answer.verdict == "failed" && answer.reasons == [])
        #expect(answer.json["commandFailure"] == "the command failed with status 3")
        #expect(try report(mock, "?fail=none&command=overdue").status == 422)
        #expect(try report(mock, "?fail=none&command=0").status == 400)
        #expect(try report(mock, "?fail=none").json["commandFailure"] == nil)
    }

    /// What the client may have got of an answer that broke off is what was sent.
    @Test func anAnswerThatBreaksOffSaysWhatWasSent() throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"url": "/slow"}, "response": {"body": "ab", "#
                + #""chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 3600000}}}"#)
        let client = try RawClient(port: mock.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            eventually {
                (try? Exchange(mock.port, "GET", "/__admin/in-flight"))?.text.contains("/slow") == true ? true : nil
            } == true)
        client.close()
        #expect(
            eventually(within: 20_000) { (try? report(mock, "?fail=aborted"))?.status == 422 ? true : nil } == true)
        let reason = try report(mock).json["aborted"]?[0]?["reason"]?.stringValue ?? ""
        #expect(
            [
                "The client left before the answer", "The client left with 0 bytes of the body sent",
                "The client left with 1 byte of the body sent",
            ].contains(reason), "\(reason)")
    }

    // MARK: Secrets

    /// As a helper for tests begins one for each test of a run.
    @Test func whatSessionsBegunThroughItWereAskedIsTold() throws {
        let mock = try mock()
        #expect(try report(mock).json["begunSessions"] == nil)
        var paths: [String] = []
        for _ in 0..<2 {
            let begun = try mock.admin("POST", "/sessions", "{}", status: 201)
            paths.append("/__session/" + (begun["id"]?.stringValue ?? ""))
        }
        _ = try Exchange(mock.port, "GET", paths[0] + "/api/users/1")
        _ = try Exchange(mock.port, "GET", paths[1] + "/nothing")
        // A session within a session is the inner one's.
        _ = try Exchange(mock.port, "POST", paths[1] + "/__admin/sessions", body: "{}")
        func numbers(_ report: Answer) -> [JSONValue?] {
            ["count", "served", "unmatchedCount", "failedCount"].map { report.json["begunSessions"]?[$0] }
        }
        #expect(numbers(try report(mock)) == [3, 2, 1, 0])
        let ids = paths.map { String($0.dropFirst("/__session/".count)) }
        for id in ids {
            _ = try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)")
            let after = try report(mock, "?fail=unmatched")
            #expect(numbers(after) == [3, 2, 1, 0] && after.status == 422 && after.json["served"] == 2)
            #expect(after.json["unmatchedRequests"]?[0]?["session"]?.stringValue == ids[1])
        }
        // The one that was begun through a session that has ended.
        let sessions = try report(mock).json["begunSessions"]?["sessions"]?.arrayValue
        #expect(sessions?.map { $0["ended"] } == [true, true, false])
        #expect(try report(mock, "?format=text").status == 200)
        let own = try report(mock, "?fail=unmatched&sessions=own")
        #expect(own.status == 200 && own.json["begunSessions"] == nil && own.json["served"] == 0)
    }

    /// A session, with a name, of the daemon's own.
    private func begin(_ mock: TestMock, _ name: String, inherit: Bool = true) throws -> String {
        let body = JSONValue.object(["name": .string(name), "inherit": .bool(inherit)]).compactText
        return try #require(try mock.admin("POST", "/sessions", body, status: 201)["id"]?.stringValue)
    }

    @Test(arguments: [false, true]) func eachTestIsToldWithWhatItAskedFor(haveEnded: Bool) throws {
        let mock = try mock()
        let ids = [try begin(mock, "good test"), try begin(mock, "bad test")]
        _ = try Exchange(mock.port, "GET", "/__session/\(ids[0])/api/users/1")
        for path in ["/api/users/1", "/api/users/1", "/api/user/1"] {
            _ = try Exchange(mock.port, "GET", "/__session/\(ids[1])" + path)
        }
        if haveEnded { for id in ids { _ = try mock.admin("DELETE", "/sessions/\(id)") } }
        let answer = try report(mock, "?fail=unmatched")
        #expect(answer.status == 422 && answer.json["served"] == 4 && answer.json["unmatchedCount"] == 1)
        let missed = answer.json["unmatchedRequests"]?[0]
        #expect(missed?["test"] == "bad test" && missed?["nearestStub"]?["name"] == "users", "\(answer.json)")
        let asked = answer.json["requests"]?.arrayValue ?? []
        #expect(asked.map { $0["test"]?.stringValue } == ["good test", "bad test", "bad test"])
        #expect(asked.map { $0["count"]?.intValue } == [1, 2, 1])
        #expect(asked.map { $0["stub"]?["name"]?.stringValue } == ["users", "users", nil])
        #expect(asked.map { $0["status"]?.intValue } == [200, 200, 404])
        let reasons = answer.json["begunSessions"]?["sessions"]?.arrayValue?.map { $0["reasons"] }
        #expect(reasons == [[], ["unmatched"]])
        #expect(try report(mock, "?fail=unmatched&ignore=/api/user/*").status == 200)
        #expect(try report(mock, "?fail=unmatched&ignore=/api/user/*").json["ignoredCount"] == 1)
        for format in ["text", "junit", "html", "markdown"] {
            let text = try Exchange(mock.port, "GET", "/__admin/report?format=\(format)").text
            for word in ["good test", "bad test", "/api/user/1", "users"] { #expect(text.contains(word), "\(format)") }
        }
        _ = try mock.admin("DELETE", "/report")
        #expect(try report(mock).json["begunSessions"]?["count"] == (haveEnded ? nil : 2))
    }

    /// More sessions than are kept one by one: all count, and those with something to tell are kept.
    @Test func aRunOfManyTestsCountsThemAll() throws {
        let mock = try mock()
        for number in 0..<2_010 {
            let id = try begin(mock, "test \(number)")
            _ = try Exchange(mock.port, "GET", "/__session/\(id)/" + (number == 2_009 ? "nothing" : "favicon.ico"))
            _ = try mock.admin("DELETE", "/sessions/\(id)")
        }
        let all = try report(mock, "?fail=unmatched")
        #expect(all.json["served"] == 2_010 && all.json["unmatchedCount"] == 2_010)
        #expect(all.json["begunSessions"]?["count"] == 2_010 && all.json["begunSessions"]?["leftOutCount"] == 10)
        let ignoring = try report(mock, "?fail=unmatched&ignore=/favicon.ico")
        #expect(ignoring.json["unmatchedCount"] == 1 && ignoring.json["ignoredCount"] == 2_009, "\(ignoring.reasons)")
    }

    @Test(arguments: [true, false]) func theSameFileHasTheSameStubs(inherits: Bool) throws {
        let mock = try mock()
        let text = "GET /a: { body: a }\nGET /b: { body: b }\n"
        let format = try #require(StubFile.Format(path: "shop.yaml"))
        let file = StubFile.read(Array(text.utf8), format: format, path: "shop.yaml")
        #expect(mock.session.update([("shop.yaml", file.stubs)]).isEmpty)
        let id = try begin(mock, "test", inherit: inherits)
        for name in ["shop.yaml", "other.yaml"] {
            let body = name == "shop.yaml" ? text : "GET /c: { body: c }\n"
            let path = "/__session/\(id)/__admin/mappings/import/\(name)"
            #expect(try Exchange(mock.port, "POST", path, body: body).status == 200)
        }
        let own = try Exchange(mock.port, "GET", "/__admin/sessions/\(id)/report").json
        #expect(own?["unusedStubCount"] == (inherits ? 1 : 3))
        for path in ["/a", "/c"] { #expect(try Exchange(mock.port, "GET", "/__session/\(id)" + path).status == 200) }
        _ = try Exchange(mock.port, "GET", "/api/users/1")
        let one = try report(mock, "?fail=unused&stubs=all").json["unusedStubs"]?.arrayValue?.map { $0["key"] }
        #expect(one == (inherits ? ["GET /b"] : ["GET /b", "GET /b"]), "\(String(describing: one))")
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/b")
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        #expect(try report(mock, "?fail=unused&stubs=all").status == 200)
    }

    /// A stub of a file that a session uses in part is unmet, as it is where it is used without a session.
    @Test(arguments: [[], [1], [2], [1, 1], [2, 2], [2, 0], [2, 1], [0, 0]], [false, true])
    func usesThatASessionHasLeftAreUnmet(uses: [Int], haveEnded: Bool) throws {
        let stubs = [
            #"{"request": {"url": "/once"}, "times": 2}"#,
            #"{"request": {"url": "/turns"}, "responses": [{"status": 503}, {"status": 200}]}"#,
        ]
        for text in stubs {
            let mock = try TestMock()
            let mapping = try StubMapping(json: JSONValue(parsing: text))
            #expect(mock.session.update([("shop.yaml", [mapping])]).isEmpty)
            let path = text.contains("once") ? "/once" : "/turns"
            for count in uses {
                let id = try begin(mock, "test of \(count)")
                for _ in 0..<count { _ = try Exchange(mock.port, "GET", "/__session/\(id)" + path) }
                if haveEnded { _ = try mock.admin("DELETE", "/sessions/\(id)") }
            }
            let all = try report(mock, "?fail=unmet&stubs=all")
            // Of what nobody has used the session of the stub itself tells.
            let expected = uses.contains { $0 > 0 } ? uses.count { $0 == 1 } : 1
            #expect(all.json["unmet"]?.arrayValue?.count == expected, "\(text) \(uses): \(all.json["unmet"] ?? .null)")
            #expect(all.status == (expected > 0 ? 422 : 200))
            if uses == [2, 1] { #expect(all.json["unmet"]?[0]?["test"] == "test of 1") }
        }
    }

    // MARK: Webhooks, and how answers end

    @Test func webhooksThatFailAreMet() throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        let mock = try mock(options)
        let hooks = [
            ("/refused", "http://127.0.0.1:1/x?token=hush7"), ("/missing", "http://127.0.0.1:\(mock.port)/none"),
            ("/fine", "http://127.0.0.1:\(mock.port)/hooked"), ("/odd", "{{nothing.at.all}}"),
        ]
        for (path, url) in hooks {
            try mock.add(
                """
                {"request": {"url": "\(path)"}, "serveEventListeners": [
                  {"name": "webhook", "parameters": {"method": "POST", "url": "\(url)", "body": "b"}}]}
                """)
        }
        try mock.add(#"{"request": {"url": "/hooked"}}"#)
        let id = try begin(mock, "test")
        for (path, _) in hooks { _ = try Exchange(mock.port, "GET", "/__session/\(id)\(path)") }
        let idle = try Exchange(
            mock.port, "POST", "/__session/\(id)/__admin/requests/idle", body: #"{"timeoutMs": 20000}"#)
        #expect(idle.json?["idle"] == true)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        let answer = try report(mock, "?fail=webhook")
        #expect(answer.reasons == ["webhook"] && answer.json["counts"]?["webhook"] == 3, "\(answer.json)")
        let texts = answer.json["webhooks"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
        #expect(
            texts.count == 4 && texts.contains("answered 404") && texts.contains { $0.contains("Connection refused") })
        #expect(answer.json["webhooks"]?[0]?["test"] == "test" && answer.json["webhooks"]?[0]?["stub"]?["key"] != nil)
        #expect(!answer.json.compactText.contains("hush7"))
        #expect(try report(mock, "?fail=unused,error&stubs=all").json["counts"]?["webhook"] == 3)
        _ = try mock.admin("DELETE", "/report")
        #expect(try report(mock, "?fail=webhook").status == 200)
    }

    @Test func aWebhookThatIsStillToBeSentIsMet() throws {
        let mock = try mock()
        try mock.add(
            """
            {"request": {"url": "/late"}, "serveEventListeners": [{"name": "webhook", "parameters": {
              "method": "POST", "url": "http://127.0.0.1:\(mock.port)/api/users/7",
              "delay": {"type": "fixed", "milliseconds": 3600000}}}]}
            """)
        let id = try begin(mock, "test")
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/late")
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        let answer = try Exchange(mock.port, "GET", "/__admin/report?fail=webhook")
        #expect(answer.status == 422 && answer.header("X-StuntDouble-Pending-Webhooks") == "1", "\(answer.text)")
        #expect(answer.json?["webhooks"]?[0]?["state"] == "pending")
        #expect(try report(mock, "?fail=unmatched").status == 200)
    }

    @Test(arguments: [false, true]) func slowAnswersAreThoseOverTheLimit(haveEnded: Bool) throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        let mock = try mock(options)
        try mock.add(
            #"{"name": "late", "request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3100}}"#)
        let id = try begin(mock, "test")
        for path in ["/late?token=hush8", "/api/users/1"] {
            _ = try Exchange(mock.port, "GET", "/__session/\(id)" + path)
        }
        if haveEnded { _ = try mock.admin("DELETE", "/sessions/\(id)") }
        let answer = try report(mock, "?fail=slow%3E3s")
        #expect(answer.reasons == ["slow"] && answer.json["counts"]?["slow"] == 1)
        #expect(answer.json["slowLimitMs"] == 3_000)
        #expect(answer.json["slow"]?[0]?["test"] == "test" && answer.json["slow"]?[0]?["stub"]?["name"] == "late")
        #expect(!answer.json.compactText.contains("hush8"))
        #expect(try report(mock, "?fail=slow%3E60s").status == 200)
        #expect(try report(mock, "?fail=slow%3E3s&ignore=/late").status == 200)
        #expect(try report(mock, "?fail=unmatched").json["counts"]?["slow"] == nil)
        #expect(try report(mock, "?fail=slow").status == 400)
    }

    @Test func anAnswerThatBreaksOffIsMet() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/held"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let id = try begin(mock, "test")
        let client = try RawClient(port: mock.port)
        try client.send("GET /__session/\(id)/held HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            eventually {
                (try? Exchange(mock.port, "GET", "/__session/\(id)/__admin/in-flight"))?.text
                    .contains("/held") == true ? true : nil
            } == true)
        client.close()
        #expect(
            eventually(within: 20_000) { (try? report(mock, "?fail=aborted"))?.status == 422 ? true : nil } == true)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        let answer = try report(mock, "?fail=aborted")
        #expect(answer.json["aborted"]?[0]?["reason"] == "The client left before the answer", "\(answer.json)")
        #expect(answer.json["aborted"]?[0]?["test"] == "test" && answer.json["counts"]?["aborted"] == 1)
        #expect(try report(mock, "?fail=aborted&ignore=/held").status == 200)
    }

    @Test(arguments: ["aborted", "slow%3E1s"]) func withoutAJournalNobodyKnowsHowAnswersEnd(reason: String) throws {
        var options = SessionOptions.unhurried
        options.keepsJournal = false
        let mock = try mock(options)
        #expect(try report(mock, "?fail=\(reason)").status == 400)
        #expect(try report(mock, "?fail=webhook").status == 200)
    }

    @Test(arguments: ["text", "json", "junit", "html", "github", "markdown"])
    func secretsAreInNoForm(format: String) throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction(["X-Key", "token"])
        let mock = try mock(options)
        try mock.add(
            #"{"request": {"url": "/k?token=hush1", "headers": {"X-Key": {"equalTo": "hush2"}}}}"#)
        _ = try Exchange(mock.port, "GET", "/k?token=hush3", headers: [("X-Key", "hush4"), ("Authorization", "hush5")])
        _ = try mock.admin(
            "POST", "/requests/verify", #"{"expectations": [{"pattern": {"url": "/z?token=hush6"}}]}"#)
        let id = try begin(mock, "test?token=hush9")
        try mock.add(
            #"{"name": "n?token=hush10", "request": {"urlPath": "/named"}, "response": {"bodyFileName": "x?token=hush11"}}"#
        )
        for path in ["/k?token=hush12", "/named?token=hush13"] {
            _ = try Exchange(
                mock.port, "POST", "/__session/\(id)" + path, headers: [("Cookie", "token=hush14")],
                body: #"{"token": "hush15"}"#)
        }
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        let text = try Exchange(
            mock.port, "GET", "/__admin/report?format=\(format)&fail=unmatched,unused,error,slow%3E0s"
        ).text
        let secrets = [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15].map { "hush\($0)" }
        for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
    }
}
