import Foundation
import JSON
import TestSupport
import Testing

/// A suite of `Tests/Clients`: a client that somebody else wrote drives a server and says what came of each check. Beside it
/// lies what came of it on a real WireMock.
struct ClientSuite: Sendable {
    /// The name of the script and of the recording, without their ends.
    let name: String
    let python: String?
    /// The outcomes on WireMock, by check: an object of steps.
    let recorded: [String: JSONValue]

    init(_ name: String, python: String?) {
        self.name = name
        self.python = python
        let path = PackageFiles.root + "/Tests/Clients/" + name + ".json"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "{}"
        recorded = Self.members(of: (try? JSONValue(parsing: text))?["checks"])
    }

    /// What became of one run against a daemon of its own.
    struct Run: Sendable {
        var outcomes: [String: JSONValue] = [:]
        var ending: ChildProcess.Ending?
        var errors = ""
        /// nil where the daemon still ran.
        var daemonEnding: ChildProcess.Ending?
        var daemonErrors = ""
    }

    /// - Parameter endsDaemon: whether the daemon's end is awaited, since the suite asks for it.
    func run(endsDaemon: Bool) -> Run {
        do {
            let daemon = try Daemon()
            let scratch = try TemporaryFolder()
            defer { withExtendedLifetime(scratch) {} }
            var arguments = ["-B", PackageFiles.root + "/Tests/Clients/\(name).py"]
            arguments += ["--url", "http://localhost:\(daemon.port)"]
            if endsDaemon { arguments += ["--root", daemon.folder.path] }
            let suite = try ChildProcess(try #require(python), arguments, outputsIn: scratch)
            var run = Run()
            run.ending = suite.wait(milliseconds: 180_000)
            run.outcomes = Self.members(of: try? JSONValue(parsing: suite.output))
            run.errors = suite.errors
            run.daemonEnding = endsDaemon ? daemon.process.wait(milliseconds: 10_000) : daemon.process.poll()
            run.daemonErrors = daemon.process.errors
            return run
        } catch {
            return Run(errors: "\(error)")
        }
    }

    /// The steps that came out otherwise than expected, for people; empty where there are none.
    static func differences(_ ours: JSONValue, _ expected: JSONValue) -> String {
        let steps = Set((expected.objectValue?.keys ?? []) + (ours.objectValue?.keys ?? []))
        return steps.sorted().filter { ours[$0] != expected[$0] }.map {
            "\($0)\nexpected \(expected[$0]?.compactText ?? "–")\nours     \(ours[$0]?.compactText ?? "–")"
        }.joined(separator: "\n")
    }

    /// The first Python for which a program ends well: that of `.ci/deps ci`, else one of the system's. One that is named in
    /// the environment is taken unasked.
    static func python(that program: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let given = environment["STUNTDOUBLE_PYTHON"] { return given }
        let folders =
            [PackageFiles.root + "/.build/clients/bin"]
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { $0 + "/python3" }.filter(FileManager.default.isExecutableFile).first { python in
            guard let scratch = try? TemporaryFolder(),
                let process = try? ChildProcess(python, ["-I", "-c", program], outputsIn: scratch)
            else { return false }
            return process.wait() == .exited(0)
        }
    }

    private static func members(of value: JSONValue?) -> [String: JSONValue] {
        Dictionary((value?.objectValue?.members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension ClientSuite {
    static let pythonWireMock = ClientSuite("python_wiremock", python: python(that: "import wiremock.client"))
    /// One run, which all its tests share.
    static let pythonWireMockRun = pythonWireMock.run(endsDaemon: true)

    static let curl = ClientSuite(
        "curl", python: python(that: "import subprocess; subprocess.run(['curl', '--version'], check=True)"))
    /// One run, which all its tests share.
    static let curlRun = curl.run(endsDaemon: false)
}
