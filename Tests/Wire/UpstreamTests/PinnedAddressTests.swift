import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

@testable import SDUpstream

/// A call goes to the addresses that were judged, and nowhere else.
@Suite struct PinnedAddressTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    /// A caller whose names are asked for at each call.
    /// - Parameter answers: one after the other; the last counts for all that follow.
    private func caller(
        _ answers: [[String]], _ asked: Locked<[String]> = Locked([]),
        _ change: (inout UpstreamSettings) -> Void = { _ in }
    ) throws -> Caller {
        var settings = UpstreamSettings()
        change(&settings)
        let resolver = NameResolver(lifetime: 0) { name in
            let count = asked.withLock { asked in
                asked.append(name)
                return asked.count
            }
            let addresses = answers[min(count, answers.count) - 1]
            return addresses.isEmpty ? .failure(.unknown) : .success(addresses)
        }
        return try Caller(Upstream(settings, resolver))
    }

    @Test func aNameIsAskedForOnceForEachCall() throws {
        let server = try answering(Self.ok)
        let asked = Locked<[String]>([])
        let caller = try caller([["127.0.0.1"], ["10.0.0.1"]], asked) { $0.deniedTargets = ["10.0.0.0/8"] }
        #expect(try caller.get("http://a.example:\(server.port)/").text == "hi")
        #expect(asked.withLock { $0 } == ["a.example"])
        #expect(try caller.get("http://a.example:\(server.port)/").problem?.kind == .denied)
        #expect(asked.withLock { $0.count } == 2)
        #expect(server.connections == 1)
    }

    /// A connection is kept for the address to which it leads, not for the name.
    @Test func aKeptConnectionIsNotUsedOnceItsNameLeadsElsewhere() throws {
        let server = try answering(Self.ok, closing: false)
        let here = ["127.0.0.1"]
        let caller = try caller([here, here, ["127.0.0.9"], ["127.0.0.9", "127.0.0.1"], ["::ffff:127.0.0.1"], here])
        var connections: [Int] = []
        for count in 1...6 {
            let whole = try caller.get("http://a.example:\(server.port)/")
            #expect(count == 3 ? whole.problem?.kind == .refusedConnection : whole.text == "hi", "\(count): \(whole)")
            connections.append(server.connections)
        }
        #expect(connections == [1, 1, 1, 1, 2, 2])
    }

    @Test func redirectsAreNotFollowed() throws {
        let other = try answering(Self.ok)
        for location in ["http://127.0.0.1:\(other.port)/", "//127.0.0.1:\(other.port)/", "/again"] {
            for status in [301, 302, 303, 307, 308] {
                let requests = Events<String>()
                let server = try answering(
                    "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n", requests)
                let whole = try Caller().get("http://127.0.0.1:\(server.port)/")
                #expect(whole.head?.status == status)
                #expect(server.connections == 1)
            }
        }
        #expect(other.connections == 0)
    }

    /// Tunnels go through the same gate, and to the same addresses.
    @Test func tunnels() throws {
        let server = try RawServer { connection, _ in try connection.send("hello") }
        let asked = Locked<[String]>([])
        let caller = try caller([["127.0.0.1"], ["127.0.0.1", "10.0.0.1"], []], asked) {
            $0.deniedTargets = ["10.0.0.1", "evil.example"]
        }
        #expect(try caller.connect("A.example.:\(server.port)") == nil)
        // The server may learn of a connection later than who has made it.
        #expect(eventually { server.connections == 1 ? true : nil } == true)
        #expect(try caller.connect("a.example:\(server.port)")?.kind == .denied)
        #expect(try caller.connect("EVIL.example.:\(server.port)")?.kind == .denied)
        #expect(try caller.connect("167772161:\(server.port)")?.kind == .denied)
        #expect(try caller.connect("[::ffff:a00:1]:\(server.port)")?.kind == .denied)
        #expect(try caller.connect("a.example:\(server.port)")?.kind == .unknownHost)
        #expect(try caller.connect("2130706433:\(server.port)") == nil)
        #expect(asked.withLock { $0 } == ["a.example", "a.example", "a.example"])
    }

    // MARK: Through a proxy

    /// Names are looked up here before a proxy is asked for them, if rules are about addresses.
    @Test func namesAreJudgedBeforeAProxyIsAsked() throws {
        let requests = Events<String>()
        let proxy = try answering(Self.ok, requests)
        let asked = Locked<[String]>([])
        let caller = try caller([["192.0.2.1"], ["10.0.0.1"], ["192.0.2.1", "10.0.0.1"], []], asked) {
            $0.via = "127.0.0.1:\(proxy.port)"
            $0.deniedTargets = ["10.0.0.0/8"]
        }
        #expect(try caller.get("http://good.example/x").text == "hi")
        #expect(requests.next(within: 30_000)?.hasPrefix("GET http://good.example/x HTTP/1.1\r\n") == true)
        for url in ["http://good.example/", "https://good.example/", "http://10.1/", "https://[::ffff:a00:1]/"] {
            #expect(try caller.get(url).problem?.kind == .denied, "\(url)")
        }
        #expect(try caller.get("http://good.example/").problem?.kind == .unknownHost)
        #expect(proxy.connections == 1)
        #expect(asked.withLock { $0.count } == 4)
    }

    /// Where rules are about names alone, nobody here asks for the addresses of what a proxy is asked for.
    @Test func aProxyMayBeAskedForNamesThatNobodyKnowsHere() throws {
        let proxy = try answering(Self.ok)
        let asked = Locked<[String]>([])
        let caller = try caller([[]], asked) {
            $0.via = "127.0.0.1:\(proxy.port)"
            $0.allowedTargets = ["*.example"]
        }
        #expect(try caller.get("http://good.example/").text == "hi")
        #expect(try caller.get("http://good.test/").problem?.kind == .denied)
        #expect(try caller.get("http://10.0.0.1/").problem?.kind == .denied)
        #expect(proxy.connections == 1)
        #expect(asked.withLock { $0 } == [])
    }
}

extension Caller {
    /// Connects a tunnel, and drops it; what kept it from being made.
    fileprivate func connect(_ authority: String) throws -> UpstreamProblem? {
        let ended = Events<UpstreamProblem?>()
        loop.perform { [self] in
            upstream.connect(to: Array(authority.utf8)[...], on: loop) { result in
                switch result {
                case .success: ended.tell(nil)
                case .failure(let problem): ended.tell(problem)
                }
            }
        }
        return try #require(ended.next(within: 30_000))
    }
}
