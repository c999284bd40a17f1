import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble report` with a running daemon.
@Suite struct ReportCommandTests {
    private static let files = [
        "shop.yaml": """
        GET /api/users/{id}: { json: { id: 1 } }
        GET /twice: { body: b, times: 2 }
        GET /broken: { fault: EMPTY_RESPONSE }
        GET /file: { file: missing.json }
        """
    ]

    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func daemon(_ arguments: [String] = []) throws -> Daemon { try Daemon(files: Self.files, arguments) }

    private struct Run {
        let output: String
        let errors: String
        let status: ChildProcess.Ending?
    }

    private func report(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let process = try ChildProcess(
            Daemon.binary, ["report"] + arguments, environment: environment, outputsIn: scratch)
        let status = process.wait()
        return Run(output: process.output, errors: process.errors, status: status)
    }

    private func url(_ daemon: Daemon) -> [String] { ["--url", "http://127.0.0.1:\(daemon.port)"] }

    // MARK: Status

    @Test(arguments: [
        ("unmatched", "/api/user/1", "1 request that nothing answered"), ("unused", "", "4 stubs never used"),
        ("unmet", "/twice", "1 expectation not met"), ("fault", "/broken", "faults acted 1 time"),
        ("error", "/file", "1 error"),
    ])
    func eachReasonHasItsStatus(reason: String, path: String, words: String) throws {
        let daemon = try daemon()
        if !path.isEmpty {
            let client = try RawClient(port: daemon.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = client.receiveAll(within: 30_000)
        }
        let bad = try report(url(daemon) + ["--fail-on", reason])
        #expect(bad.status == .exited(1), "\(bad)")
        #expect(bad.output.hasSuffix("\nFailed: \(words)\n"), "\(bad.output)")
        let good = try report(url(daemon) + ["--fail-on=none"])
        #expect(good.status == .exited(0) && good.output.hasSuffix("\nPassed\n"))
        let usual = try report(url(daemon))
        #expect(usual.status == .exited(["unmatched", "error"].contains(reason) ? 1 : 0))
    }

    @Test func aFileThatDidNotLoadIsAnErrorAtItsLine() throws {
        let daemon = try Daemon(
            files: ["good.yaml": "GET /a: { body: a }", "bad.yaml": "\nGET /b: { stauts: 1 }"], ["--keep-going"])
        let bad = try report(url(daemon))
        #expect(bad.status == .exited(1))
        #expect(bad.output.contains("/bad.yaml:2:11: "), "\(bad.output)")
        #expect(bad.output.contains("did you mean \"status\"?"))
        try daemon.folder.write("bad.yaml", "GET /b: { status: 200 }")
        let mended = try eventually(within: 30_000) { try report(url(daemon)).status == .exited(0) ? true : nil }
        #expect(mended == true)
    }

    @Test func ignoredRequestsDoNotCount() throws {
        let daemon = try daemon()
        _ = try daemon.get("/favicon.ico")
        _ = try daemon.get("/assets/a/b.map")
        #expect(try report(url(daemon)).status == .exited(1))
        let run = try report(url(daemon) + ["--ignore", "/favicon.ico", "--ignore", "*.map"])
        #expect(run.status == .exited(0) && run.output.hasPrefix("0 requests, 0 unmatched, 2 ignored, "))
    }

    @Test func theServerMayBeNamedByItsPortFile() throws {
        let daemon = try daemon()
        let path = scratch.path + "/port ü.txt"
        let none = try report([path])
        #expect(none.status == .exited(3) && none.errors.contains("there is no such port file"), "\(none.errors)")
        try scratch.write("port ü.txt", "\(daemon.port)\n")
        #expect(try report([path]).status == .exited(0))
    }

    @Test func theServerMayBeNamedByItsVariable() throws {
        let daemon = try daemon()
        let run = try report([], environment: ["STUNTDOUBLE_URL": "http://127.0.0.1:\(daemon.port)"])
        #expect(run.status == .exited(0) && run.output.contains("Passed"))
    }

    @Test(arguments: [
        (["--fail-on", "unmached"], "did you mean \"unmatched\"?"), (["--format", "yaml"], "--format"),
        (["--format", "htlm"], "--format"), (["mocks"], "mocks"), (["--session", "s1-nobody"], "session"),
    ])
    func aBadQuestionIsAUsageError(arguments: [String], words: String) throws {
        let daemon = try daemon()
        let run = try report(url(daemon) + arguments)
        #expect(run.status == .exited(2) && run.errors.contains(words), "\(run)")
    }

    @Test func aServerThatDoesNotAnswerHasAStatusOfItsOwn() throws {
        let run = try report(["--url", "http://127.0.0.1:1"])
        #expect(run.status == .exited(3) && run.errors.contains("cannot connect to http://127.0.0.1:1"))
    }

    @Test func aServerOfAnotherKindIsNoStuntDouble() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /x/__admin/report: { body: hi }"])
        let run = try report(["--url", "http://127.0.0.1:\(daemon.port)/x"])
        #expect(run.status == .exited(2) && run.errors.contains("is not Stunt Double"), "\(run)")
    }

    @Test func credentialsAreSent() throws {
        let daemon = try daemon(["--admin-token", "hush"])
        #expect(try report(url(daemon)).status == .exited(2))
        #expect(try report(url(daemon) + ["--admin-token", "hush"]).status == .exited(0))
    }

    @Test func aSessionIsNamedByIDOrAddress() throws {
        let daemon = try daemon()
        let session = try daemon.admin("POST", "/sessions", #"{"name": "cart"}"#)
        let id = try #require(JSONValue(parsing: session.body)["id"]?.stringValue)
        _ = try daemon.get("/__session/\(id)/nothing")
        // The daemon's own is about all sessions.
        #expect(try report(url(daemon)).status == .exited(1))
        #expect(try report(url(daemon) + ["--session", id]).status == .exited(1))
        let address = try report(["--url", "http://127.0.0.1:\(daemon.port)/__session/\(id)", "--format", "markdown"])
        let all = try report(url(daemon) + ["--session", id, "--fail-on", "unused", "--all-stubs"])
        #expect(all.status == .exited(1) && all.output.hasSuffix("\nFailed: 4 stubs never used\n"), "\(all)")
        #expect(address.status == .exited(1) && address.output.hasPrefix("## ❌ session cart \\(\(id)\\): failed"))
    }

    @Test func aReportThatIsResetBeginsAnew() throws {
        let daemon = try daemon()
        _ = try daemon.get("/nothing")
        #expect(try report(url(daemon)).status == .exited(1))
        let told = try report(url(daemon) + ["--reset"])
        #expect(told.status == .exited(1) && told.output.contains("GET /nothing"), "\(told)")
        let anew = try report(url(daemon))
        #expect(anew.status == .exited(0) && anew.output.hasPrefix("0 requests, 0 unmatched, 0 stubs used"), "\(anew)")
        #expect(anew.output.hasSuffix("GET /file\n\nPassed\n"), "\(anew)")
        #expect(try report(url(daemon) + ["--json"]).output.hasSuffix("}\n"))
    }

    @Test func theSummaryOfAJobIsAppendedTo() throws {
        let daemon = try daemon()
        let path = scratch.path + "/summary.md"
        for _ in 0..<2 {
            let run = try report(
                url(daemon) + ["--format", "markdown", "--output", path], environment: ["GITHUB_STEP_SUMMARY": path])
            #expect(run.status == .exited(0), "\(run)")
        }
        #expect(try scratch.read("summary.md").split(separator: "## ✅").count == 2)
    }

    /// What a user names may be no file: a pipe gets the report and stays one, and so does a link.
    @Test func aReportGoesToDevicesAndThroughLinks() throws {
        let daemon = try daemon()
        let (pipe, link) = (scratch.path + "/pipe", scratch.path + "/link")
        let made = try ChildProcess(
            "/bin/sh", ["-c", "mkfifo \(pipe); ln -s target \(link); cat \(pipe) > \(scratch.path)/read"],
            outputsIn: scratch)
        #expect(eventually { (try? FileManager.default.attributesOfItem(atPath: link)) != nil ? true : nil } == true)
        for path in [pipe, link] {
            #expect(try report(url(daemon) + ["--output", path]).status == .exited(0))
        }
        #expect(made.wait() == .exited(0))
        let text = try scratch.read("read")
        #expect(text.contains("Passed"))
        #expect(try scratch.read("target") == text)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
        let kind = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
    }

    // MARK: Forms

    /// Requests with all that a stranger may send.
    private func hostile(_ daemon: Daemon) throws {
        for target in ["/%3Cscript%3Ealert(1)%3C/script%3E", "/%0A::error::x", "/]]>'\"&|`", "/a%00%1b%ff%fe"] {
            _ = try daemon.get(target)
        }
        let client = try RawClient(port: daemon.port)
        try client.send(
            Array("GET /".utf8) + [0xff, 0xfe, 0xc0]
                + Array("<b> HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        _ = client.receiveAll(within: 30_000)
    }

    @Test func junitIsReadByAnXMLParser() throws {
        let daemon = try daemon()
        try hostile(daemon)
        let path = scratch.path + "/report.xml"
        let run = try report(url(daemon) + ["--format", "junit", "--output", path, "--fail-on", "unmatched,unused"])
        #expect(run.status == .exited(1) && run.output.isEmpty && run.errors.contains("the verdict is failed"))
        // The rules of JUnit's schema that CI systems rely on.
        let program = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            assert root.tag == "testsuites", root.tag
            for suite in root:
                assert suite.tag == "testsuite" and suite.get("name"), suite.attrib
                cases = suite.findall("testcase")
                count = lambda name: sum(1 for case in cases if case.find(name) is not None)
                for name, found in [("tests", len(cases)), ("failures", count("failure")), ("errors", count("error")),
                                    ("skipped", count("skipped"))]:
                    assert suite.get(name) == root.get(name) == str(found), (name, suite.get(name), found)
                float(suite.get("time"))
                for case in cases:
                    assert case.get("name") and case.get("classname") and float(case.get("time")) >= 0
                    assert len(case) <= 1 and all(child.get("message") for child in case)
            print(suite.get("tests"), suite.get("failures"), suite.get("errors"))
            """
        let parser = try ChildProcess("/usr/bin/env", ["python3", "-c", program, path], outputsIn: scratch)
        #expect(parser.wait() == .exited(0), "\(parser.errors)")
        #expect(parser.output == "10 9 0\n", "\((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")")
    }

    @Test func annotationsAreWorkflowCommands() throws {
        let daemon = try daemon()
        try hostile(daemon)
        let few = try report(url(daemon) + ["--format", "github"]).output.split(separator: "\n")
        #expect(few.count == 6)
        let run = try report(url(daemon) + ["--format", "github", "--fail-on", "unused,unmet"])
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 11)
        for line in few + lines { #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning ")) }
        let place = "file=\(daemon.folder.path.replacing(",", with: "%2C"))/shop.yaml,line=1,title=Never used::"
        #expect(lines.contains { $0.hasPrefix("::error \(place)") }, "\(run.output)")
    }

    @Test func filesAreNamedFromTheDaemonsFolderOn() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/shop.yaml", "GET /a: { body: a }")
        let starter = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path]
        for path in ["mocks", folder.path + "/mocks"] {
            let daemon = try Daemon(serving: path, startedBy: starter)
            let run = try report(url(daemon) + ["--format", "github", "--fail-on", "unused"])
            #expect(run.output.hasPrefix("::error file=mocks/shop.yaml,line=1,title=Never used::"), "\(run.output)")
        }
    }

    /// The policy in the page allows its own style by its hash, and nothing else.
    @Test(.enabled(if: ClientSuite.curl.python != nil, "python3 is not here"))
    func theStyleIsTheOneThatThePolicyAllows() throws {
        let daemon = try daemon()
        let page = try report(url(daemon) + ["--format", "html"]).output
        try scratch.write("page.html", page)
        let program = """
            import base64, hashlib, re, sys
            page = open(sys.argv[1], "rb").read()
            style = re.search(rb"<style>(.*?)</style>", page, re.S)[1]
            print("sha256-" + base64.b64encode(hashlib.sha256(style).digest()).decode())
            """
        let hash = try ChildProcess(
            #require(ClientSuite.curl.python), ["-c", program, scratch.path + "/page.html"], outputsIn: scratch)
        #expect(hash.wait() == .exited(0), "\(hash.errors)")
        #expect(page.contains("style-src '\(hash.output.trimmingCharacters(in: .newlines))'"), "\(hash.output)")
        #expect(!page.contains("style=") && !page.contains("unsafe"))
        let served = try daemon.get("/__admin/report?format=html")
        #expect(served["Content-Security-Policy"] == "frame-ancestors 'none'")
        #expect(served["X-Content-Type-Options"] == "nosniff")
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"),
            "there is no chromium: it shows pages"))
    func thePageIsShownByChromium() throws {
        let daemon = try daemon()
        try hostile(daemon)
        let path = scratch.path + "/report.html"
        #expect(try report(url(daemon) + ["--format", "html", "-o", path]).status == .exited(1))
        let browser = try ChildProcess(
            "/usr/bin/chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(scratch.path)/profile", "--dump-dom",
                "file://" + path,
            ], outputsIn: scratch)
        #expect(browser.wait(milliseconds: 120_000) == .exited(0), "\(browser.errors)")
        let page = browser.output
        #expect(page.contains("<h1>Failed</h1>") && page.contains("<h2>Nothing answered"))
        #expect(!page.contains("<script") && !page.contains("<b>&gt; HTTP"))
        #expect(page.contains("/%3Cscript%3Ealert(1)%3C/script%3E"))
    }
}
