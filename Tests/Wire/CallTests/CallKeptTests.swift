import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport
import Testing

/// Connections that are kept for later calls, and die: what must not be sent twice is not, and nothing that lies on one becomes an
/// answer. Counted at the server.
@Suite struct CallKeptTests {
    /// What becomes of a connection that was used.
    struct Death: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let serve: CountingTarget.Serve

        init(_ name: String, _ serve: @escaping CountingTarget.Serve) {
            (testDescription, self.serve) = (name, serve)
        }

        /// The first request of a connection is answered.
        init(_ name: String, second: @escaping @Sendable (RawClient) throws -> Void) {
            self.init(name) { client, _, count in
                if count == 1 {
                    try client.send(CountingTarget.ok)
                } else {
                    try second(client)
                }
                return count == 1
            }
        }
    }

    private static let late = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlate"

    private static let deaths = [
        Death("the second request is read, then it closes") { _ in },
        Death("the second request is read, then it resets") { $0.reset() },
        Death("half a status line") { try $0.send("HTTP/1.1 2") },
        Death("half a head") { try $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
        Death("half a body") { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabcde") },
        Death("it closes at once") { client, _, _ in
            try client.send(CountingTarget.ok)
            return false
        },
        Death("it resets at once") { client, _, _ in
            try client.send(CountingTarget.ok)
            client.reset()
            return false
        },
        Death("a 408 right behind the answer") { client, _, _ in
            try client.send(CountingTarget.ok + late)
            return true
        },
        Death("a 408 for an answer") { try $0.send(late) },
        Death("a 408 for an answer, and it stays") { client, _, count in
            try client.send(count == 1 ? CountingTarget.ok : "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n")
            return true
        },
        Death("a 408 in chunks for an answer") {
            try $0.send("HTTP/1.1 408 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
        },
    ]

    private static let told = "200 OK [Content-Length: 2] | <ok> | done"

    /// A request with its number in its target.
    private static func call(
        _ port: UInt16, _ target: String, _ method: String = "GET",
        _ change: @escaping @Sendable (inout door_call) -> Void = { _ in }
    ) -> CallDoor.Call {
        var call = CallDoor.Call(port, method, change)
        call.head = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
        return call
    }

    /// Makes calls after calls that leave kept connections behind, and says how often each came.
    private func count(_ death: Death, _ method: String, _ change: @escaping @Sendable (inout door_call) -> Void) throws
        -> (counts: [String: Int], answers: [String])
    {
        let target = try CountingTarget(death.serve)
        let door = CallDoor()
        var answers: [String] = []
        for index in 0..<3 {
            _ = door.call(Self.call(target.port, "/kept\(index)") { $0.repeats = true })
            answers.append(door.call(Self.call(target.port, "/call\(index)", method, change)))
        }
        return (target.counts().filter { $0.key.contains("/call") }, answers)
    }

    @Test(arguments: deaths) private func whatIsFreshIsSentOnceAndAnswered(_ death: Death) throws {
        let (counts, answers) = try count(death, "POST") { $0.fresh = true }
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        // On a connection of its own it is the first, which is answered.
        #expect(answers == [Self.told, Self.told, Self.told])
    }

    /// What may not be repeated comes once at the most, whatever connection it is sent on.
    @Test(arguments: deaths) private func whatMustNotBeSentTwiceIsSentOnce(_ death: Death) throws {
        let (counts, answers) = try count(death, "POST") { _ in }
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(answers.allSatisfy { !$0.contains("repeated") }, "\(answers)")
    }

    @Test(arguments: deaths) private func whatMayBeSentTwiceNeverGetsAnothersAnswer(_ death: Death) throws {
        let (counts, answers) = try count(death, "GET") { $0.repeats = true }
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 <= 2 }, "\(counts)")
        for answer in answers {
            // An answer that has begun is not asked for again.
            if death.testDescription.hasPrefix("half") {
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
        let door = CallDoor()
        let kept = (0..<8).map { door.start(Self.call(target.port, "/kept\($0)")) }
        for _ in kept { #expect(come.next() == true) }
        for _ in kept { goOn.tell(true) }
        for call in kept { #expect(call.whole() == Self.told) }
        var call = Self.call(target.port, "/call", method) { $0.repeats = true }
        if method == "PUT" {
            // A body that is there can be sent again.
            call.head = "PUT /call HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n"
            call.body = [UInt8](repeating: 0x61, count: 200_000)
        }
        #expect(door.call(call) == Self.told + ", repeated")
        #expect(target.calls.count { $0.hasSuffix("/call") } == 2)
        #expect(target.connections == 9)
    }

    /// A 408 on a new connection is the answer to what was sent there.
    @Test func a408OnANewConnectionIsAnAnswer() throws {
        let server = try answering(Self.late)
        let door = CallDoor()
        for _ in 0..<2 {
            let text = door.call(CallDoor.Call(server.port) { $0.repeats = true })
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
        let quota = CallDoor.Quota()
        let door = CallDoor(quota)
        for _ in 0..<10 { #expect(door.get(target.port) == Self.told) }
        #expect(target.connections == 1)
        #expect(quota.open == 1 && quota.idle == 1)
        // It is there for a call that begins when the one before it ends.
        let first = door.start(Self.call(target.port, "/first") { $0.paused = true })
        let second = door.start(Self.call(target.port, "/second"), behind: first)
        first.read(true)
        #expect(first.whole() == Self.told && second.whole() == Self.told)
        #expect(target.connections == 1)
    }

    /// One of other keys is not: another name or address, and what was asked to close or to be fresh.
    @Test func aConnectionIsKeptForItsKind() throws {
        let target = try keeping()
        let door = CallDoor()
        #expect(door.get(target.port) == Self.told)
        var other = CallDoor.Call(target.port)
        other.name = "localhost"
        #expect(door.call(other) == Self.told)
        #expect(target.connections == 2)
        #expect(door.call(CallDoor.Call(target.port) { $0.fresh = true }) == Self.told)
        #expect(target.connections == 3)
        #expect(door.call(CallDoor.Call(target.port) { $0.closes = true }) == Self.told)
        #expect(door.call(CallDoor.Call(target.port) { $0.closes = true }) == Self.told)
        #expect(target.connections == 3)
        #expect(door.get(target.port) == Self.told)
        #expect(target.connections == 4)
        // Of several addresses that a name has, any will do.
        var several = CallDoor.Call(target.port)
        several.addresses = "127.0.0.3 127.0.0.1"
        #expect(door.call(several) == Self.told)
        #expect(target.connections == 4)
    }

    /// The gate is asked about a connection that is kept, too.
    @Test func aKeptConnectionIsJudged() throws {
        let target = try keeping()
        let door = CallDoor()
        #expect(door.get(target.port) == Self.told)
        var call = CallDoor.Call(target.port)
        call.denied = "127.0.0.1"
        #expect(
            door.call(call)
                == "failed: server is not among the servers that may be called (--allow-proxy-targets, --deny-proxy-targets)"
        )
        #expect(target.calls.count == 1)
    }

    // MARK: Limits

    @Test func aConnectionServesSoManyCalls() throws {
        let target = try keeping()
        let door = CallDoor(CallDoor.Quota(uses: 3))
        for _ in 0..<7 { #expect(door.get(target.port) == Self.told) }
        #expect(target.connections == 3)
    }

    @Test(arguments: [false, true]) func aConnectionIsKeptForATime(byAge: Bool) throws {
        let target = try keeping()
        let door = CallDoor(byAge ? CallDoor.Quota(age: 20) : CallDoor.Quota(idleTime: 20))
        #expect(door.get(target.port) == Self.told)
        SystemCalls.pause(milliseconds: 40)
        #expect(door.get(target.port) == Self.told)
        #expect(target.connections == 2)
    }

    /// The idle connections of all loops count together; the one that was used longest ago is closed.
    @Test func soManyConnectionsAreKept() throws {
        let targets = try (0..<4).map { _ in try keeping() }
        let quota = CallDoor.Quota(idle: 2)
        let doors = [CallDoor(quota), CallDoor(quota)]
        for target in targets { #expect(doors[0].get(target.port) == Self.told) }
        #expect(quota.idle == 2 && quota.open == 2)
        #expect(doors[0].get(targets[3].port) == Self.told && doors[0].get(targets[2].port) == Self.told)
        #expect(targets.map(\.connections) == [1, 1, 1, 1])
        // Another loop has no place for one of its own.
        #expect(doors[1].get(targets[0].port) == Self.told)
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
        let quota = CallDoor.Quota(connections: 2)
        let doors = [CallDoor(quota), CallDoor(quota)]
        let calls = (0..<12).map { index in
            doors[index % 2].start(Self.call(targets[index / 2 % 2].port, "/held\(index)"))
        }
        for _ in calls { goOn.tell(true) }
        for call in calls { #expect(call.whole() == Self.told) }
        #expect(open.withLock { $0.most } <= 2)
        #expect(quota.open <= 2)
        for door in doors { for target in targets { #expect(door.get(target.port) == Self.told) } }
        // Who waits for too long is told so; who is cancelled waits no more.
        let held = (0..<2).map { doors[$0].start(Self.call(targets[0].port, "/held")) }
        let late = doors[0].start(Self.call(targets[0].port, "/late") { $0.patience_ms = 30 })
        let cancelled = doors[0].start(Self.call(targets[0].port, "/cancelled"))
        cancelled.cancel()
        let taken = "no connection was free for the call to server for 30 ms"
        #expect(late.whole() == "failed: \(taken), as others hold all of --max-http-client-connections")
        for _ in held { goOn.tell(true) }
        for call in held { #expect(call.whole() == Self.told) }
        #expect(!targets[0].calls.contains { $0.contains("late") || $0.contains("cancelled") })
    }
}
