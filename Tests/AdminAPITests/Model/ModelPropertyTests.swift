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

    /// Alone, and with sessions beside it.
    @Test(arguments: [0, 3]) func theServerAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 60)
        let acts = sessions == 0 ? 80 : 120
        try play(runs: runs, acts: acts, sessions: sessions, movesClock: true) { try InProcessServer($0) }
    }

    @Test(arguments: [0, 3]) func theDaemonAnswersAsThePlainModelDoes(sessions: Int) throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 60) / 20
        try play(runs: max(runs, 1), acts: 200, sessions: sessions, movesClock: false) { try DaemonServer($0) }
    }

    /// What chance meets too seldom.
    @Test(arguments: hardCases.indices) func aCaseThatIsHardToMeetIsAnsweredAsThePlainModelDoes(number: Int) throws {
        let steps = Self.hardCases[number]
        let run = ModelRun(setting: ModelSetting()) { try InProcessServer($0) }
        let failure = try run.failure(steps.map { ModelAct(step: $0) } + ModelGenerator.looks())
        #expect(failure == nil, "\(failure ?? "")")
    }

    private static let mortal = ModelStub(number: 1, label: "a", scenario: "one", next: "p", timeToLive: 10)
    private static let heir = ModelStub(number: 2, label: "b", scenario: "one", next: "p")

    private static let hardCases: [[ModelStep]] = [
        // A counter of a stub whose time has come.
        [.add(mortal), .wait(20), .counters],
        // A scenario whose last stub is gone begins anew, also when nobody has looked in between.
        [.add(mortal), .send(ModelRequest()), .wait(20), .add(heir), .listScenarios],
        [.add(mortal), .send(ModelRequest()), .wait(20), .importAll([heir], overwrites: true, removesOthers: false)],
        [.add(mortal), .send(ModelRequest()), .wait(20), .setScenario("one", state: "p")],
    ]
}
