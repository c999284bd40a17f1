import SDHTTPTransport
import SDJSON
import SDPlatform
import SDReports
import SDStubModel
import SDTestSupport
import Testing

@testable import SDJournal
@testable import SDMockEngine

/// What ledgers note for reports reaches other replicas.
@Suite struct CounterNoteTests {
    private func pair() throws -> (one: ReplicaFixture, two: ReplicaFixture) {
        (try ReplicaFixture(1), try ReplicaFixture(2))
    }

    private func expectation(_ path: String) throws -> SDJournal.Expectation {
        SDJournal.Expectation(pattern: try RequestPattern(json: JSONValue(parsing: #"{"urlPath": "\#(path)"}"#)))
    }

    @Test func refusalsAreCountedInBoth() throws {
        let (one, two) = try pair()
        let place = FileLocation(file: "shop.yaml", line: 3)
        for _ in 0..<3 { one.session.noteRefusal(.preflight, "http://a", "may not", at: place) }
        two.session.noteRefusal(.preflight, "http://a", "may not", at: place)
        try one.handIn(to: two)
        try two.handIn(to: one)
        for replica in [one, two] {
            let (refusals, count) = replica.session.refused
            #expect(count == 4)
            #expect(refusals.count == 1 && refusals[0].count == 4 && refusals[0].place == place)
        }
        #expect(one.shared.takeBatch(all: true, maxBytes: 1 << 20) == nil, "what was heard is not told again")
    }

    @Test func aVerificationIsTheSameQuestionEverywhere() throws {
        let (one, two) = try pair()
        let asked = try expectation("/a")
        one.session.verifications.note([(asked, 0, false)], holds: false, unexpected: 0, nil)
        try one.handIn(to: two)
        #expect(two.session.verifications.unmet.map(\.text) == ["expected at least 1, got 0"])
        two.session.verifications.note([(asked, 1, true)], holds: true, unexpected: 0, nil)
        try two.handIn(to: one)
        #expect(one.session.verifications.unmet.isEmpty && two.session.verifications.unmet.isEmpty)
    }

    @Test func aResetForgetsWhatWasNotHandedIn() throws {
        let (one, two) = try pair()
        one.session.verifications.note([(try expectation("/a"), 0, false)], holds: false, unexpected: 0, nil)
        for replica in [one, two] { replica.session.dropAllButFiles() }
        try one.handIn(to: two)
        #expect(two.session.verifications.unmet.isEmpty)
    }

    @Test func webhooksOfAnotherReplicaArePendingUntilTheyEnd() throws {
        let (one, two) = try pair()
        let ledger = one.session.webhookLedger
        let numbers = [ledger.began(), ledger.began(), ledger.began()]
        ledger.made(numbers[0], method: "POST", url: "http://a/", stub: nil)
        try one.handIn(to: two)
        #expect(two.session.webhookLedger.findings.pending == 3)
        #expect(two.session.webhookLedger.pendingCount == 0)
        ledger.ended(numbers[0], "answered 204", isBad: false)
        ledger.left(numbers[1])
        try one.handIn(to: two)
        var found = two.session.webhookLedger.findings
        #expect(found.webhooks.map(\.text) == ["answered 204", "not sent yet"] && found.bad == 1)
        two.registry.replicaLeft(1)
        found = two.session.webhookLedger.findings
        #expect(found.webhooks.map(\.state) == [.sent, .failed] && found.pending == 0 && found.bad == 1)
    }

    @Test func aNoteOfAnUnknownKindIsRefused() throws {
        for bytes: [UInt8] in [[], [0], [9, 1], [5, 1, 0x61, 1], [4, 1, 0x61, 0, 0]] {
            var reader = PackedReader(bytes)
            #expect(throws: PackedReader.Problem.self) { _ = try ReadNote(&reader) }
        }
    }
}
