import SDJSON
import SDTestSupport
import Testing

/// The real daemon over HTTPS, as curl sees it.
@Suite(.enabled(if: SecuredDaemon.curl != nil, "curl is not here")) struct HTTPSTests {
    private static let files = [
        "a.yaml": """
        GET /where:
          template: true
          body: "{{request.scheme}} {{request.host}} {{request.port}} {{request.baseUrl}} {{request.clientCertificate.subject}}"
        GET /secret:
          when: { scheme: https }
          body: secret
        """
    ]

    @Test func httpsIsServedBesideHTTP() throws {
        let secured = try SecuredDaemon(files: Self.files, ["--https-port", "0", "--port-file", "@port"])
        let (daemon, port) = (secured.daemon, try secured.httpsPort)
        #expect(try secured.scratch.read("port") == "\(daemon.port)\n\(port)\n")
        let urls = daemon.ready["listeners"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
        #expect(urls == ["http://127.0.0.1:\(daemon.port)", "https://127.0.0.1:\(port)"])
        #expect(
            try secured.curl("\(try secured.https)/where").output
                == "https localhost \(port) https://localhost:\(port) ")
        #expect(try secured.curl("https://127.0.0.1:\(port)/where").output.hasPrefix("https 127.0.0.1 \(port) "))
        // Where the Host names no port, it is that of the scheme, as with WireMock.
        #expect(
            try secured.curl("-H", "Host: foo.example", "\(try secured.https)/where").output
                == "https foo.example 443 https://foo.example ")
        #expect(try daemon.get("/where").text.hasPrefix("http localhost \(daemon.port) "))
        #expect(try secured.curl("\(try secured.https)/secret").output == "secret")
        #expect(try daemon.get("/secret").status == 404)
        let requests = try daemon.admin("GET", "/requests?limit=3").json?["requests"]?.arrayValue ?? []
        #expect(requests.map { $0["request"]?["scheme"]?.stringValue } == ["http", "https", "http"])
        let logged = requests.last { $0["request"]?["scheme"] == "https" }?["request"]
        #expect(logged?["absoluteUrl"]?.stringValue == "https://localhost:\(port)/secret")
        #expect(logged?["port"]?.intValue == port)
    }

    /// Each name has a certificate of its own.
    @Test func anyNameIsCertified() throws {
        let secured = try SecuredDaemon(files: Self.files)
        let port = try secured.httpsPort
        for name in ["shop.example", "a.b.c.example", "s1.localhost", "LOUD.example"] {
            let outcome = try secured.curl(
                "--resolve", "\(name):\(port):127.0.0.1", "https://\(name):\(port)/secret")
            #expect(outcome.output == "secret", "\(name): \(outcome.errors)")
        }
        // Without the authority nobody believes it.
        let outcome = try SecuredDaemon.run(
            #require(SecuredDaemon.curl), ["-sS", "\(try secured.https)/secret"], in: secured.scratch)
        #expect(outcome.status == 60)
    }

    @Test func onePortTakesBoth() throws {
        let secured = try SecuredDaemon(files: Self.files, ["--tls", "auto"])
        let port = secured.daemon.port
        #expect(try secured.httpsPort == Int(port))
        let urls = secured.daemon.ready["listeners"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
        #expect(urls == ["http://127.0.0.1:\(port)", "https://127.0.0.1:\(port)"])
        #expect(try secured.curl("https://localhost:\(port)/secret").output == "secret")
        #expect(try secured.curl("http://localhost:\(port)/where").output.hasPrefix("http localhost \(port) "))
    }

    /// The protocols that a client may ask for, and that of the journal.
    @Test(arguments: [("--http1.1", "HTTP/1.1"), ("--http2", "HTTP/2.0"), ("--http2-prior-knowledge", "HTTP/2.0")])
    func theProtocolIsTheClientsChoice(option: String, version: String) throws {
        let secured = try SecuredDaemon(files: Self.files)
        let (https, port) = (try secured.https, try secured.httpsPort)
        #expect(try secured.curl(option, "\(https)/where").output == "https localhost \(port) \(https) ")
        let logged = try secured.daemon.admin("GET", "/requests?limit=1").json?["requests"]?[0]?["request"]
        #expect(logged?["protocol"]?.stringValue == version)
        #expect(logged?["absoluteUrl"]?.stringValue == "\(https)/where")
        // The authority stands for the Host.
        _ = try secured.curl(option, "-H", "Host: foo.example", "\(https)/where")
        let named = try secured.daemon.admin("GET", "/requests?limit=1").json?["requests"]?[0]
        #expect(named?["request"]?["absoluteUrl"]?.stringValue == "https://foo.example/where")
        #expect(named?["request"]?["port"]?.intValue == 443)
        // The command that repeats it does.
        let id = try #require(named?["id"]?.stringValue)
        let command = try secured.daemon.get("/__admin/requests/\(id)/curl").text
        let again = try SecuredDaemon.run("/bin/sh", ["-c", command], in: secured.scratch)
        #expect(again.output == "https foo.example 443 https://foo.example ", "\(command)\n\(again.errors)")
    }

    @Test func http2OverTLSMayBeOff() throws {
        let secured = try SecuredDaemon(files: Self.files, ["--https-port", "0", "--disable-http2-tls"])
        let outcome = try secured.curl(
            "--http2", "-o", "/dev/null", "-w", "%{http_version}", "\(try secured.https)/secret")
        #expect(outcome.output == "1.1")
    }

    @Test func http2WithoutTLSMayBeOff() throws {
        for (option, version) in [([], "2"), (["--disable-http2-plain"], "1.1")] {
            let secured = try SecuredDaemon(files: Self.files, option)
            let outcome = try secured.curl(
                "--http2", "-o", "/dev/null", "-w", "%{http_version}",
                "http://localhost:\(secured.daemon.port)/where")
            #expect(outcome.output == version)
        }
    }

    /// What clients report of each fault is in docs/; here each acts, for the name that it is for.
    @Test(arguments: [
        ("expired", 60), ("notYetValid", 60), ("wrongHost", 60), ("selfSigned", 60), ("untrustedAuthority", 60),
        ("weakKey", 60), ("missingIntermediate", 60), ("oldVersion", 35), ("reset", 35), ("garbage", 35),
    ])
    func aFaultOfTLSActs(fault: String, status: Int32) throws {
        let secured = try SecuredDaemon(files: Self.files)
        let made = try secured.daemon.admin("POST", "/faults", #"{"tls": "\#(fault)"}"#)
        #expect(made.status == 201, "\(made.text)")
        let outcome = try secured.curl("\(try secured.https)/secret")
        #expect(outcome.status == status, "\(outcome.errors)")
        try secured.daemon.admin("DELETE", "/faults")
        #expect(try secured.curl("\(try secured.https)/secret").output == "secret")
    }

    @Test func withoutHTTPOnlyHTTPSIsServed() throws {
        let (scratch, state) = (try TemporaryFolder(), try TemporaryFolder())
        let arguments = [
            scratch.path, "--disable-http", "--https-port", "0", "--log-format", "json", "--state-dir",
            state.path, "--port-file", state.path + "/port",
        ]
        let outputs = try TemporaryFolder()
        let process = try ChildProcess(Daemon.binary, arguments, outputsIn: outputs)
        let text = eventually(within: 30_000) { try? state.read("port") }
        let port = try #require(text.flatMap { Int($0.dropLast()) }, "\(process.errors)")
        let line = try #require(eventually { process.output.contains("\n") ? process.output : nil })
        let ready = try JSONValue(parsing: line)
        #expect(ready["port"]?.isNull == true)
        #expect(ready["httpsPort"]?.intValue == port)
        let curl = try #require(SecuredDaemon.curl)
        let plain = try SecuredDaemon.run(curl, ["-sS", "http://localhost:\(port)/__admin/health"], in: scratch)
        #expect(plain.output.contains("healthy") == false)
        let secured = try SecuredDaemon.run(curl, ["-sSk", "https://localhost:\(port)/__admin/health"], in: scratch)
        #expect(secured.output.contains("healthy"), "\(secured.errors)")
    }

    @Test func theAdminAPIMayRequireHTTPS() throws {
        let secured = try SecuredDaemon([
            "--https-port", "0", "--admin-api-require-https", "--admin-api-basic-auth", "ada:love",
        ])
        let answer = try secured.daemon.admin("GET", "/mappings")
        #expect(answer.status == 403)
        // WireMock's own words.
        #expect(
            answer.json == [
                "errors": [["code": 40, "title": "HTTPS is required for accessing the admin API"]]
            ])
        let url = "\(try secured.https)/__admin/mappings"
        let denied = try secured.curl("-k", "-o", "/dev/null", "-w", "%{http_code}", url)
        #expect(denied.output == "401")
        #expect(try secured.curl("-k", "-u", "ada:love", url).output.contains("\"mappings\""))
        #expect(try secured.daemon.get("/none").status == 404)
    }

    @Test func theAuthorityIsTheSameNextTime() throws {
        let scratch = try TemporaryFolder()
        let first = try SecuredDaemon(in: scratch)
        let certificate = try scratch.read("trusted.pem")
        let second = try SecuredDaemon(files: Self.files, in: scratch)
        #expect(try scratch.read("trusted.pem") == certificate)
        #expect(try second.curl("\(try second.https)/secret").output == "secret")
        #expect(try first.httpsPort != second.httpsPort)
    }

    /// HTTP/2 has no header Host, by which an own page could be told.
    @Test(arguments: ["--http1.1", "--http2"]) func theDaemonsOwnPagesMayCall(option: String) throws {
        let secured = try SecuredDaemon()
        let https = try secured.https
        func status(_ origin: String) throws -> String {
            try secured.curl(
                option, "-H", "Origin: \(origin)", "-o", "/dev/null", "-w", "%{http_code}", "\(https)/__admin/mappings"
            ).output
        }
        #expect(try status(https) == "200")
        #expect(try status("https://evil.example") == "403")
        let health = try secured.curl(option, "-i", "\(https)/__admin/health").output.lowercased()
        let port = secured.daemon.port
        #expect(
            health.contains(
                "x-stuntdouble-listeners: http://127.0.0.1:\(port), https://127.0.0.1:\(try secured.httpsPort)"),
            "\(health)")
        let redirected = try secured.curl(option, "-o", "/dev/null", "-w", "%{redirect_url}", "\(https)/__admin")
        #expect(redirected.output == "\(https)/__admin/")
    }

    @Test func withoutHTTPSThereIsNoAuthority() throws {
        let daemon = try Daemon()
        #expect(daemon.ready["httpsPort"]?.isNull == true)
        #expect(try daemon.get("/__admin/certs/wiremock-ca.crt").status == 404)
    }

    // MARK: Sessions

    @Test(.enabled(if: SecuredDaemon.curl != nil)) func sessionsAreNamedOverHTTPS() throws {
        let secured = try SecuredDaemon(files: Self.files)
        let (https, port) = (try secured.https, try secured.httpsPort)
        let session = try secured.json("-d", #"{"port": 0, "httpsPort": 0}"#, "\(https)/__admin/sessions")
        let id = try #require(session["id"]?.stringValue)
        let own = try #require(session["httpsUrl"]?.stringValue)
        #expect(session["url"]?.stringValue == own)
        #expect(own == "https://localhost:\(session["httpsPort"]?.intValue ?? 0)")
        let stub = #"{"request": {"url": "/mine"}, "response": {"body": "mine"}}"#
        _ = try secured.curl("-d", stub, "\(own)/__admin/mappings")
        let ways = [
            ["\(own)/mine"], ["\(https)/__session/\(id)/mine"],
            ["-H", "X-StuntDouble-Session: \(id)", "\(https)/mine"],
            ["--resolve", "\(id).localhost:\(port):127.0.0.1", "https://\(id).localhost:\(port)/mine"],
            ["http://localhost:\(session["port"]?.intValue ?? 0)/mine"],
        ]
        for way in ways {
            let outcome = try SecuredDaemon.run(
                #require(SecuredDaemon.curl), ["-sS", "--cacert", "trusted.pem"] + way, in: secured.scratch)
            #expect(outcome.output == "mine", "\(way) \(outcome.errors)")
        }
        #expect(try secured.json("\(own)/__admin/requests")["meta"]?["total"]?.intValue == ways.count)
        #expect(try secured.curl("\(https)/mine").output != "mine")
        _ = try secured.curl("-X", "DELETE", "\(https)/__admin/sessions/\(id)")
        #expect(eventually { (try? secured.curl("\(own)/mine").status) == 7 ? true : nil } == true)
    }

    /// A session's port for HTTPS needs none of the daemon's options, and faults act on it.
    @Test func aSessionsOwnPortIsDown() throws {
        let secured = try SecuredDaemon(files: Self.files, [])
        let session = try secured.daemon.admin("POST", "/sessions", #"{"httpsPort": 0}"#).json
        let own = try #require(session?["httpsUrl"]?.stringValue)
        #expect(session?["url"]?.stringValue == own)
        #expect(session?["port"]?.isNull == true)
        try secured.scratch.write("trusted.pem", secured.daemon.get("/__admin/certs/wiremock-ca.crt").text)
        #expect(try secured.curl("\(own)/secret").output == "secret")
        let id = try #require(session?["id"]?.stringValue)
        let made = try secured.daemon.request(
            "POST", "/__session/\(id)/__admin/faults", body: #"{"listener": "down"}"#)
        #expect(made.status < 300, "\(made.text)")
        #expect(try secured.curl("\(own)/secret").status == 7)
        _ = try secured.daemon.request("DELETE", "/__session/\(id)/__admin/faults")
        #expect(try secured.curl("\(own)/secret").output == "secret")
    }

    @Test(
        .enabled(
            if: ClientSuite.pythonWireMock.python != nil,
            "no Python here has the package `wiremock`; `.ci/deps ci` installs it"))
    func aClientOfOthersUsesASessionOverHTTPS() throws {
        let secured = try SecuredDaemon(files: ["base.yaml": "GET /inherited: { body: base }"])
        let session = try secured.json("-d", #"{"httpsPort": 0}"#, "\(try secured.https)/__admin/sessions")
        let url = try #require(session["url"]?.stringValue)
        let script = PackageFiles.root + "/Tests/Clients/python_sessions.py"
        let client = try ChildProcess(
            #require(ClientSuite.pythonWireMock.python),
            ["-B", script, "--url", url, "--name", "left", "--rounds", "3"],
            environment: ["REQUESTS_CA_BUNDLE": secured.scratch.path + "/trusted.pem"], outputsIn: secured.scratch)
        #expect(client.wait(milliseconds: 120_000) == .exited(0), "\(client.errors)")
    }
}
