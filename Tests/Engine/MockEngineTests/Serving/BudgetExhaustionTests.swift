import SDExplanations
import SDHTTPTransport
import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// A request that costs more than its budget: the answer says so, and so do the log and the journal.
@Suite struct BudgetExhaustionTests {
    private static let target = "/" + String(repeating: "a", count: 2_000) + "!"

    private func session(limit: UInt64 = 5_000_000, _ stubs: String...) throws -> ServedSession {
        var options = SessionOptions()
        options.matchBudget = limit
        let served = try ServedSession(options)
        for stub in stubs { try served.add(stub) }
        return served
    }

    private static let dear = """
        {"name": "dear", "priority": 1, "request": {"urlPathPattern": "/(a+)+$"}, "response": {"status": 201}}
        """
    private static let text =
        "Matching this request was given up after 5 ms of processor time, most of it for the regular expression "
        + "`/(a+)+$` of the stub \"dear\"; make that cheaper, or raise the limit with --match-budget"

    @Test func isAnswered500WithTheStubAndItsMatcher() throws {
        let served = try session(Self.dear)
        let answer = try served.ask("GET", Self.target)
        #expect(answer.status == 500)
        #expect(String(decoding: answer.body, as: UTF8.self) == Self.text + "\n")
        #expect(served.log.failures.withLock { $0 } == [Self.text])
        let event = served.newest
        #expect(event?["wasMatched"] == false)
        #expect(event?["response"]?["status"] == 500)
        #expect(event?["subEvents"]?[0]?["type"] == "WARNING")
        #expect(event?["subEvents"]?[0]?["data"]?["message"] == .string(Self.text))
    }

    /// A stub that follows would match; but the one before it might have.
    @Test func noOtherStubAnswers() throws {
        let served = try session(Self.dear, #"{"request": {"urlPattern": ".*"}, "response": {"status": 202}}"#)
        #expect(try served.ask("GET", Self.target).status == 500)
        #expect(try served.ask("GET", "/b").status == 202)
    }

    @Test(arguments: [
        #"{"not": {"matches": "/(a+)+$"}}"#, #"{"doesNotMatch": "/(a+)+$"}"#,
        #"{"or": [{"matches": "/(a+)+$"}, {"anything": "x"}]}"#,
    ]) func whatIsNotKnownIsNotTrue(matcher: String) throws {
        let served = try session(#"{"request": {"headers": {"X": \#(matcher)}}, "response": {"status": 202}}"#)
        #expect(try served.ask("GET", "/", headers: ["X: \(Self.target)"]).status == 500)
        #expect(try served.ask("GET", "/", headers: ["X: b"]).status == 202)
    }

    @Test func aScenarioDoesNotMoveAndTheStubIsNotCounted() throws {
        let served = try session(
            """
            {"scenarioName": "s", "newScenarioState": "moved", "request": {"urlPathPattern": "/(a+)+$"},
             "response": {"status": 201}}
            """)
        #expect(try served.ask("GET", Self.target).status == 500)
        #expect(RequestList.counters(of: served.session)["stubs"]?[0]?["matches"] == 0)
        #expect(RequestList.counters(of: served.session)["failed"] == 1)
    }

    @Test func manyStubsShareOneBudget() throws {
        let served = try session(limit: 20_000_000)
        for index in 0..<500 {
            try served.add(
                #"{"request": {"urlPathPattern": "/\#(index)?(a|b)*(a|c)*(a|d)*[xy]"}, "response": {"status": 201}}"#)
        }
        let begin = SystemCalls.threadProcessorNanoseconds()
        #expect(try served.ask("GET", Self.target).status == 500)
        #expect(
            SystemCalls.threadProcessorNanoseconds() - begin < 1_000_000_000,
            "the client waited for the server, not for its own work")
    }

    /// A report whose stubs are dear to describe is still a 404.
    @Test func aReportThatIsTooDearSaysSo() throws {
        let nearest = #"{"equalToJson": {"a": "${json-unit.regex}(a+)+$"}}"#
        let served = try session(
            #"{"request": {"urlPath": "/x", "bodyPatterns": [\#(nearest)]}, "response": {"status": 201}}"#)
        let body = #"{"a": "\#(Self.target.dropFirst())"}"#
        let answer = try PersistentConnection(port: served.server.port).request("POST", "/y", body: body)
        #expect(answer.status == 404)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("The search for the nearest one was given up"))
    }

    @Test func aReportShowsTheBeginningOfALongBody() throws {
        let served = try session(
            limit: 250_000_000,
            #"{"request": {"urlPath": "/x", "bodyPatterns": [{"equalTo": "y"}]}, "response": {"status": 201}}"#)
        let body = String(repeating: "z", count: 3_000_000)
        let answer = try PersistentConnection(port: served.server.port).request("POST", "/x", body: body)
        #expect(answer.status == 404)
        let report = String(decoding: answer.body, as: UTF8.self)
        #expect(report.utf8.count < 400_000)
        #expect(report.contains("of 3000000 bytes)"))
    }

    @Test func callsOfTheAdminAPIAreRefusedWithTheReason() throws {
        let served = try session()
        #expect(try served.ask("GET", Self.target).status == 404)
        try served.add(
            #"{"metadata": {"a": "\#(Self.target)"}, "request": {"url": "/m"}, "response": {"status": 201}}"#)
        var pattern = RequestPattern()
        pattern.url = .urlPathPattern("/(a+)+$")
        let reason = "`/(a+)+$`; make that cheaper, or raise the limit with --match-budget"
        #expect(
            refusal { () throws(StubRefusal) in _ = try served.session.events(matching: pattern) }?.hasSuffix(reason)
                == true)
        #expect(refusal { () throws(StubRefusal) in _ = try served.session.count(pattern) }?.hasSuffix(reason) == true)
        #expect(
            refusal { () throws(StubRefusal) in _ = try served.session.nearMisses(to: pattern) }?.hasSuffix(reason)
                == true)
    }

    private func refusal(_ call: () throws(StubRefusal) -> Void) -> String? {
        do {
            try call()
            return nil
        } catch {
            guard case .tooCostly(let reason) = error else { return nil }
            return reason
        }
    }
}
