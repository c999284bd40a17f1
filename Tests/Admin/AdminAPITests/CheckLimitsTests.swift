import SDPlatform
import SDStubs
import Testing

@testable import SDAdminAPI

/// How far a check of stubs goes.
@Suite struct CheckLimitsTests {
    @Test func itEndsWhenItsClientLeaves() {
        let client = CheckLimits.Client()
        let limits = CheckLimits(.unlimited, client)
        #expect(limits.goesOn() && !limits.hasClientLeft)
        client.leave()
        #expect(!limits.goesOn() && limits.hasClientLeft)
    }

    @Test func itTellsWhatWasNotLookedAt() {
        let limits = CheckLimits(WorkBudget(limit: 0), CheckLimits.Client())
        for _ in 0..<10 { _ = limits.goesOn() }
        #expect(!limits.goesOn())
        limits.note("3 stubs of 5")
        #expect(limits.text?.hasSuffix("3 stubs of 5") == true)
        let others = CheckLimits(.unlimited, CheckLimits.Client())
        others.note("nothing")
        #expect(others.text == nil)
    }
}
