import SDBasics
import SDCommand
import Testing

/// The command lines of `run`, `wait` and `stop`, and what is told of wrong ones.
@Suite struct RunOptionsTests {
    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> RunOptions {
        guard case .run(let options) = try parse(["run"] + arguments, environment: environment) else {
            Issue.record("no run")
            return RunOptions()
        }
        return options
    }

    @Test func optionsBeforeTheDashesAreOursAndThoseBehindAreTheCommands() throws {
        let options = try run([
            "mocks", "--seed", "3", "--timeout", "2s", "--", "npm", "test", "--timeout", "9", "--", "x",
        ])
        #expect(options.command == ["npm", "test", "--timeout", "9", "--", "x"])
        #expect(options.serve.root == StubRoot(path: "mocks", layout: .free))
        #expect(options.serve.seed == 3)
        #expect(options.timeout == .seconds(2))
        #expect(options.serve.port == 0)
        #expect(options.shares)
        #expect(options.serve.notices.isEmpty)
    }

    @Test func whatTheRunNeedsIsRead() throws {
        let options = try run([
            "--fail-on", "unmatched,fault", "--ignore", "/a", "--ignore", "/b", "--report", "junit=a.xml,html=b.html",
            "--kill-after", "1s", "--port", "9000", "--", "true",
        ])
        #expect(options.verdict.failOn == [.unmatched, .fault])
        #expect(options.verdict.ignored == ["/a", "/b"])
        #expect(options.reports.map(\.format) == [.junit, .html])
        #expect(options.reports.map(\.path) == ["a.xml", "b.html"])
        #expect(options.killAfter == .seconds(1))
        #expect(options.serve.port == 9000)
    }

    @Test(arguments: [
        ["--no-share"], ["--log-file", "a"], ["--verbose"], ["--unix-socket", "/tmp/a"],
        ["--record-mappings"], ["--enable-browser-proxying"], ["--print-all-network-traffic"],
    ])
    func whatASessionCannotHaveHasADaemonOfItsOwn(options: [String]) throws {
        #expect(try !run(options + ["--", "true"]).shares)
    }

    @Test func thePortFileOfADaemonAroundItIsLeftAlone() throws {
        let variable = ["STUNTDOUBLE_PORT_FILE": "/tmp/ports"]
        #expect(try run(["--", "true"], variable).serve.portFile == nil)
        #expect(try run(["--port-file", "a", "--", "true"], variable).serve.portFile == "a")
        #expect(try serveOptions([], environment: variable).portFile == "/tmp/ports")
    }

    @Test(arguments: [["run", "--ignore", "GET /nope", "--", "true"], ["report", "--ignore=GET /nope"]])
    func aPatternThatMatchesNoPathIsAnError(arguments: [String]) throws {
        do throws(CommandLineError) {
            _ = try parse(arguments)
            Issue.record("understood")
        } catch {
            #expect(error.message.contains("did you mean \"/nope\"?"), "\(error.message)")
            #expect(error.fix(of: arguments).contains("/nope"))
        }
    }

    @Test func whatItsSessionInheritsCounts() throws {
        let options = try run(["--fail-on", "unused,unmet", "--", "true"])
        #expect(options.shares && options.verdict.query(.json) == "format=json&fail=unused,unmet&stubs=all&ended=true")
    }

    @Test func theTimeoutOfWireMockKeepsItsMeaning() throws {
        #expect(try serveOptions(["--timeout", "3000"]).notices.count == 1)
        guard case .wait(let options) = try parse(["wait", "8080", "--timeout", "90s"]) else {
            return #expect(Bool(false))
        }
        #expect(options.timeout == .seconds(90))
    }

    @Test func aFolderTakesPrecedenceOverTheDaemonOfAVariable() throws {
        let variable = ["STUNTDOUBLE_URL": "http://127.0.0.1:9000"]
        #expect(try run(["--", "true"], variable).server == ServerURL("http://127.0.0.1:9000"))
        #expect(try run(["mocks", "--", "true"], variable).server == nil)
        #expect(try run(["--url", "9001", "--", "true"], variable).server?.port == 9001)
        guard case .routes(let routes) = try parse(["routes", "mocks"], environment: variable) else {
            return #expect(Bool(false))
        }
        #expect(routes.server == nil && routes.root.path == "mocks")
        #expect(try serveOptions([], environment: variable.merging(["STUNTDOUBLE_CA": "x"]) { $1 }).notices.isEmpty)
    }

    struct Mistake: Sendable {
        var arguments: [String]
        var message: String
        var fix: String?

        init(_ arguments: [String], _ message: String, _ fix: String? = nil) {
            (self.arguments, self.message, self.fix) = (arguments, message, fix)
        }
    }

    static let mistakes = [
        Mistake(
            ["run", "mocks", "npm", "test"],
            "run needs -- and a command after it; did you mean stuntdouble run mocks -- npm test?",
            "stuntdouble run mocks -- npm test"),
        Mistake(
            ["run", "pytest", "--no-header"],
            "run needs -- and a command after it; did you mean stuntdouble run -- pytest --no-header?",
            "stuntdouble run -- pytest --no-header"),
        Mistake(
            ["run", "mocks", "--"],
            "run needs -- and a command after it; did you mean stuntdouble run mocks -- COMMAND?",
            "stuntdouble run mocks -- COMMAND"),
        Mistake(
            ["run", "--fail-on", "unmatcht", "--", "true"],
            "--fail-on: did you mean \"unmatched\"? Expected a list of unmatched, unused, unmet, fault, error, webhook, "
                + "aborted, slow>TIME, contract, or none, found \"unmatcht\""),
        Mistake(
            ["run", "--report", "juni=a.xml", "--", "true"],
            "--report: did you mean \"junit=a.xml\"? Expected FORMAT=FILE with a format of text, json, junit, html, github, "
                + "markdown, found \"juni=a.xml\""),
        Mistake(
            ["run", "--report", "text=a.txt", "--report", "json=./a.txt", "--", "true"],
            "--report: expected another file than that of --report text=a.txt, found \"json=./a.txt\""),
        Mistake(
            ["run", "--fail-on", "slow>1s,slow>2s", "--", "true"],
            "--fail-on: expected each reason once, and slow comes twice: the shortest time will do, found \"slow>1s,slow>2s\""
        ),
        Mistake(
            ["report", "--fail-on", "unmatched,error,unmatched"],
            "--fail-on: expected each reason once, and unmatched comes twice, found \"unmatched,error,unmatched\""),
        Mistake(
            ["run", "mocks", "--url", "8080", "--", "true"], #"the folder "mocks" and --url cannot be used together"#,
            "leave out mocks, or --url"),
        Mistake(
            ["wait", "ftp://a", "b"],
            #"unexpected argument "b" after stuntdouble wait [URL|PORT-FILE] [--timeout TIME]"#),
        Mistake(["rnu", "mocks"], #"unknown command "rnu"; did you mean run?"#, "stuntdouble run mocks"),
        Mistake(["mocks", "--prot", "1"], "unknown option --prot; did you mean --port?", "stuntdouble mocks --port 1"),
        Mistake(["mocks", "--prot=1"], "unknown option --prot; did you mean --port?", "stuntdouble mocks --port=1"),
        Mistake(
            ["mocks", "--log-format", "jsn"],
            #"--log-format: did you mean "json"? Expected one of text, json, found "jsn""#,
            "stuntdouble mocks --log-format json"),
        Mistake(["moks"], #"no such folder: "moks""#, "stuntdouble init moks"),
        Mistake(["mocks/routes.yaml"], #"no such folder: "mocks/routes.yaml""#, "write the file mocks/routes.yaml"),
        Mistake(
            ["--port", "x"], #"--port: expected a whole number from 0 to 65535, found "x""#,
            "give --port a whole number from 0 to 65535"),
        Mistake(
            ["report", "--format", "yaml"],
            #"--format: expected one of text, json, junit, html, github, markdown, found "yaml""#,
            "give --format one of text, json, junit, html, github, markdown"),
        Mistake(
            ["explain", "/a", "get"],
            "the arguments are stuntdouble explain METHOD URL [DIR|FILE] [--url URL] [-H HEADER]... [-d DATA] [--json]; "
                + "did you mean explain GET /a?", "stuntdouble explain GET /a"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsToldWithItsFix(mistake: Mistake) throws {
        let error = #expect(throws: CommandLineError.self) { try parse(mistake.arguments) }
        #expect(error?.message == mistake.message)
        if let fix = mistake.fix { #expect(error?.fix(of: mistake.arguments) == fix) }
    }

    @Test(arguments: [
        ("8080", "http://127.0.0.1:8080"), ("localhost:81", "http://localhost:81"), ("http://a/b", "http://a/b"),
    ])
    func aServerIsNamedByItsAddress(text: String, url: String) throws {
        guard case .wait(let options) = try parse(["wait", text]), case .url(let found) = options.target else {
            return #expect(Bool(false))
        }
        #expect(found.text == url)
    }

    @Test(arguments: ["port.txt", "./a:1", "/tmp/port"])
    func orByItsPortFile(text: String) throws {
        guard case .stop(let options) = try parse(["stop", text]) else { return #expect(Bool(false)) }
        #expect(options.target == .file(text))
    }
}
