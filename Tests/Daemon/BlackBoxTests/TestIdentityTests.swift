import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `Examples/TestIdentity`: applications that pass on whose test a request is, and the page that shows how.
@Suite struct TestIdentityTests {
    private static let folder = PackageFiles.root + "/Examples/TestIdentity"

    private func run(_ folder: String) throws -> (output: String, status: ChildProcess.Ending?) {
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            try #require(ClientSuite.python(that: "import wsgiref")), ["-B", folder + "/run.py", Daemon.binary],
            folder: scratch.path, outputsIn: scratch)
        let status = process.wait(milliseconds: 120_000)
        return (process.output + (status == .exited(0) ? "" : process.errors), status)
    }

    @Test(.enabled(if: ClientSuite.python(that: "import wsgiref") != nil, "there is no python3"))
    func testsAtTheSameTimeSeeTheirOwnStubs() throws {
        let run = try run(Self.folder)
        #expect(run.status == .exited(0), "\(run.output)")
        #expect(run.output.contains("python: 4 tests at the same time saw their own prices"), "\(run.output)")
        // Where there is no node, the other application is the only one.
        #expect(run.output.contains("node: 4 tests") || run.output.contains("there is no node"), "\(run.output)")
    }

    /// Without what passes the identity on, the example fails.
    @Test(.enabled(if: ClientSuite.python(that: "import wsgiref") != nil, "there is no python3"))
    func anApplicationThatPassesNothingOnIsFound() throws {
        let copy = try TemporaryFolder()
        for name in ["app.mjs", "app.py", "run.py"] {
            let text = String(decoding: try PackageFiles.data("Examples/TestIdentity/" + name), as: UTF8.self)
            try copy.write(
                name,
                text.replacing("if (baggage) headers.append", with: "if (false) headers.append")
                    .replacing("request.add_header(\"baggage\"", with: "request.add_header(\"x-baggage\""))
        }
        let run = try run(copy.path)
        #expect(run.status == .exited(1), "\(run.output)")
        #expect(run.output.contains("python: baggage: saw [(404,"), "\(run.output)")
    }

    /// Over TLS and HTTP/2, too, where browsers send each cookie in a field of its own.
    @Test(arguments: ["--http1.1", "--http2"]) func everyProtocolTellsIt(option: String) throws {
        let secured = try SecuredDaemon(files: ["a.yaml": "GET /x: { body: base }"])
        let session = try secured.daemon.admin("POST", "/sessions").json
        let pair = try #require(session?["cookie"]?.stringValue)
        let id = try #require(session?["id"]?.stringValue)
        let stub = #"{"GET /x": {"body": "mine"}}"#
        let answer = try secured.daemon.request("POST", "/__session/\(id)/__admin/mappings", body: stub)
        try #require(answer.status == 201, "\(answer.text)")
        let url = try secured.https + "/x"
        #expect(try secured.curl(option, url).output == "base")
        #expect(try secured.curl(option, "-H", "Baggage: a=b, \(pair)", url).output == "mine")
        #expect(try secured.curl(option, "-H", "Cookie: a=b", "-H", "Cookie: \(pair)", url).output == "mine")
    }

    /// The page shows what is run.
    @Test(arguments: [
        ("js theirs", "AsyncLocalStorage", "app.mjs"), ("python theirs", "class ForwardBaggage", "app.py"),
    ])
    func thePageShowsTheExample(info: String, word: String, file: String) throws {
        let text = String(decoding: try PackageFiles.data("Examples/TestIdentity/" + file), as: UTF8.self)
        let fence = try #require(
            Fence.of(info).first { $0.page.hasSuffix("test-identity.md") && $0.text.contains(word) })
        let parts = fence.text.split(separator: "\n\n", omittingEmptySubsequences: true)
        #expect(parts.count > 2)
        // The imports are fewer.
        for part in parts.dropFirst() { #expect(text.contains(part), "\(part)") }
    }
}
