import SDAdminAPI
import SDJSON
import Synchronization
import Testing

/// The hosts under which the admin API may be called: what containers, clusters and tests call it, and no public name.
@Suite struct AdmittedHostsTests {
    /// `Host` as it is sent by the callers that a container has.
    static let accepted = [
        // Probes of Kubernetes and load balancers: the address of the pod, over IPv4 and IPv6.
        "10.1.2.3:9021", "10.244.0.17:8080", "192.168.65.4",
        "[fd00:10:244::11]:8080", "[2001:db8::1]",
        "[::ffff:10.1.2.3]:8080",
        "[fe80::1%25eth0]:8080", "[fe80::1%eth0]", "[::]:8080", "0.0.0.0:8080", "255.255.255.255",
        // Services of Compose, of GitHub's jobs, and of a cluster.
        "wiremock:8080", "docker:32768", "mock_api", "api-1", "MOCKS:80", "7f3c2a9b1d4e:8080", "x.default.svc",
        "wiremock.test-ns.svc:80", "wiremock.test-ns.svc.cluster.local:9021", "Wiremock.Test.SVC.Cluster.Local.",
        // Testcontainers: of the machine, of Docker's bridge, of Docker in Docker, of a container's host.
        "localhost:49153", "LocalHost", "172.17.0.1:32768", "host.docker.internal:32768",
        "host.testcontainers.internal",
        "gateway.docker.internal", "host.containers.internal:8080", "kubernetes.docker.internal",
        // Names that are nobody's.
        "a.localhost", "shop.api.localhost:8443", "my-mac.local:8080", "api.test", "ip-10-0-0-1.ec2.internal",
        // With the dot of the root, with an empty port.
        "localhost.", "localhost.:8080", "wiremock.:8080", "10.1.2.3.", "localhost:",
        // One number is the address that resolvers make of it, and no public name has one part.
        "2130706433",
    ]

    @Test(arguments: accepted)
    func whatCannotBeAPublicNameIsAccepted(host: String) throws {
        let mock = try TestMock()
        #expect(try status(mock, host) == 200)
        #expect(mock.troubles.isEmpty)
    }

    static let refused = [
        "evil.example", "evil.example:8080", "evil.example.", "EVIL.example", "com.evil", "rebind.network",
        // Addresses by their meaning and not by their spelling.
        "10.0.0.1.nip.io", "127.0.0.1.sslip.io:8080", "10-0-0-1.nip.io", "127.0.0.1.evil.example", "localtest.me",
        "0x7f.1", "127.1", "10.0.0.256", "10.0.0.01", "10.0.0.1.1", "10.0.0", "1.2.3.4.5", "+10.0.0.1",
        "10.0.0.+1",
        "10.0.0.1e0",
        "10.0.0.", "10..0.1", "[::1].evil.example", "[evil.example]", "[::1", "::1]", "[]", "[1::2::3]", "[::g]",
        "[v1.a]",
        // Local names within public ones.
        "localhost.evil.example", "local.evil.example", "svc.evil.example", "x.default.svc.evil.example",
        "wiremock.default.svc.cluster.example", "docker.internal.evil.example", "test.com", "internal.io",
        "xlocalhost.com",
        "a.notlocal", "a.mytest", "evil.locals",
        // What is no name.
        "", ".", "..", ".local", "a..local", "localhost..", "*", "*.local", "a,evil.example", "ev\u{ef}l",
    ]

    @Test(arguments: refused)
    func whatMayBeAPublicNameIsRefused(host: String) throws {
        let mock = try TestMock()
        // What is no host at all is refused by the server itself.
        #expect(try [400, 403].contains(status(mock, host)))
    }

    @Test(
        arguments: [
            (["*"], ["evil.example", "", "10.0.0.1.nip.io"], []),
            (
                ["mocks.example"], ["mocks.example", "MOCKS.Example:80", "mocks.example."],
                ["a.mocks.example", "xmocks.example"]
            ),
            (["Mocks.Example."], ["mocks.example"], ["a.mocks.example"]),
            (
                ["*.mocks.example"], ["a.mocks.example", "A.b.Mocks.example:8080", "a.mocks.example."],
                ["mocks.example", ".mocks.example", "xmocks.example", "a.mocks.example.evil"]
            ),
            (["*.dev", "ci.example"], ["a.dev", "ci.example"], ["dev.example", "ci.example.org"]),
            (["mocks.example"], ["wiremock:8080", "10.1.2.3"], []),
        ] as [([String], [String], [String])])
    func othersAreConfigured(names: [String], accepted: [String], refused: [String]) throws {
        var options = AdminOptions()
        options.hosts = names
        let mock = try TestMock(admin: options)
        for host in accepted { #expect(try status(mock, host) == 200, "\(host)") }
        for host in refused { #expect(try status(mock, host) == 403, "\(host)") }
    }

    @Test func aForeignPageIsRefusedUnderAnyHost() throws {
        let mock = try TestMock()
        for host in ["10.1.2.3:9021", "wiremock:8080", "localhost", "evil.example"] {
            for path in ["/__admin/mappings", "/__admin/health"] {
                let headers = [("Host", host), ("Origin", "http://page.example")]
                #expect(try Exchange(mock.port, "GET", path, headers: headers).status == 403, "\(path) \(host)")
            }
        }
    }

    // MARK: Health

    @Test(arguments: ["elb.example.com", "10.0.0.1.nip.io", ""])
    func healthIsAnsweredForEveryHostWithoutWhatIsOurs(host: String) throws {
        let mock = try TestMock()
        let known = try Exchange(mock.port, "GET", "/__admin/health", headers: [("Host", "10.1.2.3:9021")])
        #expect(known.header("X-StuntDouble-Memory") != nil)
        let answer = try Exchange(mock.port, "GET", "/__admin/health", headers: [("Host", host)])
        #expect(answer.status == 200)
        #expect(answer.json?.objectValue?.keys == ["status", "message", "version", "uptimeInSeconds", "timestamp"])
        #expect(answer.json?["status"] == "healthy")
        #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("x-stuntdouble") }, "\(answer)")
        #expect(mock.troubles.isEmpty)
    }

    /// What passes caches by a query, and what adds one to all that it asks, as WireMock lets it.
    @Test(arguments: ["localhost", "elb.example.com"], ["?x=1", "?", "?a=b&probe", "?fail=true", "?%zz"])
    func healthIsAnsweredWhateverItsQueryIs(host: String, query: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "GET", "/__admin/health" + query, headers: [("Host", host)])
        #expect(answer.status == 200 && answer.json?["status"] == "healthy", "\(answer)")
        #expect(mock.troubles.isEmpty)
    }

    /// What is asked under a public name does not tell which sessions there are.
    @Test func healthForAnotherHostIsThatOfTheDaemon() throws {
        let mock = try TestMock()
        let id = try #require(try Exchange(mock.port, "POST", "/__admin/sessions").json?["id"]?.stringValue)
        for name in [id, "none"] {
            let headers = [("Host", "evil.example"), ("X-StuntDouble-Session", name)]
            #expect(try Exchange(mock.port, "GET", "/__admin/health", headers: headers).status == 200, "\(name)")
            #expect(
                try Exchange(mock.port, "GET", "/__session/\(name)/__admin/health", headers: [headers[0]]).status == 200
            )
        }
    }

    @Test func healthForAnotherHostNeedsWhatHealthNeeds() throws {
        var options = AdminOptions()
        options.token = "t"
        let guarded = try TestMock(admin: options)
        let host = ("Host", "elb.example.com")
        #expect(try Exchange(guarded.port, "GET", "/__admin/health", headers: [host]).status == 401)
        let right = [host, ("Authorization", "Bearer t")]
        #expect(try Exchange(guarded.port, "GET", "/__admin/health", headers: right).status == 200)
        options.requiresHTTPS = true
        let secured = try TestMock(admin: options)
        #expect(try Exchange(secured.port, "GET", "/__admin/health", headers: right).status == 403)
    }

    @Test(arguments: [
        ("POST", "/__admin/health"), ("DELETE", "/__admin/health"), ("GET", "/__admin/health/x"),
        ("GET", "/__admin/healthy"),
        ("GET", "/__admin/memory"), ("GET", "/__admin/version"), ("GET", "/__admin"), ("POST", "/__admin/shutdown"),
    ])
    func nothingElseIsAnswered(method: String, path: String) throws {
        let mock = try TestMock()
        #expect(try Exchange(mock.port, method, path, headers: [("Host", "evil.example")]).status == 403)
        #expect(mock.control.shutDowns.load(ordering: .relaxed) == 0)
    }

    // MARK: What is said

    @Test func aHostIsToldOnceInTheLog() throws {
        let mock = try TestMock()
        for host in ["evil.example", "EVIL.example:80", "evil.example.", "other.example"] {
            _ = try status(mock, host)
        }
        #expect(mock.troubles.count == 2, "\(mock.troubles)")
        #expect(mock.troubles.first?.contains("`evil.example`") == true, "\(mock.troubles)")
        #expect(mock.troubles.first?.contains("--admin-host evil.example") == true, "\(mock.troubles)")
    }

    @Test func noMoreThanAHundredHostsAreTold() throws {
        let mock = try TestMock()
        for number in 0..<120 { _ = try status(mock, "h\(number).example") }
        #expect(mock.troubles.count == 100)
        #expect(mock.troubles.count { $0.contains("further hosts") } == 1)
        #expect(mock.troubles.last?.contains("further hosts") == true)
    }

    @Test func whatNoNameCanBeIsNotAdvised() throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "GET", "/__admin/mappings", headers: [("Host", "[v1.a]")])
        #expect(answer.status != 200 && !answer.text.contains("--admin-host"), "\(answer)")
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON, text/plain;q=0.5", true),
        ("application/json;charset=utf-8, */*", true),
        ("*/*", false), ("text/html,application/json", false), ("text/plain", false), ("", false),
    ])
    func whoAsksForJSONGetsTheErrorsOfTheAdminAPI(accept: String, isJSON: Bool) throws {
        let mock = try TestMock()
        let refusals = [
            (
                "Host", "evil.example", "The admin API does not answer for the host `evil.example`",
                "Allow it with --admin-host evil.example"
            ),
            (
                "Origin", "http://evil.example", "The admin API does not answer pages of `http://evil.example`",
                "Allow them with --admin-cors http://evil.example"
            ),
        ]
        for (name, value, title, detail) in refusals {
            let answer = try Exchange(
                mock.port, "GET", "/__admin/mappings", headers: [(name, value), ("Accept", accept)])
            #expect(answer.status == 403)
            #expect(answer.header("Content-Type") == (isJSON ? "application/json" : "text/plain;charset=UTF-8"))
            if isJSON {
                #expect(answer.json?["errors"] == [["code": 40, "title": .string(title), "detail": .string(detail)]])
            } else {
                #expect(answer.text == "\(title). \(detail).\n")
            }
        }
    }

    private func status(_ mock: TestMock, _ host: String) throws -> Int {
        try Exchange(mock.port, "GET", "/__admin/mappings", headers: [("Host", host)]).status
    }
}
