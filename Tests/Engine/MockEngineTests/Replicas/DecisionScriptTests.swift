import SDJournal
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDMockEngine

/// The script of the shared server, its arguments and its reply.
@Suite struct DecisionScriptTests {
    private let proposal = {
        var proposal = Proposal(key: DecisionKey(session: nil, reset: 7))
        proposal.candidates = [
            .init(scenario: .init(field: "s:0:S", known: "Started", required: "A", next: "B")),
            .init(
                times: .init(field: "t:x", known: 1, limit: 3),
                sequence: .init(field: "q:x", known: 0, last: 1, isLoop: true, value: nil)),
            .init(),
        ]
        return proposal
    }()

    @Test func argumentsAreTwelveForEachCandidate() {
        let words = DecisionScript.arguments(proposal).map { String(decoding: $0, as: UTF8.self) }
        #expect(proposal.key.text == "d:base:7")
        #expect(words[..<3] == ["600", "10000", "3"])
        #expect(words[3..<15] == ["s:0:S", "Started", "=A", "=B", "", "", "", "", "", "", "", ""])
        #expect(words[15..<27] == ["", "", "", "", "t:x", "1", "3", "q:x", "0", "1", "1", ""])
        #expect(words[27...].allSatisfy(\.isEmpty) && words.count == 39)
    }

    @Test func aReplyIsRead() throws {
        let reply = DecisionScript.Reply.list([
            .integer(2), .integer(1), .text(Array("C".utf8)), .text([]), .text([]), .text(Array("2".utf8)),
        ])
        let expected = Verdict(chosen: 1, place: 1, seen: [.init(state: "C"), .init(used: 2)])
        #expect(try DecisionScript.verdict(reply, on: proposal) == expected)
    }

    @Test(arguments: [
        (DecisionScript.Reply.other("ERR no"), "is none: ERR no"), (.list([]), "is none: a list of 0"),
        (.list([.integer(4), .integer(0)]), "is none"), (.list([.integer(-1), .integer(0)]), "is none"),
        (.list([.integer(1), .integer(0)]), "has 2 items in place of 4"),
        (.list([.integer(1), .integer(0), .integer(1), .text([])]), "has no text"),
        (
            .list([.integer(2), .integer(2), .text([]), .text([]), .text([]), .text([0x31])]),
            "place in a list of 2 responses is 2"
        ),
        (
            .list([.integer(2), .integer(0), .text([]), .text([]), .text([]), .text([0x2D, 0x31])]),
            "number of uses is none"
        ),
    ])
    func aWrongReplyIsRefused(reply: DecisionScript.Reply, reason: String) {
        do throws(DecisionProblem) {
            _ = try DecisionScript.verdict(reply, on: proposal)
            Issue.record("\(reply) was read")
        } catch {
            #expect(error.message.contains(reason))
        }
    }

    private static func candidate(_ generator: inout SeededGenerator) -> Proposal.Candidate {
        var candidate = Proposal.Candidate()
        let states = ["Started", "=", "", "C c"]
        if Bool.random(using: &generator) {
            candidate.scenario = .init(
                field: "s:\(Int.random(in: 0..<2, using: &generator))", known: "Started",
                required: Bool.random(using: &generator) ? states.randomElement(using: &generator) : nil,
                next: Bool.random(using: &generator) ? states.randomElement(using: &generator) : nil)
        }
        if Bool.random(using: &generator) {
            candidate.times = .init(field: "t:\(Int.random(in: 0..<4, using: &generator))", known: 1, limit: 5)
        }
        if Bool.random(using: &generator) {
            let number = Int.random(in: 0..<6, using: &generator)
            candidate.sequence = .init(
                field: "q:\(number)", known: number < 3 ? 1 : 0, last: 2, isLoop: Bool.random(using: &generator),
                value: number < 3 ? nil : [UInt8](repeating: 0x41, count: Int.random(in: 0..<3, using: &generator)))
        }
        return candidate
    }

    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func aServerDecidesAsItIsMeant() throws {
        let memory = MemoryDecider()
        let server = try RedisServer()
        let decider = try ServerDecider(server)
        let verdicts = Events<Result<Verdict, DecisionProblem>>()
        var generator = SeededGenerator(seed: 11)
        for number in 0..<2_000 {
            var proposal = Proposal(key: DecisionKey(session: number.isMultiple(of: 3) ? "s1" : nil, reset: 0))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                proposal.candidates.append(Self.candidate(&generator))
            }
            decider.decide(proposal) { verdicts.tell($0) }
            let found = try #require(verdicts.next()).get()
            try #require(found == memory.verdict(proposal), "number \(number)")
        }
    }

    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func aServerCountsForFaultsAsItIsMeant() throws {
        let memory = MemoryDecider()
        let server = try RedisServer()
        let decider = try ServerDecider(server)
        let verdicts = Events<Result<Verdict, DecisionProblem>>()
        var generator = SeededGenerator(seed: 12)
        for number in 0..<1_000 {
            var proposal = Proposal(key: DecisionKey(session: number.isMultiple(of: 3) ? "s1" : nil, reset: 0))
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let field = Int.random(in: 0..<8, using: &generator)
                proposal.counts.append(
                    FaultCount(
                        "f:\(field)", known: field == 1 ? 1 : 0, first: field < 5 ? 4 : nil,
                        value: (2..<4).contains(field) ? [UInt8](repeating: 0x41, count: number % 3) : nil,
                        quota: field > 3 ? FaultRule.Quota(limit: 5, period: 3_600_000) : nil))
            }
            decider.decide(proposal) { verdicts.tell($0) }
            var found = try #require(verdicts.next()).get()
            let expected = memory.verdict(proposal)
            for (index, wait) in found.counts.map(\.wait).enumerated() where wait ?? 0 > 0 {
                try #require(wait ?? 0 > 3_500_000, "number \(number)")
                found.counts[index].wait = 3_600_000
            }
            try #require(found == expected, "number \(number)")
        }
    }

    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func aPeriodEndsByTheServersTime() throws {
        let decider = try ServerDecider(RedisServer())
        let verdicts = Events<FaultCount.Verdict?>()
        func ask() -> Int? {
            var proposal = Proposal(key: DecisionKey(session: nil, reset: 0))
            let quota = FaultRule.Quota(limit: 2, period: 300)
            proposal.counts = [FaultCount("f:q", known: 0, first: nil, value: nil, quota: quota)]
            decider.decide(proposal) { verdicts.tell((try? $0.get())?.counts.first) }
            return (verdicts.next() ?? nil)?.wait
        }
        #expect([ask(), ask()] == [0, 0])
        // The period began with the first request, so this one waits for its end, however slow the machine is.
        while let wait = ask(), wait > 0 { #expect(wait <= 300) }
        #expect(ask() == 0)
    }

    /// As one process does it: of those that are forgotten the first come first.
    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func valuesBeyondTheirNumberAreForgotten() throws {
        let most = 10
        let decider = try ServerDecider(RedisServer(), maxValues: most)
        let verdicts = Events<Int?>()
        func ask(_ values: [Int]) -> [Int?] {
            for value in values {
                var proposal = Proposal(key: DecisionKey(session: nil, reset: 0))
                proposal.candidates = [
                    .init(
                        sequence: .init(
                            field: "q:v", known: 0, last: 5, isLoop: false, value: Array(String(value).utf8)))
                ]
                decider.decide(proposal) { verdicts.tell((try? $0.get())?.place) }
            }
            return values.map { _ in verdicts.next() ?? nil }
        }
        #expect(ask(Array(0..<most)).allSatisfy { $0 == 0 })
        #expect(ask([0, 1]) == [1, 1])
        #expect(ask(Array(most..<(2 * most))).allSatisfy { $0 == 0 })
        #expect(ask([0, 1]) == [2, 0])
        #expect(ask([2, most]) == [0, 1])
    }
}
