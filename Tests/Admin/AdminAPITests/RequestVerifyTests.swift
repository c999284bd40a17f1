import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `requests/verify`: one verdict on several expectations, their order, and the absence of other requests.
@Suite struct RequestVerifyTests {
    private func mock(_ paths: String...) throws -> TestMock {
        let mock = try TestMock()
        for path in paths { _ = try Exchange(mock.port, "GET", "/" + path) }
        return mock
    }

    private func verify(_ mock: TestMock, _ body: String) throws -> JSONValue {
        try mock.admin("POST", "/requests/verify", body)
    }

    private static func expect(_ names: String...) -> String {
        names.map { #"{"name": "\#($0)", "pattern": {"url": "/\#($0)"}}"# }.joined(separator: ", ")
    }

    @Test func eachExpectationHasItsVerdict() throws {
        let mock = try mock("a", "b", "a", "bb")
        let verdict = try verify(
            mock,
            """
            {"expectations": [
                {"name": "two of a", "pattern": {"url": "/a"}, "count": {"exactly": 2}},
                {"pattern": {"url": "/b"}, "count": {"atLeast": 2}},
                {"name": "no c", "pattern": {"url": "/c"}, "count": {"exactly": 0}}
            ]}
            """)
        #expect(verdict["verified"] == false)
        #expect(verdict["lastSequence"] == 4)
        #expect(verdict["order"] == ["ok": true, "chains": []])
        #expect(verdict["unexpected"] == [])
        let each = try #require(verdict["expectations"]?.arrayValue)
        #expect(
            each[0] == ["name": "two of a", "expected": "exactly 2", "count": 2, "ok": true, "sequences": [1, 3]])
        #expect(each[1]["ok"] == false)
        #expect(each[1]["sequences"] == [2])
        #expect(each[1]["nearMisses"]?[0]?["sequence"] == 4)
        #expect(each[2] == ["name": "no c", "expected": "exactly 0", "count": 0, "ok": true, "sequences": []])
    }

    @Test func aNearMissShowsWhereDocumentsDiffer() throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "POST", "/a", body: #"{"b": {"c": [1, 3]}}"#)
        let verdict = try verify(
            mock,
            #"{"expectations": [{"pattern": {"url": "/a", "bodyPatterns": [{"equalToJson": {"b": {"c": [1, 2]}}}]}}]}"#)
        let condition = verdict["expectations"]?[0]?["nearMisses"]?[0]?["differences"]?[0]
        #expect(condition?["differences"] == ["$.b.c[1]: expected 2, was 3"])
        #expect(
            verdict["text"]?.stringValue?.contains("        bodyPatterns 0 $.b.c[1]: expected 2, was 3\n") == true)
    }

    @Test func theTextDescribesEachFailure() throws {
        let mock = try mock("login", "cart/1", "pay", "favicon.ico")
        let verdict = try verify(
            mock,
            """
            {"expectations": [
                {"name": "pay", "pattern": {"method": "GET", "url": "/pay"}, "count": {"exactly": 1}},
                {"name": "login", "pattern": {"method": "POST", "url": "/login"}},
                {"name": "cart", "pattern": {"urlPathTemplate": "/cart/{id}"}}
            ], "inOrder": [[0, 2]], "nothingElse": true}
            """)
        #expect(
            verdict["text"]?.stringValue == """
                not verified: 1 of 3 expectations not met
                ✓ pay: expected exactly 1, received 1 (#3)
                    {"url":"/pay","method":"GET"}
                ✗ login: expected at least 1, received 0
                    {"url":"/login","method":"POST"}
                    near: #1 GET /login
                        method: expected POST, received GET
                    near: #4 GET /favicon.ico
                        method: expected POST, received GET
                        url: expected /login, received /favicon.ico
                    near: #3 GET /pay
                        method: expected POST, received GET
                        url: expected /login, received /pay
                ✓ cart: expected at least 1, received 1 (#2)
                    {"urlPathTemplate":"/cart/{id}","method":"ANY"}
                ✗ order: cart was not received after #3 (pay), only #2
                ✗ nothing else: 2 unexpected
                    #1 GET /login
                    #4 GET /favicon.ico

                """)
        #expect(verdict["unexpected"]?.arrayValue?.map { $0["sequence"]?.intValue } == [1, 4])
        #expect(verdict["unexpected"]?[1]?["request"]?["url"] == "/favicon.ico")
    }

    @Test(arguments: [
        // Expectations a, b, c and the requests in the order of the list.
        (["a", "b", "c"], "true", true), (["a", "c", "b"], "true", false), (["c", "a", "b", "c"], "true", true),
        (["a", "x", "b", "x", "c"], "true", true), (["b", "a", "b", "a", "c"], "true", true),
        (["c", "b", "a"], "true", false), (["c", "b", "a"], "[[2, 1, 0]]", true),
        (["c", "b", "a"], "[[2, 0], [1, 0]]", true), (["c", "b", "a"], "[[2, 0], [0, 1]]", false),
        (["c", "b", "a"], "[]", true), (["c", "b", "a"], "[[]]", true), (["c", "b", "a"], "false", true),
        // An event counts for one place in a chain.
        (["a", "b", "c"], "[[0, 0]]", false), (["a", "b", "a", "c"], "[[0, 1, 0]]", true),
    ])
    func theOrderOfExpectationsIsChecked(paths: [String], order: String, isOK: Bool) throws {
        let mock = try TestMock()
        for path in paths { _ = try Exchange(mock.port, "GET", "/" + path) }
        let verdict = try verify(mock, #"{"expectations": [\#(Self.expect("a", "b", "c"))], "inOrder": \#(order)}"#)
        #expect(verdict["order"]?["ok"] == .bool(isOK), "\(verdict)")
        #expect(verdict["verified"] == .bool(isOK))
    }

    @Test func aFailedOrderShowsHowFarItGot() throws {
        let mock = try mock("a", "c", "b")
        let chain = try verify(mock, #"{"expectations": [\#(Self.expect("a", "b", "c"))], "inOrder": true}"#)
        #expect(
            chain["order"] == [
                "ok": false, "chains": [["expectations": [0, 1, 2], "ok": false, "sequences": [1, 3], "missing": 2]],
            ])
    }

    @Test func anExpectationOfSeveralIsPassedAtItsLastRequest() throws {
        let mock = try mock("a", "b", "a", "b", "b")
        let two =
            #"{"pattern": {"url": "/a"}, "count": {"exactly": 2}}, {"pattern": {"url": "/b"}, "count": {"atLeast": 2}}"#
        let none = #"{"pattern": {"url": "/a"}, "count": {"atMost": 0}}"#
        let order = try verify(mock, #"{"expectations": [\#(two)], "inOrder": true}"#)["order"]
        #expect(order?["ok"] == true)
        #expect(order?["chains"]?[0]?["sequences"] == [3, 5])
        // An expectation that allows no request has no place in the order.
        let free = try verify(mock, #"{"expectations": [\#(two), \#(none)], "inOrder": true}"#)
        #expect(free["order"]?["ok"] == true)
        #expect(free["verified"] == false)
    }

    @Test(arguments: [
        ("true", 0, [1, 3]), (#"{"since": 1}"#, 0, [3]), (#"{"since": 3}"#, 0, []), ("true", 2, [3]), ("false", 0, []),
        // A request before `since` is unexpected only if no expectation asks for it.
        (#"{"since": 0}"#, 2, [1, 3]),
    ])
    func nothingElseListsUnexpectedRequests(document: String, since: Int, unexpected: [Int]) throws {
        let mock = try mock("x", "a", "y", "a")
        let verdict = try verify(
            mock,
            #"{"expectations": [\#(Self.expect("a"))], "nothingElse": \#(document), "since": \#(since)}"#)
        #expect(verdict["unexpected"]?.arrayValue?.compactMap { $0["sequence"]?.intValue } == unexpected)
        #expect(verdict["verified"] == .bool(unexpected.isEmpty))
    }

    @Test func nothingElseAloneVerifiesThatNothingWasReceived() throws {
        let mock = try mock()
        let verdict = try verify(mock, #"{"expectations": [], "nothingElse": true, "inOrder": true}"#)
        #expect(verdict["verified"] == true)
        #expect(verdict["text"] == "verified\n")
        _ = try Exchange(mock.port, "GET", "/")
        #expect(try verify(mock, #"{"expectations": [], "nothingElse": true}"#)["verified"] == false)
    }

    @Test func itWaitsUntilAllHolds() throws {
        let mock = try mock()
        let call = try PendingCall(
            mock.port, "/requests/verify",
            #"{"expectations": [\#(Self.expect("a", "b"))], "inOrder": true, "timeoutMs": 60000}"#)
        try mock.waitUntil(listeners: 1)
        for path in ["b", "a"] { _ = try Exchange(mock.port, "GET", "/" + path) }
        #expect(call.isSilent)
        _ = try Exchange(mock.port, "GET", "/b")
        let verdict = try call.json()
        #expect(verdict["verified"] == true)
        #expect(verdict["order"]?["chains"]?[0]?["sequences"] == [2, 3])
        let late = try PendingCall(
            mock.port, "/requests/verify", #"{"expectations": [\#(Self.expect("c"))], "timeoutMs": 30}"#)
        #expect(try late.json()["verified"] == false)
    }
}
