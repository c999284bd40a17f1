import Foundation
import SDTestSupport
import Testing

/// Random admin calls and requests are answered by the server and by a plain model of it. Every answer is compared:
/// status, body, the chosen stub, all lists and counts.
///
/// `STUNTDOUBLE_MODEL_RUNS` sets more runs than the suite has time for; `STUNTDOUBLE_TEST_SEED` starts with a failed
/// run.
@Suite(.serialized) struct ModelPropertyTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let seed = TestGenerator.newSeed

    private func play(
        runs: Int, acts: Int, sessions: Int, movesClock: Bool,
        on server: @escaping (ModelSetting) throws -> any ModelServer
    ) throws {
        print("model property seeds from \(Self.seed), \(runs) runs of \(acts) acts, \(sessions) sessions")
        for number in 0..<UInt64(runs) {
            let seed = Self.seed &+ number
            var generator = ModelGenerator(seed: seed, movesClock: movesClock, sessions: sessions)
            let run = ModelRun(setting: generator.setting(), server: server)
            if let failure = try run.failure(generator.acts(acts)) {
                Issue.record("seed \(seed)\n\(failure)")
                return
            }
        }
    }

    /// Runs without and with further sessions. Longer if the environment asks for it.
    @Test(arguments: [0, 3]) func theServerAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Self.setting("STUNTDOUBLE_MODEL_RUNS").map { Int($0) }
        let acts = (sessions == 0 ? 40 : 60) * (runs == nil ? 1 : 2)
        try play(runs: runs ?? 100, acts: acts, sessions: sessions, movesClock: true) { try InProcessServer($0) }
    }

    @Test(arguments: [0, 3]) func theDaemonAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 60) / 20
        try play(runs: max(runs, 1), acts: 200, sessions: sessions, movesClock: false) { try DaemonServer($0) }
    }

    /// Cases that random runs reach too rarely.
    @Test(arguments: hardCases.indices) func aRareCaseIsAnsweredAsThePlainModelDoes(number: Int) throws {
        let run = ModelRun(setting: ModelSetting()) { try InProcessServer($0) }
        let failure = try run.failure(Self.hardCases[number] + ModelGenerator.looks(1))
        #expect(failure == nil, "\(failure ?? "")")
    }

    private static func base(_ steps: ModelStep...) -> [ModelAct] { steps.map { ModelAct(step: $0) } }
    private static func session(_ steps: ModelStep...) -> [ModelAct] { steps.map { ModelAct(step: $0, session: 0) } }

    private static let expiring = ModelStub(number: 1, label: "a", scenario: "one", next: "p", timeToLive: 10)
    private static let plain = ModelStub(number: 1, label: "b", team: "red")
    private static let inScenario = ModelStub(number: 1, label: "c", team: "red", scenario: "one", next: "p")
    private static let heir = ModelStub(number: 2, label: "d", scenario: "one", required: "Started", next: "p")
    private static let begin = base(.begin(0, inherits: true, hasPort: false, timeToLive: nil))

    private static let hardCases: [[ModelAct]] = [
        // The counter of a stub that has expired.
        base(.add(expiring), .wait(20), .counters),
        // A scenario that has lost its last stub starts again, even if nobody looked in between.
        base(.add(expiring), .send(ModelRequest()), .wait(20), .add(heir), .listScenarios),
        base(.add(expiring), .send(ModelRequest()), .wait(20))
            + base(.importAll([heir], overwrites: true, removesOthers: false)),
        base(.add(expiring), .send(ModelRequest()), .wait(20), .setScenario("one", state: "p")),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.add(heir)),
        // Inherited stubs do not belong to the session.
        begin + base(.add(inScenario)) + session(.report, .listUnmatched),
        // A stub of the session, and a later one of the base with the same id.
        begin + session(.add(plain)) + base(.add(inScenario)) + session(.list(limit: nil, offset: nil), .remove(1)),
        begin + session(.add(inScenario)) + base(.add(plain)) + session(.list(limit: nil, offset: nil), .remove(1)),
        begin + session(.add(expiring)) + base(.wait(10)) + session(.send(ModelRequest(path: "/c"))) + base(.add(plain))
            + session(.get(1)),
        // An inherited stub expires, and another one takes its place.
        base(.add(expiring)) + begin + base(.wait(10)) + session(.add(heir)) + base(.add(plain)) + session(.get(1)),
        base(.add(expiring)) + begin + base(.wait(10)) + session(.add(heir)) + base(.add(inScenario))
            + session(.get(1)),
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.replace(expiring), .wait(10), .add(plain))
            + session(.counters),
        // Stubs added to the base since the session's last call.
        begin + base(.add(plain)) + session(.removeTeam("red"), .add(plain)),
        // Counts continue if the base edits a stub, into a scenario or out of it, and end if it removes the stub.
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.replace(inScenario)) + session(.counters),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.replace(plain)) + session(.counters),
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.counters)
            + base(.add(plain)) + session(.counters),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.clearRequests)
            + base(.add(inScenario)) + session(.counters, .listScenarios),
    ]
}
