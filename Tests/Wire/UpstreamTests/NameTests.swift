import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

@testable import SDUpstream

/// Names of hosts, and which servers may be called.
@Suite struct NameTests {
    private func server() throws -> RawServer {
        try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    }

    private func caller(
        _ settings: UpstreamSettings = UpstreamSettings(), _ lookup: @escaping NameResolver.Lookup
    ) throws -> Caller {
        try Caller(Upstream(settings, NameResolver(lookup)))
    }

    @Test func aNameIsCalledAtItsAddress() throws {
        let server = try server()
        let asked = Locked<[String]>([])
        let caller = try caller { name in
            asked.withLock { $0.append(name) }
            return .success(["127.0.0.1"])
        }
        for _ in 0..<3 { #expect(try caller.get("http://Service.example:\(server.port)/").text == "hi") }
        #expect(asked.withLock { $0 } == ["service.example"])
    }

    /// What is known of names does not grow without end.
    @Test func manyNames() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let caller = try caller { _ in .success(["127.0.0.1"]) }
        for number in 0..<520 { #expect(try caller.get("http://n\(number).example:\(server.port)/").text == "hi") }
        for number in [0, 519] { #expect(try caller.get("http://n\(number).example:\(server.port)/").text == "hi") }
    }

    @Test func localhostAndAddressesAreNotAskedFor() throws {
        let server = try server()
        let caller = try caller { _ in .failure(.unknown) }
        for host in ["localhost", "127.0.0.1", "LOCALHOST"] {
            #expect(try caller.get("http://\(host):\(server.port)/").text == "hi")
        }
    }

    @Test func unknownNames() throws {
        let caller = try caller { name in name == "a.example" ? .failure(.unknown) : .failure(.failed("no server")) }
        #expect(
            try caller.get("http://a.example/x").problem
                == UpstreamProblem(.unknownHost, "the host name a.example of a.example:80 is unknown"))
        #expect(
            try caller.get("https://b.example/x").problem
                == UpstreamProblem(.unknownHost, "the addresses of b.example cannot be found: no server"))
    }

    /// A name that nobody answers for keeps others from nothing, and is asked for once.
    @Test func aNameThatHangsKeepsNobodyWaiting() throws {
        let server = try server()
        let release = Events<Bool>()
        let asked = Locked(0)
        let caller = try caller { name in
            guard name.hasPrefix("hangs") else { return .success(["127.0.0.1"]) }
            asked.withLock { $0 += 1 }
            _ = release.next(within: 20_000)
            return .success(["127.0.0.1"])
        }
        let hanging = (0..<20).flatMap { host in
            (0..<3).map { _ in
                var request = UpstreamRequest("GET", "http://hangs\(host).example:\(server.port)/")
                request.timeout = 300
                return caller.start(request)
            }
        }
        for host in ["localhost", "127.0.0.1", "other.example"] {
            #expect(try caller.get("http://\(host):\(server.port)/").text == "hi")
        }
        for answer in hanging {
            let problem = try answer.whole().problem
            #expect(problem?.kind == .unknownHost)
            #expect(problem?.message.hasSuffix("were not found in time") == true)
        }
        #expect(eventually { asked.withLock { $0 } == 20 ? true : nil } == true)
        for _ in 0..<20 { release.tell(true) }
    }

    @Test func noUpstreamForbidsEverything() throws {
        let caller = try Caller { $0.isForbidden = true }
        #expect(
            try caller.get("http://127.0.0.1:1/").problem
                == UpstreamProblem(
                    .forbidden, "127.0.0.1:1 is not called: --no-upstream forbids calls to other servers"))
    }

    @Test(
        arguments: [
            (allowed: [], denied: [], name: "a.example", isAllowed: true),
            (["a.example"], [], "a.example", true), (["a.example"], [], "b.example", false),
            (["*.example"], [], "a.b.example", true), (["*.example"], [], "example", false),
            (["*.example"], [], "a.test", false),
            (["a*c*e"], [], "abcde", true), (["a*c*e"], [], "acde", false), (["a*c*e"], [], "abcce", true),
            (["*"], [], "x", true),
            (["10.0.0.1"], [], "a.example", true), (["*.example"], ["a.*"], "a.example", false),
            ([], ["*.example"], "a.test", true),
            ([], ["A.example"], "a.example", false), ([], ["aXexample"], "a.example", true),
        ] as [(allowed: [String], denied: [String], name: String, isAllowed: Bool)])
    func rulesAboutNames(allowed: [String], denied: [String], name: String, isAllowed: Bool) throws {
        let host = try #require(TargetHost(Array(name.utf8)[...]))
        #expect((TargetRules(allowed: allowed, denied: denied).refusal(of: host) == nil) == isAllowed)
    }

    @Test(
        arguments: [
            (allowed: [], denied: [], address: "1.2.3.4", isAllowed: true),
            (["1.2.3.4"], [], "1.2.3.4", true), (["1.2.3.4"], [], "1.2.3.5", false),
            (["*.example"], [], "1.2.3.4", true),
            (["1.2.3.4-1.2.4.2"], [], "1.2.3.255", true), (["1.2.3.4-1.2.4.2"], [], "1.2.4.3", false),
            (["1.2.3.4-1.2.4.2"], [], "1.2.3.3", false), ([], ["10.0.0.0-10.255.255.255"], "10.1.2.3", false),
            ([], ["10.0.0.0-10.255.255.255"], "11.1.2.3", true), ([], ["::1"], "0:0::1", false),
            (["1.2.3.4"], ["1.2.3.4"], "1.2.3.4", false),
            (["127.0.0.1"], [], "::1", false),
        ] as [(allowed: [String], denied: [String], address: String, isAllowed: Bool)])
    func rulesAboutAddresses(allowed: [String], denied: [String], address: String, isAllowed: Bool) throws {
        let host = try #require(TargetHost(Array("a.example".utf8)[...]))
        let admitted = TargetRules(allowed: allowed, denied: denied).admitted([address], of: host)
        #expect(admitted == (isAllowed ? [address] : []))
    }

    @Test func whatANameResolvesToIsLookedAt() throws {
        let server = try server()
        var settings = UpstreamSettings()
        settings.deniedTargets = ["127.0.0.1", "bad.*"]
        let caller = try caller(settings) { _ in .success(["127.0.0.1"]) }
        for host in ["a.example", "localhost", "127.0.0.1", "bad.example"] {
            let problem = try caller.get("http://\(host):\(server.port)/").problem
            #expect(problem?.kind == .denied, "\(host)")
        }
        settings.deniedTargets = []
        settings.allowedTargets = ["127.0.0.1", "*.example", "localhost"]
        let other = try self.caller(settings) { name in .success([name == "a.example" ? "127.0.0.1" : "127.0.0.2"]) }
        #expect(try other.get("http://a.example:\(server.port)/").text == "hi")
        #expect(try other.get("http://localhost:\(server.port)/").text == "hi")
        #expect(try other.get("http://b.example:\(server.port)/").problem?.kind == .denied)
        #expect(try other.get("http://c.test:\(server.port)/").problem?.kind == .denied)
    }
}
