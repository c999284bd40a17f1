import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization
import Testing

/// Stubs with `times`, a time to live, `enabled` and several responses; scenarios beyond the recordings.
@Suite struct StubLifecycleTests {
    private let clock = TestClock()

    private func mock(seed: UInt64 = 0) throws -> TestMock {
        var options = SessionOptions()
        let clock = clock
        options.clock = { clock.milliseconds.load(ordering: .relaxed) }
        options.seed = seed
        return try TestMock(session: options)
    }

    private func texts(_ mock: TestMock, _ count: Int, _ path: String = "/x") throws -> [String] {
        try (0..<count).map { _ in
            let answer = try Exchange(mock.port, "GET", path)
            return answer.status == 200 ? answer.text : String(answer.status)
        }
    }

    private let id = "11111111-1111-4111-8111-111111111111"

    // MARK: Times

    @Test func aUsedUpStubNoLongerAnswers() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "b"}}"#)
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}, "times": 2}"#)
        #expect(try texts(mock, 1) == ["a"])
        let shown = try Exchange(mock.port, "GET", "/__admin/mappings/\(id)").json
        #expect(shown?["times"]?.intValue == 2)
        #expect(shown?["timesLeft"]?.intValue == 1)
        #expect(try texts(mock, 3) == ["a", "b", "b"])
        // The document shown can be sent back: an edit resets the count.
        let body = try #require(shown).compactText
        #expect(try Exchange(mock.port, "PUT", "/__admin/mappings/\(id)", body: body).status == 200)
        #expect(try texts(mock, 3) == ["a", "a", "b"])
    }

    @Test func theReportShowsThatAStubIsUsedUp() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "times": 1}"#)
        _ = try Exchange(mock.port, "GET", "/x")
        let report = try Exchange(mock.port, "GET", "/x")
        #expect(report.status == 404)
        #expect(report.text.contains("Stub is used up"), "\(report.text)")
        let explained = try Exchange(
            mock.port, "POST", "/__admin/explain", body: #"{"url": "/x", "method": "GET"}"#
        ).json
        #expect(explained?["stubMapping"] == .null)
        #expect(explained?["ineligible"]?.arrayValue?.first?["reason"]?.stringValue?.contains("times") == true)
    }

    // MARK: Time to live

    @Test func anExpiredStubIsRemoved() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "b"}}"#)
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}, "ttl": "30s"}"#)
        clock.advance(29_999)
        #expect(try texts(mock, 1) == ["a"])
        #expect(mock.session.stubCount == 2)
        clock.advance(1)
        #expect(try texts(mock, 1) == ["b"])
        #expect(mock.session.stubCount == 1)
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings/\(id)").status == 404)
        // Its id is free again.
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "c"}}"#)
        #expect(try texts(mock, 1) == ["c"])
    }

    @Test func everyCallSeesAnExpiredStubAsRemoved() throws {
        for question in ["/mappings", "/scenarios", "/mappings/\(id)"] {
            let mock = try mock()
            try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "ttl": "1ms", "scenarioName": "s"}"#)
            clock.advance(1)
            let answer = try Exchange(mock.port, "GET", "/__admin" + question)
            #expect(!answer.text.contains(id), "\(question) \(answer)")
        }
    }

    /// Random times, compared with a plain list.
    @Test(arguments: [UInt64(5), 6])
    func onlyUnexpiredStubsAreListed(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = TestGenerator(seed: seed)
        let mock = try mock()
        var expected: [StubMapping.ID: Int] = [:]
        var now = 0
        for _ in 0..<600 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                var stub = StubMapping()
                let ttl = Int.random(in: 1...50, using: &generator)
                stub.ttlMilliseconds = ttl
                try mock.session.add(stub)
                expected[stub.id] = now + ttl
            case 6:
                guard let id = expected.keys.min(by: { $0.lowercasedString < $1.lowercasedString }) else { continue }
                #expect(try mock.session.remove(id))
                expected[id] = nil
            case 7:
                guard let id = expected.keys.min(by: { $0.lowercasedString < $1.lowercasedString }) else { continue }
                var stub = StubMapping(id: id)
                stub.ttlMilliseconds = 20
                #expect(try mock.session.replace(stub))
                expected[id] = now + 20
            default:
                let step = Int.random(in: 0..<12, using: &generator)
                clock.advance(Int64(step))
                now += step
                expected = expected.filter { $0.value > now }
            }
            #expect(Set(mock.session.stubs.map(\.id)) == Set(expected.keys))
        }
    }

    // MARK: Not enabled

    @Test func aDisabledStubIsListedAndDoesNotAnswer() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "b"}}"#)
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}, "enabled": false}"#)
        #expect(try texts(mock, 1) == ["b"])
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings").json?["meta"]?["total"]?.intValue == 2)
        var stub = try #require(mock.session.stub(StubMapping.id(text: id) ?? StubMapping().id))
        stub.enabled = nil
        #expect(try mock.session.replace(stub))
        #expect(try texts(mock, 1) == ["a"])
    }

    // MARK: Sequences

    @Test(arguments: [
        (nil, ["1", "2", "201", "201", "201"]), ("repeatLast", ["1", "2", "201", "201", "201"]),
        ("loop", ["1", "2", "201", "1", "2"]), ("notFound", ["1", "2", "201", "404", "404"]),
    ])
    func responsesTakeTurns(onEnd: String?, expected: [String]) throws {
        let mock = try mock()
        let end = onEnd.map { #", "onEnd": "\#($0)""# } ?? ""
        try mock.add(
            #"{"request": {"url": "/x"}, "responses": [{"body": "1"}, {"body": "2"}, {"status": 201}]\#(end)}"#)
        #expect(try texts(mock, 5) == expected)
        #expect(
            mock.session.events.map(\.status).reversed() == expected.map { (Int($0) ?? 0) > 2 ? Int($0) ?? 0 : 200 })
    }

    @Test func responsesAreDrawnByWeightAndSeed() throws {
        let stub =
            #"{"request": {"url": "/x"}, "select": "random", "responses": "#
            + #"[{"body": "a", "weight": 3}, {"body": "b"}, {"body": "c", "weight": 0}]}"#
        var runs: [[String]] = []
        for seed in [UInt64(1), 1, 2] {
            let mock = try mock(seed: seed)
            try mock.add(stub)
            runs.append(try texts(mock, 200))
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
        let counts = runs[0].reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(counts["c"] == nil)
        #expect((120...180).contains(counts["a"] ?? 0), "\(counts)")
    }

    @Test func sequencesMayContainFaultsAndDelays() throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"url": "/x"}, "responses": [{"fault": "EMPTY_RESPONSE"}, {"bodyFileName": "none"}, {"body": "1"}]}"#
        )
        #expect(try mock.raw("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").bytes.isEmpty)
        #expect(try texts(mock, 2) == ["500", "1"])
    }

    @Test func sequencesAndScenariosCanBeCombined() throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"url": "/x"}, "responses": [{"body": "1"}, {"body": "2"}], "times": 3, "#
                + #""scenarioName": "s", "requiredScenarioState": "Started"}"#)
        #expect(try texts(mock, 4) == ["1", "2", "2", "404"])
    }

    // MARK: Resets

    @Test func aResetOfFilesRestartsEveryStub() throws {
        let mock = try mock()
        let stub = try StubMapping(
            json: JSONValue(
                parsing:
                    #"{"request": {"url": "/x"}, "responses": [{"body": "1"}, {"body": "2"}], "times": 2, "ttl": "1s"}"#
            ))
        #expect(mock.session.update([("a", [stub])]).isEmpty)
        #expect(try texts(mock, 3) == ["1", "2", "404"])
        // A file with the same content changes nothing.
        #expect(mock.session.update([("a", [stub])]).isEmpty)
        #expect(try texts(mock, 1) == ["404"])
        mock.session.dropAllButFiles()
        #expect(try texts(mock, 3) == ["1", "2", "404"])
        clock.advance(1_000)
        #expect(mock.session.stubCount == 0)
        mock.session.dropAllButFiles()
        #expect(try texts(mock, 1) == ["1"])
    }

    @Test func editingAFileKeepsTheStateOfItsScenario() throws {
        let mock = try mock()
        func stubs(_ body: String) throws -> [StubMapping] {
            try [
                #"{"request": {"url": "/x"}, "response": {"body": "\#(body)1"}, "scenarioName": "s", "#
                    + #""requiredScenarioState": "Started", "newScenarioState": "two"}"#,
                #"{"request": {"url": "/x"}, "response": {"body": "\#(body)2"}, "scenarioName": "s", "#
                    + #""requiredScenarioState": "two"}"#,
            ].map { try StubMapping(json: JSONValue(parsing: $0)) }
        }
        #expect(mock.session.update([("a", try stubs("a"))]).isEmpty)
        #expect(try texts(mock, 2) == ["a1", "a2"])
        #expect(mock.session.update([("a", try stubs("b"))]).isEmpty)
        #expect(try texts(mock, 1) == ["b2"])
        let none: [StubMapping]? = nil
        #expect(mock.session.update([("a", none)]).isEmpty)
        #expect(mock.session.scenarios.isEmpty)
        #expect(mock.session.update([("a", try stubs("c"))]).isEmpty)
        #expect(try texts(mock, 1) == ["c1"])
    }

    /// A failed change leaves the scenarios as they were.
    @Test func aRefusedImportLeavesScenariosAlone() throws {
        let mock = try mock()
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "scenarioName": "s", "newScenarioState": "two"}"#)
        _ = try texts(mock, 1)
        var bad = StubMapping()
        bad.request.url = .urlPattern("[a-")
        var other = StubMapping(id: StubMapping.id(text: id) ?? StubMapping().id)
        other.scenarioName = "other"
        let document = StubImport(mappings: [bad, other])
        #expect(throws: StubRefusal.self) { try mock.session.importStubs(document) }
        #expect(mock.session.scenarios.map(\.name) == ["s"])
        #expect(mock.session.scenarios.map(\.state) == ["two"])
    }
}

final class TestClock: Sendable {
    let milliseconds = Atomic<Int64>(1_000)

    func advance(_ step: Int64) { milliseconds.add(step, ordering: .relaxed) }
}
