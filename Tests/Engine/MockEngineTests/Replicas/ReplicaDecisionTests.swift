import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization
import Testing

@testable import SDMockEngine

/// Several sessions that decide together answer as one does.
@Suite struct ReplicaDecisionTests {
    /// What one random step does.
    private enum Step {
        case request(String, String, forChild: Bool)
        case put(String, toChild: Bool)
        case remove(Int, ofChild: Bool)
        case reset(ofChild: Bool)
        case resetScenarios(ofChild: Bool)
        case set(String, String, ofChild: Bool)
    }

    private static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    private static func stub(_ number: Int, _ generator: inout SeededGenerator) -> String {
        var members = [#""id": "\#(id(number))""#]
        let path = "/\(Int.random(in: 0..<3, using: &generator))"
        let isForAny = Int.random(in: 0..<3, using: &generator) == 0
        let method = ["GET", "ANY", "HEAD"].randomElement(using: &generator) ?? "GET"
        members.append(
            #""request": {"method": "\#(method)", \#(isForAny ? #""urlPathPattern": "/.*""# : #""urlPath": "\#(path)""#)}"#
        )
        members.append(#""priority": \#(Int.random(in: 1...3, using: &generator))"#)
        let fault =
            [
                #""first": 2"#, #""first": {"count": 1, "perHeader": "X-Child"}"#,
                #""quota": {"limit": 2, "per": "1h"}"#, #""first": 3, "quota": {"limit": 1, "per": "1h"}"#, nil, nil,
                nil, nil,
            ].randomElement(using: &generator) ?? nil
        let faults = fault.map { #", "fault": {"status": 503, \#($0)}"# } ?? ""
        if Bool.random(using: &generator) {
            members.append(#""scenarioName": "S\#(Int.random(in: 0..<2, using: &generator))""#)
            let states = ["Started", "A", "B"]
            if Int.random(in: 0..<4, using: &generator) > 0 {
                members.append(#""requiredScenarioState": "\#(states.randomElement(using: &generator) ?? "A")""#)
            }
            if Int.random(in: 0..<4, using: &generator) > 0 {
                members.append(#""newScenarioState": "\#(states.randomElement(using: &generator) ?? "A")""#)
            }
        }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            members.append(#""times": \#(Int.random(in: 1...3, using: &generator))"#)
        }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            let list = (1...Int.random(in: 1...3, using: &generator)).map {
                #"{"body": "\#(number).\#($0)"\#(faults)}"#
            }
            members.append(#""responses": [\#(list.joined(separator: ", "))]"#)
            let end = ["repeatLast", "loop", "notFound"].randomElement(using: &generator) ?? "loop"
            members.append(#""onEnd": "\#(end)""#)
            if Bool.random(using: &generator) { members.append(#""per": "query.k""#) }
        } else {
            members.append(#""response": {"body": "\#(number)"\#(faults)}"#)
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static func step(_ generator: inout SeededGenerator) -> Step {
        let forChild = Int.random(in: 0..<3, using: &generator) == 0
        switch Int.random(in: 0..<60, using: &generator) {
        case 0..<4: return .put(stub(Int.random(in: 0..<8, using: &generator), &generator), toChild: forChild)
        case 4: return .remove(Int.random(in: 0..<8, using: &generator), ofChild: forChild)
        case 5: return Bool.random(using: &generator) ? .reset(ofChild: forChild) : .resetScenarios(ofChild: forChild)
        case 6: return .resetScenarios(ofChild: forChild)
        case 7, 8:
            return .set(
                "S\(Int.random(in: 0..<2, using: &generator))",
                ["Started", "A", "B"].randomElement(using: &generator) ?? "A",
                ofChild: forChild)
        default:
            let query = Bool.random(using: &generator) ? "?k=\(Int.random(in: 0..<3, using: &generator))" : ""
            return .request(
                "GET", "/\(Int.random(in: 0..<3, using: &generator))\(query)", forChild: forChild)
        }
    }

    private static func perform(_ step: Step, on group: ReplicaGroup) throws {
        switch step {
        case .request: break
        case .put(let json, let toChild):
            let mapping = try StubMapping(json: JSONValue(parsing: json))
            try group.change { server in
                let session = toChild ? server.child : server.base
                if try !session.replace(mapping) { try session.add(mapping) }
            }
        case .remove(let number, let ofChild):
            let id = try StubMapping(json: JSONValue(parsing: #"{"id": "\#(id(number))"}"#)).id
            try group.change { _ = try (ofChild ? $0.child : $0.base).remove(id) }
        case .reset(let ofChild): group.change { (ofChild ? $0.child : $0.base).dropAllButFiles() }
        case .resetScenarios(let ofChild): group.change { (ofChild ? $0.child : $0.base).resetScenarios() }
        case .set(let name, let state, let ofChild):
            group.change { try? (ofChild ? $0.child : $0.base).setScenario(name, to: state) }
        }
    }

    private func theyAnswerAlike(_ decider: any SharedDecider, seed: UInt64, steps: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let alone = try ReplicaGroup(1, nil)
        let group = try ReplicaGroup(3, decider)
        let one = try PersistentConnection(port: alone.servers[0].server.port)
        let clients = try group.servers.map { try PersistentConnection(port: $0.server.port) }
        for number in 0..<steps {
            let step = Self.step(&generator)
            guard case .request(let method, let target, let forChild) = step else {
                try Self.perform(step, on: alone)
                try Self.perform(step, on: group)
                continue
            }
            let headers = forChild ? ["X-Child: yes"] : []
            let expected = try one.request(method, target, headers: headers)
            let client = clients[Int.random(in: 0..<3, using: &generator)]
            let found = try client.request(method, target, headers: headers)
            #expect(found.status == expected.status, "seed \(seed), step \(number): \(step)")
            #expect(
                expected.status == 404 || found.text == expected.text, "seed \(seed), step \(number): \(step)")
            if found.status != expected.status || expected.status != 404 && found.text != expected.text { return }
        }
    }

    @Test(arguments: 1...12) func theyAnswerAsOneDoes(seed: UInt64) throws {
        try theyAnswerAlike(MemoryDecider(), seed: seed, steps: 400)
    }

    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func theyAnswerAsOneDoesByTheScript() throws {
        let server = try RedisServer()
        for seed in UInt64(200)..<204 {
            try theyAnswerAlike(ServerDecider(server, prefix: "\(seed):"), seed: seed, steps: 400)
        }
    }

    // MARK: At the same time

    private func ringAndTimesAreExact(_ decider: any SharedDecider, requests: Int) throws {
        let group = try ReplicaGroup(3, decider, workers: 2)
        for state in 0..<10 {
            try group.add(
                #"""
                {"id": "\#(Self.id(state))", "request": {"url": "/ring"}, "scenarioName": "ring",
                 "requiredScenarioState": "\#(state == 0 ? "Started" : "S\(state)")",
                 "newScenarioState": "\#(state == 9 ? "Started" : "S\(state + 1)")", "response": {"body": "\#(state)"}}
                """#)
        }
        try group.add(
            #"""
            {"id": "11111111-0000-4000-8000-000000000001", "request": {"url": "/times"}, "times": 1000,
             "response": {"body": "yes"}}
            """#)
        var counts: [String: Int] = [:]
        let threads = group.servers.flatMap { server in (0..<8).map { (server.server.port, $0) } }
        let done = Events<[String: Int]>()
        for (port, _) in threads {
            runOnThread {
                var own: [String: Int] = [:]
                do {
                    let client = try PersistentConnection(port: port)
                    for number in 0..<requests {
                        let answer = try client.request("GET", number.isMultiple(of: 2) ? "/ring" : "/times")
                        own[answer.status == 200 ? answer.text : String(answer.status), default: 0] += 1
                    }
                } catch {
                    own["\(error)", default: 0] += 1
                }
                done.tell(own)
            }
        }
        for _ in threads { counts.merge(try #require(done.next()), uniquingKeysWith: +) }
        let all = threads.count * requests / 2
        var expected = ["yes": min(1000, all), "404": max(all - 1000, 0)]
        for state in 0..<10 { expected[String(state)] = all / 10 }
        expected = expected.filter { $0.value > 0 }
        #expect(counts == expected)
    }

    @Test func nothingIsCountedTwice() throws {
        try ringAndTimesAreExact(MemoryDecider(), requests: 400)
    }

    @Test(.enabled(if: RedisServer.program != nil, Comment(rawValue: RedisServer.isMissing)))
    func nothingIsCountedTwiceByTheScript() throws {
        try ringAndTimesAreExact(ServerDecider(RedisServer()), requests: 400)
    }

    // MARK: Who is asked

    @Test func stubsWithoutSharedStateAskNobody() throws {
        let decider = MemoryDecider()
        let group = try ReplicaGroup(2, decider)
        try group.add(#"{"request": {"url": "/a"}, "scenarioName": "S", "newScenarioState": "B"}"#)
        try group.add(#"{"request": {"url": "/plain"}, "response": {"body": "plain"}}"#)
        try group.add(#"{"request": {"url": "/named"}, "scenarioName": "S"}"#)
        try group.add(#"{"request": {"url": "/drawn"}, "responses": [{"body": "1"}], "select": "random"}"#)
        try group.add(#"{"request": {"url": "/off"}, "enabled": false, "times": 1}"#)
        for target in ["/plain", "/named", "/drawn", "/off", "/nothing"] {
            let answer = try group.ask(1, target)
            #expect(answer.status == (target == "/off" || target == "/nothing" ? 404 : 200))
        }
        #expect(decider.asked.load(ordering: .relaxed) == 0)
        #expect(try group.ask(0, "/a").status == 200)
        #expect(decider.asked.load(ordering: .relaxed) == 1)
    }

    @Test func withoutTheSharedServerTheAnswerSaysWhy() throws {
        let decider = MemoryDecider()
        let group = try ReplicaGroup(1, decider)
        try group.add(#"{"request": {"url": "/once"}, "times": 1}"#)
        try group.add(#"{"request": {"url": "/plain"}}"#)
        decider.problem.withLock { $0 = DecisionProblem("redis://host:6379 has not answered within 2 s") }
        let answer = try group.ask(0, "/once")
        #expect(answer.status == 503)
        #expect(
            answer.text
                == "The replicas could not decide together which stub answers: redis://host:6379 has not answered within 2 s.\n"
        )
        #expect(try group.ask(0, "/plain").status == 200)
        #expect(group.servers[0].base.counts.failed == 1)
        #expect(group.servers[0].base.counts.unmatched == 0)
        decider.problem.withLock { $0 = nil }
        #expect(try [group.ask(0, "/once").status, group.ask(0, "/once").status] == [200, 404])
    }

    /// A replica that has not made a change yet still decides about what was before it.
    @Test func whoIsBehindUsesNothingOfWhatIsNew() throws {
        let group = try ReplicaGroup(2, MemoryDecider())
        let stub = #"{"id": "\#(Self.id(1))", "request": {"url": "/once"}, "times": 1, "response": {"body": "*"}}"#
        func mapping(_ body: String) throws -> StubMapping {
            try StubMapping(json: JSONValue(parsing: stub.replacing("*", with: body)))
        }
        try group.add(stub.replacing("*", with: "old"))
        let new = try mapping("new")
        try ReplicaGroup.change(group.servers[0], 100) { _ = try $0.base.replace(new) }
        #expect(try group.ask(1, "/once").text == "old")
        #expect(try group.ask(0, "/once").text == "new")
        #expect(try group.ask(0, "/once").status == 404)
        try ReplicaGroup.change(group.servers[1], 100) { _ = try $0.base.replace(new) }
        #expect(try group.ask(1, "/once").status == 404)
    }

    // MARK: Faults

    @Test func faultsCountOnceForAll() throws {
        let decider = MemoryDecider()
        let group = try ReplicaGroup(3, decider)
        func statuses(_ target: String, _ count: Int = 6) throws -> [Int] {
            try (0..<count).map { try group.ask($0 % 3, target).status }
        }
        func add() throws {
            try group.add(
                #"{"id": "\#(Self.id(1))", "request": {"url": "/a"}, "response": {"fault": {"first": 2, "status": 503}}}"#
            )
        }
        try add()
        try group.add(#"{"request": {"url": "/q"}, "response": {"fault": {"quota": {"limit": 4, "per": "1m"}}}}"#)
        try group.add(#"{"request": {"url": "/plain"}}"#)
        #expect(try statuses("/a") == [503, 503, 200, 200, 200, 200])
        #expect(try statuses("/q") == [200, 200, 200, 200, 429, 429])
        #expect(try group.ask(1, "/q")["Retry-After"] == "60")
        let asked = decider.asked.load(ordering: .relaxed)
        #expect(asked == 13)
        #expect(try statuses("/plain") == [200, 200, 200, 200, 200, 200])
        #expect(decider.asked.load(ordering: .relaxed) == asked)
        let faults = try SessionFault.read(
            json: JSONValue(
                parsing: #"{"id": "\#(Self.id(2))", "request": {"urlPath": "/plain"}, "status": 500, "first": 1}"#))
        for _ in 0..<2 {
            try group.change { try $0.base.addFaults(faults) }
            #expect(try statuses("/plain", 3) == [500, 200, 200])
            #expect(group.servers.map { $0.base.faults[0].acted } == [1, 0, 0])
            group.change { $0.base.removeFaults { _ in true } }
        }
        // The same stub again is another one, and a reset begins anew.
        try group.change { _ = try $0.base.replace(StubMapping(json: JSONValue(parsing: Self.flaky))) }
        #expect(try statuses("/a") == [503, 503, 200, 200, 200, 200])
        group.change { $0.base.dropAllButFiles() }
        try add()
        #expect(try statuses("/a", 3) == [503, 503, 200])
    }

    private static let flaky =
        #"{"id": "\#(id(1))", "request": {"url": "/a"}, "response": {"fault": {"first": 2, "status": 503}}}"#

    @Test func whatCannotBeCountedSaysWhy() throws {
        let decider = MemoryDecider()
        let group = try ReplicaGroup(1, decider)
        try group.add(Self.flaky)
        decider.problem.withLock { $0 = DecisionProblem("it is away") }
        let answer = try group.ask(0, "/a")
        #expect(answer.status == 503)
        #expect(
            answer.text == "The replicas could not count together on which requests a fault acts: it is away.\n")
        #expect(group.servers[0].base.counts.failed == 1)
    }

    // MARK: What is known

    @Test func aReplicaLearnsWhatOthersHaveMoved() throws {
        let group = try ReplicaGroup(2, MemoryDecider())
        try group.add(
            #"""
            {"id": "\#(Self.id(1))", "request": {"url": "/a"}, "scenarioName": "S", "newScenarioState": "B", "times": 3,
             "responses": [{"body": "1"}, {"body": "2"}]}
            """#)
        for _ in 0..<2 { _ = try group.ask(0, "/a") }
        let other = group.servers[1].base
        let done = Events<DecisionProblem?>()
        other.refresh { done.tell($0) }
        #expect(done.next() == .some(nil))
        #expect(other.scenarios.first?.state == "B")
        #expect(other.stubs.first?.timesLeft == 1)
        let own = group.servers[0].base
        #expect(own.scenarios.first?.state == "B")
        #expect(own.stubs.first?.timesLeft == 1)
    }
}
