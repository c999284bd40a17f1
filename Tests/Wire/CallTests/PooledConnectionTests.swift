import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport
import Testing

/// Connections that are kept for later calls, and die: what must not be sent twice is not, and nothing that lies on one becomes an
/// answer. Counted at the server.
@Suite struct PooledConnectionTests {
    private static let told = "200 OK [Content-Length: 2] | <ok> | done"

    /// A request with its number in its target.
    private static func call(
        _ port: UInt16, _ target: String, _ method: String = "GET",
        _ change: @escaping @Sendable (inout harness_call) -> Void = { _ in }
    ) -> CallHarness.Call {
        var call = CallHarness.Call(port, method, change)
        call.head = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
        return call
    }

    /// Makes calls after calls that leave kept connections behind, and says how often each came.
    private func count(
        _ failure: ReuseFailure, _ method: String, _ change: @escaping @Sendable (inout harness_call) -> Void
    ) throws -> (counts: [String: Int], answers: [String]) {
        let target = try CountingTarget(failure.serve)
        let harness = CallHarness()
        var answers: [String] = []
        for index in 0..<3 {
            _ = harness.call(Self.call(target.port, "/kept\(index)") { $0.retryable = true })
            answers.append(harness.call(Self.call(target.port, "/call\(index)", method, change)))
        }
        return (target.counts().filter { $0.key.contains("/call") }, answers)
    }

    @Test(arguments: ReuseFailure.all) func whatIsFreshIsSentOnceAndAnswered(_ failure: ReuseFailure) throws {
        let (counts, answers) = try count(failure, "POST") { $0.fresh = true }
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        // On a connection of its own it is the first, which is answered.
        #expect(answers == [Self.told, Self.told, Self.told])
    }

    /// What may not be repeated comes once at the most, whatever connection it is sent on.
    @Test(arguments: ReuseFailure.all) func whatMustNotBeSentTwiceIsSentOnce(_ failure: ReuseFailure) throws {
        let (counts, answers) = try count(failure, "POST") { _ in }
        #expect(counts.count <= 3 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(answers.allSatisfy { !$0.contains("repeated") }, "\(answers)")
    }

    @Test(arguments: ReuseFailure.all) func whatMayBeSentTwiceNeverGetsAnothersAnswer(_ failure: ReuseFailure) throws {
        let (counts, answers) = try count(failure, "GET") { $0.retryable = true }
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 <= 2 }, "\(counts)")
        for answer in answers {
            // An answer that has begun is not asked for again.
            if failure.testDescription.hasPrefix("half") {
                #expect(answer == Self.told || answer.contains("failed"), "\(answer)")
                #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts)")
            } else {
                #expect(answer == Self.told || answer == Self.told + ", repeated", "\(answer)")
            }
        }
    }

    /// However many kept connections have died, a call is repeated once, on a new one.
    @Test(arguments: ["GET", "PUT"]) func aCallIsRepeatedOnce(method: String) throws {
        let (come, goOn) = (Events<Bool>(), Events<Bool>())
        let target = try CountingTarget { client, request, count in
            guard count == 1 else { return false }
            if request.call.contains("/kept") {
                come.tell(true)
                _ = goOn.next()
            }
            try client.send(CountingTarget.ok)
            return true
        }
        let harness = CallHarness()
        let kept = (0..<8).map { harness.start(Self.call(target.port, "/kept\($0)")) }
        for _ in kept { #expect(come.next() == true) }
        for _ in kept { goOn.tell(true) }
        for call in kept { #expect(call.whole() == Self.told) }
        var call = Self.call(target.port, "/call", method) { $0.retryable = true }
        if method == "PUT" {
            // A body that is there can be sent again.
            call.head = "PUT /call HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n"
            call.body = [UInt8](repeating: 0x61, count: 200_000)
        }
        #expect(harness.call(call) == Self.told + ", repeated")
        #expect(target.calls.count { $0.hasSuffix("/call") } == 2)
        #expect(target.connections == 9)
    }

    /// A 408 on a new connection is the answer to what was sent there.
    @Test func a408OnANewConnectionIsAnAnswer() throws {
        let server = try answering(ReuseFailure.timeout)
        let harness = CallHarness()
        for _ in 0..<2 {
            let text = harness.call(CallHarness.Call(server.port) { $0.retryable = true })
            #expect(text.hasPrefix("408 Request Timeout") && text.hasSuffix("| <late> | done"))
        }
    }

    // MARK: Which connection is taken

    private func keeping() throws -> CountingTarget {
        try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
    }

    @Test func aConnectionIsUsedAgain() throws {
        let target = try keeping()
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        for _ in 0..<10 { #expect(harness.get(target.port) == Self.told) }
        #expect(target.connections == 1)
        #expect(quota.open == 1 && quota.idle == 1)
        // It is there for a call that begins when the one before it ends.
        let first = harness.start(Self.call(target.port, "/first") { $0.paused = true })
        let second = harness.start(Self.call(target.port, "/second"), behind: first)
        first.read(true)
        #expect(first.whole() == Self.told && second.whole() == Self.told)
        #expect(target.connections == 1)
    }

    /// One of other keys is not: another name or address, and what was asked to close or to be fresh.
    @Test func aConnectionIsKeptForItsKind() throws {
        let target = try keeping()
        let harness = CallHarness()
        #expect(harness.get(target.port) == Self.told)
        var other = CallHarness.Call(target.port)
        other.name = "localhost"
        #expect(harness.call(other) == Self.told)
        #expect(target.connections == 2)
        #expect(harness.call(CallHarness.Call(target.port) { $0.fresh = true }) == Self.told)
        #expect(target.connections == 3)
        #expect(harness.call(CallHarness.Call(target.port) { $0.closes = true }) == Self.told)
        #expect(harness.call(CallHarness.Call(target.port) { $0.closes = true }) == Self.told)
        #expect(target.connections == 3)
        #expect(harness.get(target.port) == Self.told)
        #expect(target.connections == 4)
        // Of several addresses that a name has, any will do.
        var several = CallHarness.Call(target.port)
        several.addresses = "127.0.0.3 127.0.0.1"
        #expect(harness.call(several) == Self.told)
        #expect(target.connections == 4)
    }

    /// The gate is asked about a connection that is kept, too.
    @Test func aKeptConnectionIsJudged() throws {
        let target = try keeping()
        let harness = CallHarness()
        #expect(harness.get(target.port) == Self.told)
        var call = CallHarness.Call(target.port)
        call.denied = "127.0.0.1"
        #expect(
            harness.call(call)
                == "failed: server is not among the servers that may be called (--allow-proxy-targets, --deny-proxy-targets)"
        )
        #expect(target.calls.count == 1)
    }

    // MARK: Limits

    @Test func aConnectionServesSoManyCalls() throws {
        let target = try keeping()
        let harness = CallHarness(CallHarness.Quota(uses: 3))
        for _ in 0..<7 { #expect(harness.get(target.port) == Self.told) }
        #expect(target.connections == 3)
    }

    @Test(arguments: [false, true]) func aConnectionIsKeptForATime(byAge: Bool) throws {
        let target = try keeping()
        let harness = CallHarness(byAge ? CallHarness.Quota(age: 20) : CallHarness.Quota(idleTime: 20))
        #expect(harness.get(target.port) == Self.told)
        SystemCalls.pause(milliseconds: 40)
        #expect(harness.get(target.port) == Self.told)
        #expect(target.connections == 2)
    }

    /// The idle connections of all loops count together; the one that was used longest ago is closed.
    @Test func soManyConnectionsAreKept() throws {
        let targets = try (0..<4).map { _ in try keeping() }
        let quota = CallHarness.Quota(idle: 2)
        let harnesses = [CallHarness(quota), CallHarness(quota)]
        for target in targets { #expect(harnesses[0].get(target.port) == Self.told) }
        #expect(quota.idle == 2 && quota.open == 2)
        #expect(harnesses[0].get(targets[3].port) == Self.told && harnesses[0].get(targets[2].port) == Self.told)
        #expect(targets.map(\.connections) == [1, 1, 1, 1])
        // Another loop has no place for one of its own.
        #expect(harnesses[1].get(targets[0].port) == Self.told)
        #expect(quota.idle == 2 && quota.open == 2)
    }

    /// At the limit of connections calls wait for one, whichever loop has it, and one that is kept makes room.
    @Test func soManyConnectionsAreOpen() throws {
        let goOn = Events<Bool>()
        let open = Locked((now: 0, most: 0))
        let serve: CountingTarget.Serve = { client, request, _ in
            open.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            if request.call.contains("/held") { _ = goOn.next() }
            open.withLock { $0.now -= 1 }
            try client.send(CountingTarget.ok)
            return true
        }
        let targets = try [CountingTarget(serve), CountingTarget(serve)]
        let quota = CallHarness.Quota(connections: 2)
        let harnesses = [CallHarness(quota), CallHarness(quota)]
        let calls = (0..<12).map { index in
            harnesses[index % 2].start(Self.call(targets[index / 2 % 2].port, "/held\(index)"))
        }
        for _ in calls { goOn.tell(true) }
        for call in calls { #expect(call.whole() == Self.told) }
        #expect(open.withLock { $0.most } <= 2)
        #expect(quota.open <= 2)
        for harness in harnesses { for target in targets { #expect(harness.get(target.port) == Self.told) } }
        // Who waits for too long is told so; who is cancelled waits no more.
        let held = (0..<2).map { harnesses[$0].start(Self.call(targets[0].port, "/held")) }
        let late = harnesses[0].start(Self.call(targets[0].port, "/late") { $0.stall_timeout_ms = 30 })
        let cancelled = harnesses[0].start(Self.call(targets[0].port, "/cancelled"))
        cancelled.cancel()
        let taken = "no connection was free for the call to server for 30 ms"
        #expect(late.whole() == "failed: \(taken), as others hold all of --max-http-client-connections")
        for _ in held { goOn.tell(true) }
        for call in held { #expect(call.whole() == Self.told) }
        #expect(!targets[0].calls.contains { $0.contains("late") || $0.contains("cancelled") })
    }
}
