import Foundation
import SDJSON
import SDTestSupport
import Testing

/// A suite in `Tests/Clients`: a client written by others calls a server and reports the outcome of each check. The
/// outcomes on a real WireMock are recorded beside it.
struct ClientSuite: Sendable {
    /// The file name of the script and of the recording, without extension.
    let name: String
    let python: String?
    /// WireMock's outcomes by check: an object of steps.
    let recorded: [String: JSONValue]

    init(_ name: String, python: String?) {
        self.name = name
        self.python = python
        let path = PackageFiles.root + "/Tests/Clients/" + name + ".json"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "{}"
        recorded = Self.members(of: (try? JSONValue(parsing: text))?["checks"])
    }

    /// The outcome of one run against a separate daemon.
    struct Run: Sendable {
        var outcomes: [String: JSONValue] = [:]
        var ending: ChildProcess.Ending?
        var errors = ""
        /// The daemon's ending; nil if it was still running.
        var daemonEnding: ChildProcess.Ending?
        var daemonErrors = ""
    }

    /// Runs the suite.
    /// - Parameter endsDaemon: whether the suite ends the daemon, so that its end is awaited.
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

    /// The steps whose outcomes differ from the expected ones, for messages; empty if there are none.
    static func differences(_ ours: JSONValue, _ expected: JSONValue) -> String {
        let steps = Set((expected.objectValue?.keys ?? []) + (ours.objectValue?.keys ?? []))
        return steps.sorted().filter { ours[$0] != expected[$0] }.map {
            "\($0)\nexpected \(expected[$0]?.compactText ?? "–")\nours     \(ours[$0]?.compactText ?? "–")"
        }.joined(separator: "\n")
    }

    /// The first Python with which a program succeeds: that of `.ci/deps ci`, or else one of the system's. One named in
    /// the environment is used without a test.
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
    /// The run that all its tests share.
    static let pythonWireMockRun = pythonWireMock.run(endsDaemon: true)

    static let curl = ClientSuite(
        "curl", python: python(that: "import subprocess; subprocess.run(['curl', '--version'], check=True)"))
    /// The run that all its tests share.
    static let curlRun = curl.run(endsDaemon: false)
}
