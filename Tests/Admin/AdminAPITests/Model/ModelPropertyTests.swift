import Foundation
import TestSupport
import Testing

/// Random admin calls and requests against the server and against a plain model of what it should be. Every answer is
/// compared: status, body, which stub, every list and count.
///
/// `STUNTDOUBLE_MODEL_RUNS` makes it more than the suite has time for; `STUNTDOUBLE_MODEL_SEED` begins with a run that
/// failed.
@Suite(.serialized) struct ModelPropertyTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let seed = setting("STUNTDOUBLE_MODEL_SEED") ?? UInt64.random(in: 0...0xffff_ffff)

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

    /// Alone, and with sessions beside it. Longer where there is time.
    @Test(arguments: [0, 3]) func theServerAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Self.setting("STUNTDOUBLE_MODEL_RUNS").map { Int($0) }
        let acts = (sessions == 0 ? 40 : 60) * (runs == nil ? 1 : 2)
        try play(runs: runs ?? 100, acts: acts, sessions: sessions, movesClock: true) { try InProcessServer($0) }
    }

    @Test(arguments: [0, 3]) func theDaemonAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 60) / 20
        try play(runs: max(runs, 1), acts: 200, sessions: sessions, movesClock: false) { try DaemonServer($0) }
    }

    /// What chance meets too seldom.
    @Test(arguments: hardCases.indices) func aCaseThatIsHardToMeetIsAnsweredAsThePlainModelDoes(number: Int) throws {
        let run = ModelRun(setting: ModelSetting()) { try InProcessServer($0) }
        let failure = try run.failure(Self.hardCases[number] + ModelGenerator.looks(1))
        #expect(failure == nil, "\(failure ?? "")")
    }

    private static func base(_ steps: ModelStep...) -> [ModelAct] { steps.map { ModelAct(step: $0) } }
    private static func session(_ steps: ModelStep...) -> [ModelAct] { steps.map { ModelAct(step: $0, session: 0) } }

    private static let mortal = ModelStub(number: 1, label: "a", scenario: "one", next: "p", timeToLive: 10)
    private static let plain = ModelStub(number: 1, label: "b", team: "red")
    private static let inScenario = ModelStub(number: 1, label: "c", team: "red", scenario: "one", next: "p")
    private static let heir = ModelStub(number: 2, label: "d", scenario: "one", required: "Started", next: "p")
    private static let begin = base(.begin(0, inherits: true, hasPort: false, timeToLive: nil))

    private static let hardCases: [[ModelAct]] = [
        // A counter of a stub whose time has come.
        base(.add(mortal), .wait(20), .counters),
        // A scenario whose last stub is gone begins anew, also when nobody has looked in between.
        base(.add(mortal), .send(ModelRequest()), .wait(20), .add(heir), .listScenarios),
        base(.add(mortal), .send(ModelRequest()), .wait(20))
            + base(.importAll([heir], overwrites: true, removesOthers: false)),
        base(.add(mortal), .send(ModelRequest()), .wait(20), .setScenario("one", state: "p")),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.add(heir)),
        // What is inherited is nobody's own.
        begin + base(.add(inScenario)) + session(.report, .listUnmatched),
        // A stub of the session and a later one of the base with the same id.
        begin + session(.add(plain)) + base(.add(inScenario)) + session(.list(limit: nil, offset: nil), .remove(1)),
        begin + session(.add(inScenario)) + base(.add(plain)) + session(.list(limit: nil, offset: nil), .remove(1)),
        begin + session(.add(mortal)) + base(.wait(10)) + session(.send(ModelRequest(path: "/c"))) + base(.add(plain))
            + session(.get(1)),
        // The time of a stub that is inherited is over, and another comes in its place.
        base(.add(mortal)) + begin + base(.wait(10)) + session(.add(heir)) + base(.add(plain)) + session(.get(1)),
        base(.add(mortal)) + begin + base(.wait(10)) + session(.add(heir)) + base(.add(inScenario)) + session(.get(1)),
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.replace(mortal), .wait(10), .add(plain))
            + session(.counters),
        // What has come to the base since the session was last asked.
        begin + base(.add(plain)) + session(.removeTeam("red"), .add(plain)),
        // Counts go on where the base edits a stub, into a scenario and out of it, and end where it goes.
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.replace(inScenario)) + session(.counters),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.replace(plain)) + session(.counters),
        begin + base(.add(plain)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.counters)
            + base(.add(plain)) + session(.counters),
        begin + base(.add(inScenario)) + session(.send(ModelRequest())) + base(.remove(1)) + session(.clearRequests)
            + base(.add(inScenario)) + session(.counters, .listScenarios),
    ]
}
