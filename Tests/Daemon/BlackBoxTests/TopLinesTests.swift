import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble top` where its output is no terminal.
@Suite struct TopLinesTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func daemon() throws -> Daemon {
        try Daemon(files: ["dogs.yaml": "GET /dogs/{name}/image: { body: a dog }\n"])
    }

    private func top(_ daemon: Daemon, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            Daemon.binary, ["top", "--url", "http://127.0.0.1:\(daemon.port)"] + arguments, outputsIn: scratch)
    }

    /// Asks until the program, which begins with what comes next, has printed a line.
    private func lines(_ process: ChildProcess, _ daemon: Daemon, _ path: String) throws -> [Substring] {
        let lines = try eventually(within: 30_000) { () -> [Substring]? in
            _ = try daemon.get(path)
            let lines = process.output.split(separator: "\n")
            return lines.isEmpty ? nil : lines
        }
        return try #require(lines, "\(process.errors)")
    }

    @Test func eachExchangeIsALine() throws {
        let daemon = try daemon()
        let process = try top(daemon)
        let line = try #require(lines(process, daemon, "/dogs/rex/imagine").first)
        let words = line.split(separator: " ")
        #expect(words[1...3] == ["404", "GET", "/dogs/rex/imagine"])
        #expect(words[5...] == ["-", "unmatched:", "nearest", "dogs.yaml:1"])
        #expect(words[0].split { ":.".contains($0) }.count == 4)
    }

    @Test func withJSONEachIsADocument() throws {
        let daemon = try daemon()
        let process = try top(daemon, "--json")
        let line = try #require(lines(process, daemon, "/dogs/rex/image").first)
        let document = try JSONValue(parsing: String(line))
        #expect(document["url"] == "/dogs/rex/image")
        #expect(document["status"] == 200)
        #expect(document["stub"]?["file"] == "dogs.yaml")
    }

    @Test func theEndOfTheDaemonIsToldByTheStatus() throws {
        let daemon = try daemon()
        let process = try top(daemon)
        _ = try lines(process, daemon, "/none")
        kill(daemon.process.identifier, SIGKILL)
        #expect(process.wait() == .exited(3))
        #expect(process.errors.contains("no longer answers"))
    }

    @Test func withoutADaemonTheStatusIsThree() throws {
        let process = try ChildProcess(Daemon.binary, ["top", "127.0.0.1:1"], outputsIn: scratch)
        #expect(process.wait() == .exited(3))
        #expect(process.errors.contains("cannot connect to http://127.0.0.1:1"))
    }

    @Test func aSummaryIsPrintedOnce() throws {
        let daemon = try daemon()
        _ = try daemon.get("/dogs/rex/image")
        _ = try daemon.get("/none")
        let text = try top(daemon, "--once")
        #expect(text.wait() == .exited(0))
        #expect(text.output.contains("2 requests, 1 unmatched, 0 failed, 0 held"))
        #expect(text.output.contains("  1  GET /dogs/{name}/image  dogs.yaml:1"))
        let document = try top(daemon, "--once", "--json")
        #expect(document.wait() == .exited(0))
        #expect(try JSONValue(parsing: document.output)["unmatched"] == 1)
    }

    @Test func aClosedPipeEndsItQuietly() throws {
        let daemon = try daemon()
        let process = try ChildProcess(
            "/bin/sh",
            ["-c", "{ '\(Daemon.binary)' top --url http://127.0.0.1:\(daemon.port); echo \"status $?\" >&2; } | true"],
            outputsIn: scratch)
        #expect(process.wait() == .exited(0))
        #expect(process.errors == "status 0\n")
    }

    @Test func aTokenIsSentAndNeverShown() throws {
        let daemon = try Daemon(files: [:], ["--admin-token", "s3cret"])
        let refused = try top(daemon, "--once")
        #expect(refused.wait() == .exited(2))
        #expect(refused.errors.contains("--admin-token"))
        let taken = try top(daemon, "--once", "--admin-token", "s3cret")
        #expect(taken.wait() == .exited(0))
        #expect(!taken.output.contains("s3cret"))
    }

    @Test func aSummaryNamesWhatNothingAnswered() throws {
        let daemon = try daemon()
        for path in ["/dogs/rex/image", "/dogs/rex/imagine", "/none"] { _ = try daemon.get(path) }
        let process = try top(daemon, "--once")
        #expect(process.wait() == .exited(0))
        let lines = process.output.split(separator: "\n").suffix(2)
        #expect(lines.first?.hasPrefix("  unmatched: GET /none") == true, "\(process.output)")
        #expect(lines.last == "  unmatched: GET /dogs/rex/imagine  nearest dogs.yaml:1", "\(process.output)")
        let document = try top(daemon, "--once", "--json")
        _ = document.wait()
        let named = try JSONValue(parsing: document.output)["unmatchedRequests"]?.arrayValue
        #expect(named?.map { $0["url"] } == ["/none", "/dogs/rex/imagine"])
        #expect(named?.last?["nearest"]?["line"] == 1)
    }

    @Test func thePortOfTheMockLeadsToTheAdminAPIs() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: a }\n"], ["--admin-port", "0"])
        _ = try daemon.get("/none")
        let process = try top(daemon, "--once")
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output.contains("1 unmatched"), "\(process.output)")
        let other = try ChildProcess(
            Daemon.binary, ["report", "--url", "http://127.0.0.1:\(daemon.port)"], outputsIn: scratch)
        #expect(other.wait() == .exited(2))
        #expect(other.errors.contains("has a port of its own: http://"), "\(other.errors)")
        let stop = try ChildProcess(Daemon.binary, ["stop", "\(daemon.port)"], outputsIn: scratch)
        #expect(stop.wait() == .exited(0), "\(stop.errors)")
        #expect(stop.output.contains("stopped http://127.0.0.1:\(daemon.port)"))
    }
}
