import SDBasics
import Testing

@Suite struct FailReasonTests {
    @Test(arguments: [
        ("unmatched", [FailReason.unmatched]), ("error,unmatched", [.unmatched, .error]), ("none", []),
        ("fault, unused ", [.unused, .fault]),
        (
            "unmatched,unused,unmet,fault,error,webhook,aborted",
            [.unmatched, .unused, .unmet, .fault, .error, .webhook, .aborted]
        ),
        ("aborted,webhook", [.webhook, .aborted]),
    ])
    func aListNamesReasonsInAnyOrder(text: String, reasons: [FailReason]) throws {
        let list = try FailOn(reading: text)
        #expect(list.reasons == reasons && list.slowLimit == nil)
        #expect(try FailOn(reading: list.words.joined(separator: ",")) == list)
    }

    @Test(arguments: [
        ("slow>1s", 1000), ("slow>250ms", 250), ("slow > 1.5s", 1500), ("slow>2m", 120_000), ("slow>0s", 0),
        ("unmatched,slow>1 h", 3_600_000),
    ])
    func slowHasATime(text: String, limit: Int) throws {
        let list = try FailOn(reading: text)
        #expect(list.slowLimit == limit && list.contains(.slow))
        #expect(try FailOn(reading: list.words.joined(separator: ",")) == list)
    }

    @Test(arguments: ["slow", "slow>", "slow>1", "slow>s", "slow>-1s", "slow>1s>2s", "slow>1d", "slow>1e3s", "slow>∞s"])
    func aSlowWithoutATimeIsToldOfQuotes(text: String) throws {
        let problem = #expect(throws: FailReasonProblem.self) { try FailOn(reading: text) }
        #expect(problem?.found == text && problem?.nearest == "slow>1s")
        #expect(problem?.expected.contains("in quotes since a shell takes > for itself") == true)
    }

    @Test(arguments: [
        ("", ""), ("unmached", "unmached"), ("unmatched,", ""), ("none,unused", "none"), ("Unused", "Unused"),
        ("unused;fault", "unused;fault"),
    ])
    func whatIsNoReasonIsNamed(text: String, found: String) {
        #expect(throws: FailReasonProblem(found: found)) { try FailOn(reading: text) }
    }

    @Test(arguments: [("unused, unused ,fault", FailReason.unused), ("slow>2m,slow>3s", .slow)])
    func aReasonIsNamedOnce(text: String, reason: FailReason) {
        #expect(throws: FailReasonProblem(found: text, reason, isTwice: true)) { try FailOn(reading: text) }
    }

    @Test func theNearestReasonIsSuggested() throws {
        #expect(FailReasonProblem(found: "unmached").nearest == "unmatched")
        #expect(FailReasonProblem(found: "slo>1s").nearest == "slow>1s")
        #expect(FailReasonProblem(found: "").nearest == nil)
        #expect(
            FailReasonProblem(found: "").expected
                == "a list of unmatched, unused, unmet, fault, error, webhook, aborted, slow>TIME, contract, or none")
        let timed = #expect(throws: FailReasonProblem.self) { try FailOn(reading: "unused>1s") }
        #expect(timed?.nearest == "unused")
    }
}
