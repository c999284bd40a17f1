import SDJSON
import SDMockEngine
import SDStubModel
import SDTestSupport
import Synchronization

/// A server for a run.
protocol ModelServer: AnyObject {
    var port: UInt16 { get }
    /// Advances the clock. Returns false if it cannot be moved.
    func advance(_ milliseconds: Int) -> Bool
}

/// The engine behind a server in this process, with its own clock.
final class InProcessServer: ModelServer {
    private let mock: TestMock
    private let clock: Clock

    private final class Clock: Sendable {
        let milliseconds = Atomic<Int64>(1_000)
    }

    init(_ setting: ModelSetting) throws {
        var options = SessionOptions()
        options.journalEvents = setting.journalLimit
        let clock = Clock()
        options.clock = { clock.milliseconds.load(ordering: .relaxed) }
        self.clock = clock
        mock = try TestMock(session: options)
        guard !setting.files.isEmpty else { return }
        let stubs = try setting.files.map { try StubMapping(json: $0.json) }
        let refused = mock.session.update([("mappings.json", mock.session.prepare(stubs))])
        guard refused.isEmpty else { throw ExchangeProblem(description: "\(refused)") }
    }

    var port: UInt16 { mock.port }

    func advance(_ milliseconds: Int) -> Bool {
        clock.milliseconds.add(Int64(milliseconds), ordering: .relaxed)
        return true
    }
}

/// The real daemon.
final class DaemonServer: ModelServer {
    private let daemon: RunningDaemon

    init(_ setting: ModelSetting) throws {
        let document: JSONValue = ["mappings": .array(setting.files.map(\.json))]
        daemon = try RunningDaemon(
            files: setting.files.isEmpty ? [:] : ["mappings/all.json": document.compactText],
            arguments: ["--no-watch", "--max-request-journal-entries", String(setting.journalLimit)])
    }

    var port: UInt16 { daemon.port }

    func advance(_ milliseconds: Int) -> Bool { false }
}

/// Plays acts with a new server and a new model, and compares their answers.
struct ModelRun {
    let setting: ModelSetting
    let server: (ModelSetting) throws -> any ModelServer

    /// A step whose two answers differ.
    struct Disagreement {
        let place: Int
        let expected: String
        let found: String
    }

    func play(_ acts: some Sequence<ModelAct>) throws -> Disagreement? {
        let server = try server(setting)
        var client = try ModelClient(server)
        var world = ModelWorld(setting)
        for (place, act) in acts.enumerated() {
            let expected = world.perform(act)
            let found = try client.perform(act)
            if expected != found { return Disagreement(place: place, expected: expected, found: found) }
        }
        return nil
    }

    /// The acts without those that the disagreement does not need.
    func shrunk(_ acts: [ModelAct], from place: Int, attempts: Int = 400) throws -> [ModelAct] {
        var acts = Array(acts.prefix(place + 1))
        var attempts = attempts
        var size = max(acts.count / 2, 1)
        while attempts > 0 {
            var start = 0
            var hasShrunk = false
            while start < acts.count, attempts > 0 {
                attempts -= 1
                let fewer = Array(acts[..<start] + acts[min(start + size, acts.count)...])
                if let place = try play(fewer)?.place {
                    acts = Array(fewer.prefix(place + 1))
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            if !hasShrunk { size = max(size / 2, 1) }
        }
        return acts
    }

    /// A description of a failure in as few acts as possible; nil if the run does not fail.
    func failure(_ acts: [ModelAct]) throws -> String? {
        guard let first = try play(acts) else { return nil }
        let few = try shrunk(acts, from: first.place)
        guard let last = try play(few) else { return "act \(first.place): \(first), only once" }
        var text = "files: \(setting.files.map(\.json.compactText)), journal limit \(setting.journalLimit)\n"
        for act in few { text += "\(act)\n" }
        return text + "expected \(last.expected)\nfound    \(last.found)"
    }
}
