import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Templates in body files.
@Suite(.timeLimit(.minutes(30))) struct FileTemplateTests {
    private func served(_ text: String, budget: UInt64 = UInt64(250_000_000 * ProcessFacts.patience)) throws
        -> ServedSession
    {
        var options = SessionOptions()
        options.matchBudget = budget
        let served = try ServedSession(options, files: ["a.txt": text])
        try served.add(
            #"{"request": {"url": "/a"}, "response": {"bodyFileName": "a.txt", "transformers": ["response-template"]}}"#
        )
        return served
    }

    @Test func aTemplateIsReadOnceAVersion() throws {
        let served = try served("{{request.method}} 1")
        for _ in 0..<2 { #expect(try served.ask("GET", "/a").text == "GET 1") }
        served.files["a.txt"] = "{{request.method}} 2"
        #expect(try served.ask("GET", "/a").text == "GET 2")
    }

    @Test func aTemplateThatTakesLongerThanItsRequestMayIsRefused() throws {
        let served = try served("{{request.method}}" + String(repeating: "x", count: 2_000_000), budget: 6_000_000)
        let answer = try served.ask("GET", "/a")
        #expect(answer.status == 500)
        #expect(answer.text.contains("the template in the body file `a.txt` of the stub"), "\(answer.text)")
        #expect(answer.text.contains("--match-budget"))
        #expect(served.log.failures.withLock { $0.count } == 1)
        // A shorter one takes its place.
        served.files["a.txt"] = "{{request.method}}"
        #expect(try served.ask("GET", "/a").text == "GET")
    }

    @Test func aTemplateTooLongForALoopIsReadBesideIt() throws {
        let served = try served("{{request.method}}" + String(repeating: "x", count: 2_000_000))
        let answer = try served.ask("GET", "/a")
        #expect(answer.status == 200)
        #expect(answer.body.count == 2_000_003)
    }
}
