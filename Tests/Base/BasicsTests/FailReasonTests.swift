import SDBasics
import Testing

@Suite struct FailReasonTests {
    @Test(arguments: [
        ("unmatched", [FailReason.unmatched]), ("error,unmatched", [.unmatched, .error]), ("none", []),
        ("unused, unused ,fault", [.unused, .fault]), ("unmatched,unused,unmet,fault,error", FailReason.allCases),
    ])
    func aListNamesReasonsInAnyOrder(text: String, reasons: [FailReason]) throws {
        #expect(try FailReason.list(text) == reasons)
    }

    @Test(arguments: [
        ("", ""), ("unmached", "unmached"), ("unmatched,", ""), ("none,unused", "none"), ("Unused", "Unused"),
        ("unused;fault", "unused;fault"),
    ])
    func whatIsNoReasonIsNamed(text: String, found: String) {
        #expect(throws: FailReasonProblem(found: found)) { try FailReason.list(text) }
    }

    @Test func theNearestReasonIsSuggested() {
        #expect(FailReasonProblem(found: "unmached").nearest == "unmatched")
        #expect(FailReasonProblem(found: "").nearest == nil)
        #expect(FailReasonProblem(found: "").expected == "a list of unmatched, unused, unmet, fault, error, or none")
    }
}
