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
        runs: Int, acts: Int, movesClock: Bool, on server: @escaping (ModelSetting) throws -> any ModelServer
    ) throws {
        print("model property seeds from \(Self.seed), \(runs) runs of \(acts) acts")
        for number in 0..<UInt64(runs) {
            let seed = Self.seed &+ number
            var generator = ModelGenerator(seed: seed, movesClock: movesClock)
            let run = ModelRun(setting: generator.setting(), server: server)
            if let failure = try run.failure(generator.acts(acts)) {
                Issue.record("seed \(seed)\n\(failure)")
                return
            }
        }
    }

    @Test func theServerAnswersAsThePlainModelDoes() throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 200)
        try play(runs: runs, acts: 80, movesClock: true) { try InProcessServer($0) }
    }

    @Test func theDaemonAnswersAsThePlainModelDoes() throws {
        let runs = Int(Self.setting("STUNTDOUBLE_MODEL_RUNS") ?? 100) / 20
        try play(runs: max(runs, 1), acts: 200, movesClock: false) { try DaemonServer($0) }
    }
}
