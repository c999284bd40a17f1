import SDCommand
import SDStubModel
import SDTestSupport
import Testing

/// Parses a command line on a machine with the folders `folders`.
func parse(
    _ arguments: [String], environment: [String: String] = [:], folders: Set<String> = ["mocks", "stubs", "."]
) throws(CommandLineError) -> Invocation {
    try CommandLineParser(environment: environment, folderExists: { folders.contains($0) }).parse(arguments)
}

/// The options of a command line that asks to serve; records an issue for any other one.
func serveOptions(
    _ arguments: [String], environment: [String: String] = [:], folders: Set<String> = ["mocks", "stubs", "."],
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ServeOptions {
    let invocation = try parse(arguments, environment: environment, folders: folders)
    guard case .serve(let options) = invocation else {
        Issue.record("not an invocation of serve: \(invocation)", sourceLocation: sourceLocation)
        return ServeOptions()
    }
    return options
}

/// The error message for these arguments; records an issue if there is none.
func message(
    _ arguments: [String], environment: [String: String] = [:], folders: Set<String> = ["mocks", "stubs", "."],
    sourceLocation: SourceLocation = #_sourceLocation
) -> String? {
    do throws(CommandLineError) {
        let invocation = try parse(arguments, environment: environment, folders: folders)
        Issue.record("understood as \(invocation)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error.message
    }
}

@Suite struct CommandLineParserTests {
    @Test func withoutAFolderTheDefaultFolderIsServed() throws {
        let options = try serveOptions([])
        #expect(options.root == StubRoot(path: "mocks", layout: .free))
        #expect(options.port == 8080)
        #expect(options.bindAddresses == ["127.0.0.1"])
        #expect(options.notices.isEmpty)
    }

    @Test func withoutADefaultFolderTheWorkingFolderIsServedInWireMocksLayout() throws {
        #expect(try serveOptions([], folders: ["."]).root == StubRoot(path: ".", layout: .mappingsOnly))
    }

    @Test(arguments: [
        (["stubs"], "stubs"),
        (["serve", "stubs"], "stubs"),
        (["--port", "1", "serve", "stubs"], "stubs"),
        (["--", "stubs"], "stubs"),
        (["serve", "--", "--odd"], "--odd"),
    ])
    func theFolderIsNamedByArgumentOrOption(arguments: [String], path: String) throws {
        let options = try serveOptions(arguments, folders: ["mocks", "stubs", "--odd"])
        #expect(options.root == StubRoot(path: path, layout: .free))
    }

    /// The folder need not exist: missing parts are made.
    @Test(arguments: [
        (["serve", "--root-dir", "stubs"], "stubs"), (["--root-dir=stubs", "stubs"], "stubs"),
        (["--root-dir=nowhere"], "nowhere"),
    ])
    func theRootFolderIsInWireMocksLayout(arguments: [String], path: String) throws {
        let options = try serveOptions(arguments, folders: ["mocks", "stubs"])
        #expect(options.root == StubRoot(path: path, layout: .wireMock))
    }

    @Test(arguments: [
        ["--port", "9090"], ["--port=9090"], ["--verb", "--port", "9090"], ["--work=2", "--port=9090"], ["-p", "9090"],
        ["-p9090"],
        ["--port", "1", "--port", "9090"],
    ])
    func aValueFollowsItsOptionOrAnEqualsSign(arguments: [String]) throws {
        #expect(try serveOptions(arguments).port == 9090)
    }

    @Test func everyServedOptionReachesItsSetting() throws {
        let options = try serveOptions([
            "--bind-address", "::1,[::]", "--bind-address=localhost", "--unix-socket=/tmp/s",
            "--workers=4", "--max-connections=100", "--max-sessions=6", "--no-watch", "--seed=42", "--time-scale=0.25",
            "--disable-gzip",
            "--enable-stub-cors", "--keep-going", "--global-response-templating", "--disable-response-templating",
            "--permitted-system-keys=A.*", "--filename-template={{{id}}}.json", "--journal-body-limit=9KB",
            "--logged-response-body-size-limit=3", "--redact", "--redact-name=X-Key",
            "--record-mappings", "--match-headers=Accept,X-Id", "--proxy-all=http://a", "--pass-through=http://b",
            "--forward-proxy", "--enable-browser-proxying", "--proxy-pass-through=false", "--ca-keystore=ca",
            "--ca-keystore-type=PKCS12", "--ca-keystore-password=p", "--preserve-host-header",
            "--preserve-user-agent-proxy-header", "--supported-proxy-encodings=gzip", "--proxy-via=c:1",
            "--proxy-timeout=5",
            "--allow-proxy-targets=d", "--deny-proxy-targets=e", "--max-http-client-connections=7",
            "--disable-connection-reuse=true", "--trust-all-proxy-targets", "--trust-proxy-target=f",
            "--proxy-http2=g:1", "--no-upstream",
            "--use-chunked-encoding=BODY_FILE", "--max-head-size=64KiB", "--max-target-size=1000",
            "--max-body-size=1MB", "--max-memory=128MiB", "--match-budget=1000", "--head-timeout=1.5s",
            "--body-timeout=2m",
            "--body-idle-timeout=45s",
            "--idle-timeout=1h",
            "--websocket-idle-timeout=7", "--websocket-max-text-message-size=8",
            "--websocket-max-binary-message-size=9",
            "--drain-timeout=0", "--admin-api-basic-auth=ada:love:lace", "--admin-token=t",
            "--admin-port=7", "--mcp", "--shared=redis://h", "--shared-name=s",
            "--admin-cors=https://A.example,http://localhost:*", "--admin-host=Mocks,*.Example,b.example.",
            "--admin-host=[::2]",
            "--admin-host=*",
            "--no-request-journal", "--max-request-journal-entries=5", "--max-request-journal-size=6KB", "--verbose",
            "--max-state-entries=7", "--max-state-size=8KB",
            "--disable-request-logging", "--log-format=json", "--port-file=p", "--exit-with-parent",
            "--print-all-network-traffic", "--reload-on-hup", "--state-dir=state", "--disable-http",
            "--https-port=8443",
            "--https-keystore=k", "--keystore-type=PKCS12", "--keystore-password=p", "--key-manager-password=q",
            "--https-truststore=t", "--truststore-type=pem", "--truststore-password=r", "--https-require-client-cert",
            "--disable-http2-plain", "--disable-http2-tls", "--admin-api-require-https",
            "--strict", "--openapi-answers=made", "--openapi-validate=enforce", "--openapi-remote",
        ])
        var expected = ServeOptions()
        expected.root = .usual
        expected.http = false
        expected.httpsPort = 8443
        expected.keyStore = "k"
        expected.keyStoreType = .pkcs12
        expected.keyStorePassword = "p"
        expected.keyPassword = "q"
        expected.trustStore = "t"
        expected.trustStoreType = .pem
        expected.trustStorePassword = "r"
        expected.requiresClientCertificate = true
        expected.plainHTTP2 = false
        expected.securedHTTP2 = false
        expected.adminRequiresHTTPS = true
        expected.bindAddresses = ["::1", "::", "127.0.0.1"]
        expected.unixSocket = "/tmp/s"
        expected.workers = 4
        expected.maxConnections = 100
        expected.maxSessions = 6
        expected.watch = false
        expected.seed = 42
        expected.timeScale = 0.25
        expected.gzip = false
        expected.stubCORS = true
        expected.chunkedEncoding = .bodyFile
        expected.maxHeadSize = 65_536
        expected.maxTargetSize = 1000
        expected.maxBodySize = 1_000_000
        expected.maxMemory = 128 << 20
        expected.matchBudget = 1000
        expected.headTimeout = .milliseconds(1500)
        expected.bodyTimeout = .seconds(120)
        expected.bodyIdleTimeout = .seconds(45)
        expected.idleTimeout = .seconds(3600)
        expected.webSocketIdleTimeout = .milliseconds(7)
        expected.webSocketTextLimit = 8
        expected.webSocketBinaryLimit = 9
        expected.drainTimeout = .zero
        expected.adminBasicAuth = BasicCredentials(username: "ada", password: "love:lace")
        expected.adminToken = "t"
        expected.adminPort = 7
        expected.servesAgents = true
        expected.adminOrigins = ["https://a.example", "http://localhost:*"]
        expected.adminHosts = ["mocks", "*.example", "b.example.", "::2", "*"]
        expected.journal = false
        expected.maxJournalEntries = 5
        expected.maxJournalSize = 6000
        expected.maxStateEntries = 7
        expected.maxStateSize = 8000
        expected.verbose = true
        expected.requestLogging = false
        expected.logFormat = .json
        expected.portFile = "p"
        expected.stateFolder = "state"
        expected.exitWithParent = true
        expected.printsTraffic = true
        expected.reloadsOnHangUp = true
        expected.keepsGoing = true
        expected.globalTemplating = true
        expected.templating = false
        expected.permittedSystemKeys = ["A.*"]
        expected.filenameTemplate = "{{{id}}}.json"
        expected.journalBodyLimit = 9000
        expected.loggedResponseBodyLimit = 3
        expected.redacts = true
        expected.redactedNames = ["X-Key"]
        expected.recordsMappings = true
        expected.proxyAll = "http://a"
        expected.passThrough = "http://b"
        expected.forwardProxy = true
        expected.browserProxying = true
        expected.proxyPassThrough = false
        expected.authorityStore = "ca"
        expected.authorityStoreType = options.authorityStoreType
        expected.authorityStorePassword = "p"
        expected.preservesHost = true
        expected.preservesUserAgent = true
        expected.proxyEncodings = ["gzip"]
        expected.proxyVia = "c:1"
        expected.proxyTimeout = .milliseconds(5)
        expected.allowedProxyTargets = ["d"]
        expected.deniedProxyTargets = ["e"]
        expected.maxUpstreamConnections = 7
        expected.reusesUpstreamConnections = false
        expected.trustsAllTargets = true
        expected.trustedTargets = ["f"]
        expected.http2Targets = ["g:1"]
        expected.callsOthers = false
        expected.shared = "redis://h"
        expected.sharedName = "s"
        expected.isStrict = true
        expected.openAPIAnswers = .made
        expected.openAPIValidation = .enforce
        expected.readsRemoteDocuments = true
        expected.matchedHeaders = ["Accept", "X-Id"]
        #expect(options == expected)
        let untouched = zip(Mirror(reflecting: options).children, Mirror(reflecting: ServeOptions()).children)
            .filter { String(describing: $0.value) == String(describing: $1.value) }.compactMap(\.0.label)
        // The first two contradict `--disable-http`; three are those of the command lines of Prism.
        let others = ["port", "portSecurity", "checksContractsOnly", "followsPrism", "failsOnViolations", "notices"]
        #expect(untouched == others, "give their options here")
        let both = try serveOptions(["--port=0", "--tls=AUTO"])
        #expect(both.port == 0 && both.portSecurity == .auto)
    }

    @Test func whatHasNoEffectWithoutHTTPSIsNoticed() throws {
        let notice = "has no effect: HTTPS is served with --https-port or --tls auto only"
        #expect(try serveOptions(["--https-keystore=a.pem"]).notices == ["--https-keystore \(notice)"])
        // It may have a key for other servers.
        #expect(try serveOptions(["--https-truststore=a.pem"]).notices.isEmpty)
        #expect(try serveOptions(["--https-keystore=a.pem", "--tls=auto"]).notices.isEmpty)
        #expect(try serveOptions(["--https-keystore=a.pem", "--https-port=0"]).notices.isEmpty)
    }

    @Test func aNameOfReplicasWithoutTheirServerIsTold() throws {
        let notice =
            "--shared-name shop has no effect: this daemon is alone, since no --shared (STUNTDOUBLE_SHARED) names the "
        #expect(try serveOptions(["--shared-name=shop"]).notices == [notice + "server of Redis or Valkey"])
        #expect(try serveOptions(["--shared-name=shop", "--shared=redis://h"]).notices.isEmpty)
        #expect(try serveOptions([]).notices.isEmpty)
    }

    @Test(arguments: ["--jetty-header-request-size=100000", "--jetty-header-buffer-size=100000"])
    func jettysHeaderSizesAreTheHeadLimit(argument: String) throws {
        #expect(try serveOptions([argument]).maxHeadSize == 100_000)
    }

    @Test func jettysTimeoutsAreInMilliseconds() throws {
        let options = try serveOptions(["--jetty-idle-timeout=1500", "--jetty-stop-timeout", "250"])
        #expect(options.idleTimeout == .milliseconds(1500))
        #expect(options.drainTimeout == .milliseconds(250))
    }

    @Test func aListAccumulatesWithoutDuplicates() throws {
        let options = try serveOptions(["--bind-address=::1,127.0.0.1", "--bind-address=127.0.0.1, fe80::1%Eth0"])
        #expect(options.bindAddresses == ["::1", "127.0.0.1", "fe80::1%Eth0"])
    }

    @Test(arguments: [
        ([], true), (["--disable-connection-reuse"], false), (["--disable-connection-reuse", "--verbose"], false),
        (["--disable-connection-reuse=true"], false), (["--disable-connection-reuse", "true"], false),
        (["--disable-connection-reuse=false"], true), (["--disable-connection-reuse", "false"], true),
        (["--disable-connection-reuse", "mocks"], false),
    ])
    func connectionsAreReusedUnlessThatIsDisabled(arguments: [String], reuses: Bool) throws {
        #expect(try serveOptions(arguments).reusesUpstreamConnections == reuses)
    }

    @Test func theOppositeOfAFlagRevertsIt() throws {
        let options = try serveOptions(
            ["--no-verbose", "--watch", "--no-enable-stub-cors"],
            environment: [
                "STUNTDOUBLE_VERBOSE": "true", "STUNTDOUBLE_NO_WATCH": "1", "STUNTDOUBLE_ENABLE_STUB_CORS": "on",
            ])
        #expect(!options.verbose)
        #expect(options.watch)
        #expect(!options.stubCORS)
    }

    @Test(arguments: [
        (["--help"], Invocation.help(.overview)), (["-h", "--port", "x"], .help(.overview)),
        (["--version"], .version), (["-V"], .version), (["help"], .help(.overview)),
        (["validate", "--help"], .help(.command(.validate))), (["help", "validate"], .help(.command(.validate))),
        (["help", "wiremock"], .help(.wireMock)), (["completion", "zsh"], .completion(.zsh)),
        (["generate-docs", "docs"], .generateDocs(folder: "docs")),
    ])
    func commandsAreParsed(arguments: [String], invocation: Invocation) throws {
        #expect(try parse(arguments) == invocation)
    }

    @Test func validateTakesAFolderAFormatAndStrictness() throws {
        var expected = ValidateOptions()
        expected.root = StubRoot(path: "stubs", layout: .free)
        expected.format = .json
        #expect(try parse(["validate", "stubs", "--format", "json"]) == .validate(expected))
        expected.strict = true
        #expect(try parse(["validate", "--strict", "stubs", "--format", "json"]) == .validate(expected))
        expected.serve.verbose = true
        expected.serve.globalTemplating = true
        #expect(
            try parse(["validate", "--strict", "-v", "stubs", "--format", "json", "--global-response-templating"])
                == .validate(expected))
    }

    @Test func recordTakesATargetAndWhatIsSecret() throws {
        let line = [
            "record", "--target", "https://a.example/v1", "--to=stubs", "--port", "0", "--format", "wiremock",
            "--only-unmatched",
            "--keep-timing", "--supported-proxy-encodings=gzip,br", "--redact-name=iban", "--redact", "pin", "code,ssn",
        ]
        guard case .record(let options) = try parse(line) else {
            throw CommandLineError.missingArgument(command: .record)
        }
        #expect(options.target == "https://a.example/v1" && options.serve.proxyAll == options.target)
        #expect(options.serve.root == StubRoot(path: "stubs", layout: .free) && options.serve.port == 0)
        #expect(options.format == .wiremock && options.onlyUnmatched && options.keepsTiming)
        #expect(options.redacted == ["iban", "pin", "code", "ssn"] && options.serve.proxyEncodings == ["gzip", "br"])
        #expect(throws: CommandLineError.missingArgument(command: .record)) { try parse(["record"]) }
        #expect(throws: CommandLineError.self) { try parse(["record", "--target", "http://a", "x"]) }
        #expect(throws: CommandLineError.self) { try parse(["record", "--target", "http://a", "--format", "json"]) }
        #expect(throws: CommandLineError.self) { try parse(["validate", "--format", "yaml"]) }
    }

    @Test func caDoesWhatTheLastOptionSays() throws {
        var expected = AuthorityOptions()
        #expect(try parse(["ca"]) == .authority(expected))
        expected.stateFolder = "state"
        #expect(try parse(["ca", "--state-dir", "state"]) == .authority(expected))
        for (option, action) in [("--path", .path), ("--install", .install), ("--uninstall", .uninstall)]
            as [(String, AuthorityOptions.Action)]
        {
            expected.action = action
            #expect(try parse(["ca", option, "--state-dir=state"]) == .authority(expected))
        }
        #expect(try parse(["ca", "--install", "--path", "--state-dir=state", "--uninstall"]) == .authority(expected))
        #expect(message(["ca", "mocks"])?.hasPrefix(#"unexpected argument "mocks" after stuntdouble ca "#) == true)
        #expect(message(["--install"]) == #"--install is not an option of "serve"; it belongs to "ca""#)
    }

    @Test func explainTakesARequestAndASource() throws {
        var expected = QueryOptions()
        expected.method = "POST"
        expected.target = "/orders"
        expected.headers = [.init(name: "Accept", value: "text/html, */*"), .init(name: "X-A", value: "1")]
        expected.data = "@order.json"
        expected.root = StubRoot(path: "stubs", layout: .free)
        let request = [
            "explain", "POST", "/orders", "-H", "Accept: text/html, */*", "--header=X-A:1", "-d", "@order.json",
        ]
        #expect(try parse(request + ["stubs"]) == .explain(expected))
        expected.root = .fallback
        expected.server = ServerURL("http://[::1]:8080/__session/7/")
        expected.adminToken = "secret"
        let server = ["--url", "http://[::1]:8080/__session/7", "--admin-token", "secret"]
        #expect(try parse(request + server) == .explain(expected))
        #expect(throws: CommandLineError.folderBesideServer("stubs")) { try parse(request + server + ["stubs"]) }
        #expect(throws: CommandLineError.missingArgument(command: .explain)) { try parse(["explain", "GET"]) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "127.0.0.1", 8_080, ""), ("localhost", "localhost", 80, ""),
        ("HTTP://mocks:1/a/b//", "mocks", 1, "/a/b"), ("http://[::1]", "::1", 80, ""),
        ("8080", "127.0.0.1", 8_080, ""), ("http://a:1/__admin/", "a", 1, ""), ("http://a/b/__admin", "a", 80, "/b"),
    ])
    func theAddressOfADaemonIsParsed(text: String, host: String, port: Int, path: String) throws {
        let url = try #require(ServerURL(text))
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.path == path)
    }

    @Test(arguments: [
        "", "0", "65536", "http://", "https://a", "ftp://a", "http://a:b", "http://a:0", "http://a:65536",
        "http://a:1:2",
        "http://[::1",
        "http://u:p@a", "http://u@a", "$(id)", "http://$(id):1", "`id`", "a;b", "a|b:1", "http://a'b", "http://a/?q",
        "http://a /", "http://[x]:1",
    ])
    func anInvalidAddressIsRefused(text: String) {
        #expect(ServerURL(text) == nil)
    }

    private static var files: CommandLineParser {
        CommandLineParser(
            environment: [:], folderExists: { $0 == "mocks" },
            fileExists: { ["one.yaml", "/a/two.JSON", "notes.txt", "mocks"].contains($0) })
    }

    @Test(arguments: [("one.yaml", ".", "one.yaml"), ("/a/two.JSON", "/a", "two.JSON")])
    func aStubFileStandsAlone(path: String, folder: String, name: String) throws {
        let root = StubRoot(path: folder, layout: .file(name))
        #expect(root == StubRoot(file: path))
        #expect(root.name == path)
        guard case .serve(let options) = try Self.files.parse([path]),
            case .run(let run) = try Self.files.parse(["run", path, "--", "true"]),
            case .routes(let routes) = try Self.files.parse(["routes", path]),
            case .explain(let explain) = try Self.files.parse(["explain", "GET", "/", path])
        else { return #expect(Bool(false)) }
        #expect([options.root, run.serve.root, routes.root, explain.root] == Array(repeating: root, count: 4))
    }

    /// A file where a folder is expected, and one that is none of stubs.
    @Test(arguments: [
        (["--root-dir", "one.yaml"], #""one.yaml" is a file, not a folder"#),
        (["notes.txt"], #""notes.txt" is no stub file: their names end in .json, .yaml or .yml"#),
        (["run", "notes.txt", "--", "true"], #""notes.txt" is no stub file: their names end in .json, .yaml or .yml"#),
    ])
    func anotherFileIsNamed(arguments: [String], message: String) throws {
        let error = #expect(throws: CommandLineError.self) { try Self.files.parse(arguments) }
        #expect(error?.message == message)
        #expect(throws: Never.self) { try Self.files.parse(["mocks"]) }
        #expect(throws: Never.self) { try Self.files.parse(["validate", "one.yaml"]) }
    }

    @Test(arguments: [("mock", "mocks"), ("b/stub/", "b/stubs"), ("x", nil), ("/srv/mock", "/srv/mocks")])
    func theNearestFolderIsNamed(path: String, nearest: String?) {
        let folders = [".": ["docs", "mocks"], "b/": ["stubs"], "/srv/": ["mocks"]]
        let parser = CommandLineParser(
            environment: [:], folderExists: { _ in false }, foldersIn: { folders[$0] ?? [] })
        let error = #expect(throws: CommandLineError.self) { try parser.parse([path]) }
        let advice = nearest.map { "; did you mean \($0)?" } ?? ""
        #expect(error?.message == "no such folder: \"\(path)\"\(advice)")
    }

    @Test func aMissingMethodToExplainIsReportedWithItsPlace() {
        #expect(throws: CommandLineError.self) { try parse(["explain", "/users", "mocks"]) }
        let text = message(["explain", "/users", "mocks"])
        #expect(text == #"METHOD: expected a method before the URL, such as GET, found "/users""#)
    }

    @Test func validateTakesFiles() throws {
        var expected = ValidateOptions()
        expected.paths = ["a.yaml"]
        #expect(try parse(["validate", "a.yaml"]) == .validate(expected))
        expected.paths = ["stubs", "b/c.json"]
        #expect(try parse(["validate", "stubs", "b/c.json"]) == .validate(expected))
        #expect(throws: CommandLineError.twoFolders("a.yaml", "stubs")) {
            try parse(["validate", "--root-dir", "stubs", "a.yaml"])
        }
    }

    private static let aHost =
        "xpected a host name such as mocks.example, *.example or *, or an IP address, without a port"
    private static let anOrigin =
        "Expected * or an origin such as https://app.example:8443 or http://localhost:*, without a path"

    @Test(arguments: [
        (["--prot", "1"], "unknown option --prot; did you mean --port?"),
        (["--prot=1"], "unknown option --prot; did you mean --port?"),
        (["-port", "1"], "unknown option -port; did you mean --port?"),
        (["--cors"], "unknown option --cors; did you mean --enable-stub-cors?"),
        (["--reporter"], "unknown option --reporter"),
        (["start"], #"no such folder: "start"; did you mean the command serve?"#),
        (
            ["explain", "wm", "GET", "/users/12"],
            "the arguments are stuntdouble \(CommandName.explain.synopsis); did you mean explain GET /users/12 wm?"
        ),
        (
            ["explain", "/a", "GET"],
            "the arguments are stuntdouble \(CommandName.explain.synopsis); did you mean explain GET /a?"
        ),
        (
            ["explain", "get", "/a"],
            "the arguments are stuntdouble \(CommandName.explain.synopsis); did you mean explain GET /a?"
        ),
        (["--no-wach"], "unknown option --no-wach; did you mean --no-watch?"),
        (["--max-memroy=1GiB"], "unknown option --max-memroy; did you mean --max-memory?"),
        (["--elephant"], "unknown option --elephant"),
        (["-x"], "unknown option -x"),
        (["--=5"], "unknown option --"),
        (["--max-b", "--max-r"], #"--max-body-size: expected a size such as 65536, 64KiB or 10MB, found "--max-r""#),
        (
            ["--jetty-header", "1"],
            "--jetty-header is ambiguous; it could be --jetty-header-request-size or --jetty-header-response-size"
        ),
        (["--port"], "--port needs a value: --port=PORT"),
        (
            ["--shared-name", "a b"],
            #"--shared-name: expected 1 to 100 letters, digits, dots, dashes and underscores, found "a b""#
        ),
        (
            ["--port", "--verbose"],
            "--port needs a value, but --verbose follows; write --port=--verbose if that is the value"
        ),
        (["--port", "80a"], #"--port: expected a whole number from 0 to 65535, found "80a""#),
        (["--port=-1"], #"--port: expected a whole number from 0 to 65535, found "-1""#),
        (["--port="], #"--port: expected a whole number from 0 to 65535, found """#),
        (["--port=65536"], #"--port: expected a whole number from 0 to 65535, found "65536""#),
        (
            ["--port=99999999999999999999"],
            #"--port: expected a whole number from 0 to 65535, found "99999999999999999999""#
        ),
        (
            ["--drain-timeout=5"],
            #"--drain-timeout: did you mean "5s"? Expected a duration such as 500ms, 5s or 1.5m, at most 24h, found "5""#
        ),
        (
            ["--max-body-size=10 MiB"],
            #"--max-body-size: expected a size such as 65536, 64KiB or 10MB, found "10 MiB""#
        ),
        (
            ["--time-scale=-1"], #"--time-scale: expected a number from 0 to 1000, such as 0.1, found "-1""#
        ),
        (["--time-scale=1001"], #"--time-scale: expected a number from 0 to 1000, such as 0.1, found "1001""#),
        (["--time-scale=0x1"], #"--time-scale: expected a number from 0 to 1000, such as 0.1, found "0x1""#),
        (["--time-scale=nan"], #"--time-scale: expected a number from 0 to 1000, such as 0.1, found "nan""#),
        (
            ["--max-head-size=9999999999GiB"],
            #"--max-head-size: expected a size from 256 to 1GiB, found "9999999999GiB""#
        ),
        (["--max-memory=1MiB"], #"--max-memory: expected a size from 16MiB to 1024GiB, found "1MiB""#),
        (["--max-memory=half"], #"--max-memory: expected a size such as 65536, 64KiB or 10MB, found "half""#),
        (["--log-format=xml"], #"--log-format: expected one of text, json, found "xml""#),
        (
            ["--bind-address=example.com"],
            #"--bind-address: expected an IPv4 or IPv6 address such as 127.0.0.1, 0.0.0.0 or ::1, found "example.com""#
        ),
        (
            ["--admin-host=.example"],
            #"--admin-host: did you mean "*.example"? E\#(aHost), found ".example""#
        ),
        (
            ["--admin-host=a,*.127.0.0.1"],
            #"--admin-host: did you mean "a,127.0.0.1"? E\#(aHost), found "a,*.127.0.0.1""#
        ),
        (["--admin-host=a..example"], #"--admin-host: e\#(aHost), found "a..example""#),
        (["--admin-host=*."], #"--admin-host: e\#(aHost), found "*.""#),
        (["--admin-host=*..example"], #"--admin-host: e\#(aHost), found "*..example""#),
        (["--admin-host=."], #"--admin-host: e\#(aHost), found ".""#),
        (["--admin-host=*.[::1]"], #"--admin-host: did you mean "::1"? E\#(aHost), found "*.[::1]""#),
        (["--admin-host=a.example:80"], #"--admin-host: e\#(aHost), found "a.example:80""#),
        (
            ["--admin-cors=https://a.example/path"],
            #"--admin-cors: did you mean "https://a.example"? \#(anOrigin), found "https://a.example/path""#
        ),
        (
            ["--admin-cors=http://a,localhost:*"],
            #"--admin-cors: did you mean "http://a,http://localhost:*"? \#(anOrigin), found "http://a,localhost:*""#
        ),
        (
            ["--admin-cors=http://localhost:99999"],
            #"--admin-cors: expected \#(anOrigin.dropFirst(9)), found "http://localhost:99999""#
        ),
        (
            ["--admin-cors=https://müller.example"],
            #"--admin-cors: did you mean "https://xn--mller-kva.example"? \#(anOrigin), "#
                + #"found "https://müller.example""#
        ),
        (["--admin-api-basic-auth=s3cret"], "--admin-api-basic-auth: expected USER:PASSWORD"),
        (["--verbose=maybe"], #"--verbose: expected true or false, found "maybe""#),
        (["--https-port=66000"], #"--https-port: expected a whole number from 0 to 65535, found "66000""#),
        (["--https-po"], "--https-port needs a value"),
        (["--disable-http"], "--disable-http needs --https-port: there would be nothing to serve"),
        (
            ["--disable-http", "--https-port=0", "--port=80"],
            "--disable-http and --port cannot be used together: --port is for HTTP, --https-port for HTTPS"
        ),
        (
            ["--disable-http", "--https-port=0", "--tls=auto"],
            "--disable-http and --tls auto cannot be used together: that takes HTTP and HTTPS on --port"
        ),
        (
            ["--https-port=8080"],
            "--port 8080 and --https-port 8080 cannot be used together: --port 8080 --tls auto serves both on one port"
        ),
        (["--tls=on"], #"--tls: expected one of off, auto, found "on""#),
        (
            ["--https-port=0", "--https-require-client-cert"],
            "--https-require-client-cert needs --https-truststore: its authorities say which certificates are accepted"
        ),
        (["--keystore-password=a"], "--keystore-password needs --https-keystore: it is about that file"),
        (["--key-manager-password=a"], "--key-manager-password needs --https-keystore: it is about that file"),
        (["--truststore-type=pem"], "--truststore-type needs --https-truststore: it is about that file"),
        (
            ["--https-keystore=a", "--keystore-type=DER"],
            #"--keystore-type: expected one of pem, pkcs12, jks, jceks, found "DER""#
        ),
        (
            ["--admin-api-require-https"],
            "--admin-api-require-https needs --https-port or --tls auto: nothing could call the admin API"
        ),
        (
            ["routes", "--url=https://localhost:8443"],
            "--url: expected the address of the daemon's HTTP port, as this command speaks no TLS, found "
        ),
        (
            ["--format=json"],
            #"--format is not an option of "serve"; it belongs to "validate", "explain", "routes", "record", "import""#
        ),
        (
            ["validate", "--port=1"],
            #"--port is not an option of "validate"; it belongs to "serve", "record" or "doctor""#
        ),
        (["--\u{1b}[2J"], #"unknown option "--\u{1b}[2J""#),
        (["--drain-timeout=1.1234567890.1s"], "--drain-timeout: expected a duration"),
        (["--drain-timeout=25h"], "--drain-timeout: expected a duration"),
        (["--drain-timeout=.5s"], "--drain-timeout: expected a duration"),
        (["--drain-timeout=5."], "--drain-timeout: expected a duration"),
        (["nowhere"], #"no such folder: "nowhere""#),
        (["valdiate"], #"no such folder: "valdiate"; did you mean the command validate?"#),
        (["valdiate", "mocks"], #"unknown command "valdiate"; did you mean validate?"#),
        (["mocks", "stubs"], #"unexpected argument "stubs" after stuntdouble [serve] [DIR|FILE] [OPTIONS]"#),
        (
            ["mocks", "--root-dir=stubs"],
            #"only one folder can be given, not both "mocks" and "stubs""#
        ),
        (["--root-dir="], #"--root-dir: expected non-empty text, found """#),
        (["completion"], "missing argument: stuntdouble completion bash|zsh|fish"),
        (["completion", "tcsh"], #"completion: expected one of bash, zsh, fish, found "tcsh""#),
        (["help", "serv"], #"no help on "serv"; did you mean serve?"#),
        (["\u{1b}[2J"], #"no such folder: "\u{1b}[2J""#),
    ])
    func invalidArgumentsAreNamed(arguments: [String], text: String) {
        let found = message(arguments)
        #expect(found?.hasPrefix(text) == true, "\(found ?? "")")
    }

    @Test(arguments: ["--enable-stub-cors", "--disable-gzip", "--verbose"])
    func aFlagTakesATruthValueAfterIt(flag: String) throws {
        #expect(try serveOptions([flag, "true", "mocks"]) == serveOptions([flag, "mocks"]))
        #expect(try serveOptions([flag, "false", "mocks"]) == serveOptions(["\(flag)=false", "mocks"]))
        #expect(try serveOptions([flag, "false"]) != serveOptions([flag, "true"]))
        let variable = ["WIREMOCK_OPTIONS": "\(flag) true"]
        #expect(try serveOptions([], environment: variable) == serveOptions([flag]))
    }

    @Test func aFolderNamedLikeATruthValueIsAFolder() throws {
        let options = try serveOptions(["--verbose", "true"], folders: ["true"])
        #expect(options.verbose)
        #expect(options.root.path == "true")
    }

    @Test(arguments: [
        ("0", Duration.zero), ("500ms", .milliseconds(500)), ("1.5m", .seconds(90)), ("24h", .seconds(86_400)),
        ("0.999999999999h", .microseconds(3_599_996_400)), ("0005S", .seconds(5)), ("0.25ms", .microseconds(250)),
    ])
    func aDurationHasAUnit(text: String, duration: Duration) throws {
        #expect(try serveOptions(["--drain-timeout", text]).drainTimeout == duration)
    }

    @Test func noArgumentsCrashTheParser() {
        let seed = TestGenerator.newSeed
        print("noArgumentsCrashTheParser: seed \(seed)")
        var generator = TestGenerator(seed: seed)
        let names = OptionTable.options.map(\.name)
        let pieces = [
            "-", "--", "=", ":", ",", ".", "0", "9", "99999999999999999999", "s", "MiB", "h", "%", "[", "]", "/", "*",
            "é", "\u{301}",
            "\0", "\n", " ", "-p", "-v", "serve", "help", "validate", "completion", "mocks", "bash", "true", "http://",
        ]
        for _ in 0..<2_000 {
            let arguments = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                        ? pieces.randomElement(using: &generator) ?? ""
                        : "--"
                            + (names.randomElement(using: &generator) ?? "").prefix(
                                Int.random(in: 0...30, using: &generator))
                }.joined()
            }
            let environment =
                Bool.random(using: &generator) ? ["WIREMOCK_OPTIONS": arguments.joined(separator: " ")] : [:]
            do throws(CommandLineError) {
                _ = try parse(arguments, environment: environment)
            } catch {
                #expect(!error.message.isEmpty && !error.message.utf8.contains { $0 < 0x20 }, "\(arguments)")
            }
        }
    }

    @Test func theMessageOfABadSecretDoesNotRepeatIt() {
        #expect(message(["--admin-api-basic-auth", "hunter2"])?.contains("hunter2") == false)
        #expect(message([], environment: ["STUNTDOUBLE_ADMIN_API_BASIC_AUTH": "hunter2"])?.contains("hunter2") == false)
    }
}
