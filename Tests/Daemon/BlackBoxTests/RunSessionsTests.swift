import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble run` with a command that begins sessions, as fixtures for tests do.
@Suite struct RunSessionsTests {
    /// A test in Python with a session of its own, which it ends; `ask` and `load` work in it.
    private static func test(_ name: String, _ body: String) -> String {
        """
        python3 - <<'END'
        import json, os, socket, time, urllib.parse, urllib.request, urllib.error
        base = os.environ["STUNTDOUBLE_URL"]
        def call(method, url, body=None):
            try:
                request = urllib.request.Request(url, method=method, data=body)
                return urllib.request.urlopen(request).read().decode()
            except (urllib.error.HTTPError, OSError, ValueError) as error:
                return str(error)
        live = json.loads(call("POST", base + "/__admin/sessions", json.dumps({"name": \(name)}).encode()))
        url = live["url"]
        def ask(path): return call("GET", url + path)
        def load(name): call("POST", url + "/__admin/mappings/import/" + name, open(name, "rb").read())
        \(body)
        call("DELETE", base + "/__admin/sessions/" + live["id"])
        END

        """
    }

    private static let files = [
        "shop.yaml": """
        GET /users/{id}: { json: { id: 1 } }
        GET /late: { body: late, delay: 300ms }
        GET /held: { body: held, delay: 1h }
        GET /hook: { body: a, webhook: { url: "http://127.0.0.1:1/x?token=hush" } }
        GET /later: { body: a, webhook: { url: "http://127.0.0.1:1/y", delay: 300ms } }
        GET /twice: { body: b, times: 2 }

        """
    ]

    static let reasons: [(reason: String, body: String, told: [String])] = [
        (
            "unmatched", #"ask("/users/1"); ask("/user/1?token=hush")"#,
            [
                "2 requests in 1 session, 1 unmatched", "GET /user/1", "test: my test", "nearest: ",
                "shop.yaml:1",
            ]
        ),
        ("webhook", #"ask("/hook")"#, ["http://127.0.0.1:1/x", "shop.yaml:4", "Connection refused"]),
        ("webhook", #"ask("/later")"#, ["http://127.0.0.1:1/y", "shop.yaml:5", "Connection refused"]),
        ("slow>200ms", #"ask("/late")"#, ["slow: GET /late: ", "shop.yaml:2"]),
        (
            "aborted",
            """
            parts = urllib.parse.urlparse(url)
            client = socket.create_connection((parts.hostname, parts.port))
            client.sendall(("GET " + parts.path + "/held HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n").encode())
            while "/held" not in call("GET", url + "/__admin/in-flight"): time.sleep(0.01)
            client.close()
            while "/held" in call("GET", url + "/__admin/in-flight"): time.sleep(0.01)
            """, ["broke off: GET /held", "The client left before the answer", "shop.yaml:3"]
        ),
    ]

    @Test(arguments: reasons)
    func whatATestsSessionMeetsFailsTheRun(reason: String, body: String, told: [String]) throws {
        let runs = try Runs(Self.files)
        let script = Self.test(#""my test""#, body)
        let bad = try runs.script(script, ["--redact", "--fail-on", reason])
        #expect(bad.wait() == .exited(1), "\(bad.errors)")
        for text in told { #expect(bad.errors.contains(text), "\(text) in \(bad.errors)") }
        #expect(!bad.errors.contains("hush"), "\(bad.errors)")
        #expect(bad.errors.hasSuffix("stuntdouble: failed for \(reason.prefix { $0 != ">" })\n"))
        let good = try runs.script(script, ["--fail-on", "none"])
        #expect(good.wait() == .exited(0), "\(good.errors)")
    }

    @Test func theSameFilesAreTheSameStubs() throws {
        let runs = try Runs(["shop.yaml": "GET /a: { body: a }\nGET /b: { body: b }\n"])
        let first = Self.test(#""one""#, #"load("shop.yaml"); ask("/a")"#)
        let bad = try runs.script(first, ["--fail-on", "unused"])
        #expect(bad.wait() == .exited(1), "\(bad.errors)")
        #expect(
            bad.errors.contains("never used: shop.yaml:2 GET /b\n") && !bad.errors.contains("GET /a"), "\(bad.errors)")
        let good = try runs.script(
            first + Self.test(#""two""#, #"load("shop.yaml"); ask("/b")"#), ["--fail-on", "unused"])
        #expect(good.wait() == .exited(0), "\(good.errors)")
    }

    @Test func everyFormTellsOfEachTest() throws {
        let runs = try Runs(Self.files)
        let forms = ["text", "json", "junit", "html", "github", "markdown"]
        let script =
            Self.test(#""good test""#, #"ask("/users/1")"#)
            + Self.test(
                #""::error file=x::bad\n##[error]test""#, #"ask("/user/1?token=hush"); ask("/hook")"#)
        let written = forms.flatMap { ["--report", "\($0)=report.\($0)"] }
        let run = try runs.script(script, ["--redact", "--fail-on", "webhook,unmatched"] + written)
        #expect(run.wait() == .exited(1), "\(run.errors)")
        for text in try [run.errors] + forms.map({ try runs.folder.read("report.\($0)") }) {
            #expect(text.contains("/user/1") && text.contains("Connection refused") && text.contains("shop.yaml"))
            #expect(!text.contains("hush"), "\(text)")
            let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            #expect(!lines.contains { $0.hasPrefix("::error file=x") || $0.hasPrefix("##[") }, "\(text)")
        }
        for form in forms where form != "github" {
            #expect(try runs.folder.read("report.\(form)").contains("good test"), "\(form)")
        }
    }

    /// Leaves a client in the background that asks for a path, until the daemon has it.
    private static func open(_ path: String, outlives: Bool) -> String {
        """
        python3 - "$STUNTDOUBLE_URL" <<'END' &
        import socket, sys, time, urllib.parse
        parts = urllib.parse.urlparse(sys.argv[1])
        if \(outlives ? "True" : "False"): open("pid", "w").write(str(__import__("os").getpid()))
        client = socket.create_connection((parts.hostname, parts.port))
        client.sendall(("GET " + parts.path + "\(path) HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n").encode())
        time.sleep(3600)
        END
        client=$!
        until_open() {
            python3 - "$1" <<'END'
        import os, sys, time, urllib.request
        def open_requests(): return urllib.request.urlopen(os.environ["STUNTDOUBLE_URL"] + "/__admin/in-flight").read().decode()
        while ("\(path)" in open_requests()) != (sys.argv[1] == "yes"): time.sleep(0.01)
        END
        }
        until_open yes
        \(outlives ? "" : "kill $client; wait $client 2>/dev/null")
        \(outlives || path == "/delayed" ? "" : "until_open no")
        true

        """
    }

    /// What is open when the command ends is not answered: of a client that has left it broke off, and one in its delay cannot be
    /// seen to leave.
    @Test(arguments: [
        ("/delayed", false, true), ("/delayed", true, true), ("/gated", false, true), ("/gated", true, false),
    ])
    func whatIsOpenWhenTheCommandEndsIsTold(path: String, outlives: Bool, fails: Bool) throws {
        let runs = try Runs(["shop.yaml": "GET /delayed: { body: a, delay: 1h }\nGET /gated: { body: a, hold: g }\n"])
        let forms = ["text", "json", "junit", "html", "github", "markdown"]
        let written = forms.flatMap { ["--report", "\($0)=report.\($0)"] }
        let run = try runs.script(Self.open(path, outlives: outlives), ["--fail-on", "aborted"] + written)
        #expect(run.wait() == .exited(fails ? 1 : 0), "\(run.errors)")
        if outlives, let process = try Int32(runs.folder.read("pid")) { kill(process, SIGKILL) }
        let isOpen = outlives || path == "/delayed"
        for text in try [run.errors] + forms.map({ try runs.folder.read("report.\($0)") }) {
            #expect(text.contains(path) && text.contains("shop.yaml"), "\(text)")
            #expect(text.lowercased().contains("still open when the command ended") == isOpen, "\(text)")
            #expect(!text.contains("all answered"), "\(text)")
        }
    }

    /// Sessions have a part of the requests, all of them, or none.
    @Test(arguments: [
        (1, 2, "3 requests, 1 of them in 1 session, all answered"),
        (0, 3, "3 requests, none of them in 1 session, all"),
        (3, 0, "3 requests in 1 session, all answered"),
    ])
    func theRequestsOfSessionsAreAPart(tested: Int, own: Int, told: String) throws {
        let asks = String(repeating: "ask(\"/users/1\");", count: tested)
        let besides = String(repeating: "call(\"GET\", base + \"/users/1\");", count: own)
        let runs = try Runs(Self.files)
        let run = try runs.script(Self.test(#""my test""#, asks + besides))
        #expect(run.wait() == .exited(0) && run.errors.hasPrefix("stuntdouble: \(told)"), "\(run.errors)")
        #expect(runs.nothingIsLeft())
    }

    /// What nobody named to fail fails no form, and a command that failed fails each.
    @Test(arguments: [
        ([String](), "true", Int32(0), false), ([], "exit 3", 3, true),
        (["--timeout", "200ms"], "sleep 600", 124, true),
        (["--fail-on", "webhook"], "exit 3", 3, true), (["--fail-on", "webhook"], "true", 0, false),
    ])
    func eachReportSaysWhetherTheRunFailed(options: [String], end: String, status: Int32, fails: Bool) throws {
        let runs = try Runs(Self.files)
        let forms = ["text", "json", "junit", "html", "github", "markdown"]
        let run = try runs.script(
            Runs.ask("/nothing") + "\n" + end, options + forms.flatMap { ["--report", "\($0)=report.\($0)"] })
        #expect(run.wait() == .exited(status), "\(run.errors)")
        // One whose time is over may not have come to ask.
        let hasAsked = status != 124
        #expect(!hasAsked || run.errors.contains("GET /nothing"), "\(run.errors)")
        for form in forms {
            let text = try runs.folder.read("report.\(form)")
            let failures = ["<failure", "::error", "Failed", "❌", #""verdict" : "failed""#, ": failed"]
            #expect(failures.contains(where: { text.contains($0) }) == fails, "\(text)")
            #expect(text.contains("the command ") == fails && (!hasAsked || text.contains("/nothing")), "\(text)")
        }
    }

    @Test func aReportBegunAnewIsNotOneOfNothing() throws {
        let runs = try Runs(Self.files)
        let run = try runs.script(
            Self.test(#""my test""#, #"ask("/users/1"); call("DELETE", url + "/__admin/report")"#),
            ["--fail-on", "unmatched"])
        #expect(run.wait() == .exited(0), "\(run.errors)")
        #expect(
            run.errors.contains(" since its report was reset") && !run.errors.contains("warning"), "\(run.errors)")
        #expect(runs.nothingIsLeft())
    }

    /// Without a verdict each report says so, and why.
    @Test(arguments: [
        (["run", "nowhere"], ["true"], Int32(2), "no such folder"),
        (["run", "."], ["./no-such-program"], 127, "no such command"),
        (["run", "."], ["./shop.yaml"], 126, "not executable"),
        (["run", ".", "--port-file", "/nowhere/port"], ["true"], 125, "/nowhere/port"),
    ])
    func whereThereIsNoVerdictEachReportSaysSo(words: [String], command: [String], status: Int32, told: String) throws {
        let runs = try Runs(Self.files)
        let forms = ["text", "json", "junit", "html", "github", "markdown"]
        let run = try runs.start(
            words + forms.flatMap { ["--report", "\($0)=report.\($0)"] } + ["--"] + command)
        #expect(run.wait() == .exited(status), "\(run.errors)")
        for form in forms {
            let text = try runs.folder.read("report.\(form)")
            #expect(
                text.contains(told) && !text.contains("0 requests") && !text.contains("Passed"), "\(text)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsTheWaitForWebhooks(signal: Int32) throws {
        let runs = try Runs([
            "shop.yaml": #"GET /hook: { body: a, webhook: { url: "http://127.0.0.1:1/x", delay: 1h } }"#
        ])
        let run = try runs.script(Runs.ask("/hook") + "\necho $$ > ended\n", ["--fail-on", "webhook"])
        #expect(
            eventually(within: 30_000) { (try? runs.folder.read("ended")).map { !$0.isEmpty } == true ? true : nil }
                == true)
        let command = try #require(Int32(runs.folder.read("ended").filter(\.isNumber)))
        #expect(eventually(within: 30_000) { kill(command, 0) != 0 ? true : nil } == true)
        run.signal(signal)
        #expect(run.wait() == .exited(1), "\(run.errors)")
        #expect(run.errors.contains("  webhook: "), "\(run.errors)")
        #expect(run.errors.hasSuffix("stuntdouble: failed for webhook\n"))
    }

    /// A folder that cannot be served is told in each report, at file, line and column, from the workspace on.
    @Test func aFolderThatCannotBeServedIsAnnotated() throws {
        let runs = try Runs(["mocks/good.yaml": "GET /a: {}\n", "mocks/bad.yaml": "GET /b: { jsn: 1 }\n"])
        let above = (runs.folder.path as NSString).deletingLastPathComponent
        let name = (runs.folder.path as NSString).lastPathComponent
        for (workspace, file) in [(runs.folder.path, "mocks/bad.yaml"), (above, "\(name)/mocks/bad.yaml")] {
            let run = try runs.start(
                ["run", "mocks", "--report", "github=-", "--report", "junit=a.xml", "--", "true"],
                environment: ["GITHUB_WORKSPACE": workspace])
            #expect(run.wait() == .exited(125))
            #expect(
                run.output.hasPrefix("::error file=\(file),line=1,col=11,title=Could not be loaded::"), "\(run.output)")
            let cases = try runs.folder.read("a.xml")
            #expect(cases.contains("<error type=\"error\"") && cases.contains("name=\"mocks/bad.yaml\""), "\(cases)")
            #expect(run.output.contains("Failed: 1 error. ") && !run.output.contains("--keep-going"), "\(run.output)")
        }
        let kept = try runs.start(
            ["run", "mocks", "--keep-going", "--report", "github=-", "--", "true"],
            environment: ["GITHUB_WORKSPACE": above])
        #expect(kept.wait() == .exited(0), "\(kept.errors)")
        #expect(kept.output.hasPrefix("::warning file=\(name)/mocks/bad.yaml,line=1,col=11,"), "\(kept.output)")
    }

    @Test func theReportCommandCountsSessionsAndWaitsForWebhooks() throws {
        let daemon = try Daemon(files: Self.files)
        let scratch = try TemporaryFolder()
        let url = "http://127.0.0.1:\(daemon.port)"
        let process = try ChildProcess(
            "/bin/sh", ["-c", Self.test(#""my test""#, #"ask("/later"); ask("/user/1")"#)],
            environment: ["STUNTDOUBLE_URL": url], outputsIn: scratch)
        #expect(process.wait() == .exited(0), "\(process.errors)")
        for (reasons, words) in [
            ("webhook", "1 webhook failed"), ("unmatched", "1 request that nothing answered"),
            ("unused", "5 stubs never used"),
        ] {
            let report = try ChildProcess(
                Daemon.binary, ["report", "--url", url, "--all-stubs", "--fail-on", reasons], outputsIn: scratch)
            #expect(report.wait() == .exited(1), "\(report.errors)")
            #expect(report.output.hasSuffix("\nFailed: \(words)\n"), "\(report.output)")
            #expect(report.output.contains("my test"))
        }
    }
}
