import SDAnswering
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `hold` of a response, and `/__admin/gates`: who waits, and who lets them go.
@Suite struct GateTests {
    private func mock(_ hold: String = #""g""#, _ rest: String = #""body": "own""#) throws -> TestMock {
        let mock = try TestMock()
        try mock.add(
            #"{"name": "held", "request": {"urlPath": "/x"}, "response": {"hold": \#(hold), \#(rest)}}"#)
        return mock
    }

    private func ask(_ mock: TestMock, _ path: String = "/x", close: Bool = true) throws -> RawClient {
        let client = try RawClient(port: mock.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(close ? "Connection: close\r\n" : "")\r\n")
        return client
    }

    private func waitUntil(_ mock: TestMock, waiting count: Int, at gate: String = "g", session: Session? = nil) throws
    {
        let session = session ?? mock.session
        let isSo = eventually(within: 20_000) { session.gate(gate).waiting.count == count ? true : nil }
        try #require(isSo == true, "\(session.gate(gate).waiting.count) wait, not \(count)")
    }

    private func text(_ client: RawClient) throws -> String {
        try Exchange(client.receiveAll(within: 20_000), isHead: false).text
    }

    // MARK: Releasing

    @Test func aHeldResponseSendsNothingUntilItIsReleased() throws {
        let mock = try mock()
        let client = try ask(mock, "/x?a=1")
        try waitUntil(mock, waiting: 1)
        #expect(client.receiveUntilQuiet(milliseconds: 30) == RawClient.Received([], .open))
        // The event is there from the choice on, and gets its response at the release.
        let event = try #require(mock.session.events.first)
        #expect(event.status == nil)
        let gate = try mock.admin("GET", "/gates/g")
        #expect(gate["waiting"] == 1)
        #expect(gate["open"] == false)
        let request = try #require(gate["requests"]?[0])
        #expect(request["url"] == "/x?a=1")
        #expect(request["method"] == "GET")
        #expect(request["stub"]?["name"] == "held")
        #expect(request["inStream"] == false)
        #expect(try #require(request["ageMs"]?.intValue) < 60_000)
        #expect(request["since"]?.stringValue?.hasSuffix("Z") == true)
        #expect(try mock.admin("GET", "/gates")["meta"] == ["total": 1, "waiting": 1])
        let inFlight = try mock.admin("GET", "/in-flight")["inFlight"]?[0]
        #expect(inFlight?["state"] == "held")
        #expect(inFlight?["gate"] == "g")
        #expect(inFlight?["id"] == request["id"])
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        #expect(try text(client) == "own")
        try mock.waitUntil(inFlight: 0)
        #expect(event.status == 200)
        #expect(event.end?.outcome == .sent)
        #expect(try mock.admin("GET", "/gates") == ["gates": [], "meta": ["total": 0, "waiting": 0]])
        #expect(try mock.admin("POST", "/gates/g/release")["released"] == 0)
    }

    @Test func theFirstToComeGoFirst() throws {
        let mock = try mock()
        var clients: [RawClient] = []
        for number in 1...5 {
            clients.append(try ask(mock, "/x?\(number)"))
            try waitUntil(mock, waiting: number)
        }
        #expect(try mock.admin("POST", "/gates/g/release", #"{"count": 2}"#) == ["released": 2])
        for client in clients.prefix(2) { #expect(try text(client) == "own") }
        let gate = try mock.admin("GET", "/gates/g?limit=2")
        #expect(gate["waiting"] == 3)
        #expect(gate["requests"]?.arrayValue?.map { $0["url"]?.stringValue } == ["/x?3", "/x?4"])
        // One of them by its id.
        let id = try #require(gate["requests"]?[1]?["id"]?.stringValue)
        #expect(try mock.admin("POST", "/gates/g/release", #"{"id": "\#(id)"}"#) == ["released": 1])
        #expect(try text(clients[3]) == "own")
        #expect(try mock.admin("POST", "/gates/g/release", #"{"id": "\#(id)"}"#)["released"] == 0)
        #expect(try mock.admin("POST", "/gates/other/release")["released"] == 0)
        #expect(try mock.admin("POST", "/gates/g/release", #"{"count": 9}"#) == ["released": 2])
        for client in [clients[2], clients[4]] { #expect(try text(client) == "own") }
    }

    @Test func aTestAnswersARequestItself() throws {
        let mock = try mock()
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        let body = #"{"response": {"status": 503, "jsonBody": {"busy": true}, "headers": {"Retry-After": "3"}}}"#
        #expect(try mock.admin("POST", "/gates/g/release", body) == ["released": 1])
        let answer = try Exchange(client.receiveAll(), isHead: false)
        #expect(answer.status == 503)
        #expect(answer.json == ["busy": true])
        #expect(answer.header("Retry-After") == "3")
        try mock.waitUntil(inFlight: 0)
        // The journal has what was sent.
        let event = try #require(mock.session.events.first)
        #expect(event.status == 503)
        #expect(event.response.map { String(decoding: $0.body, as: UTF8.self) } == #"{"busy":true}"#)
        #expect(event.stub?.name == "held")
    }

    @Test func anotherResponseWhoseStubCannotRecordItsStateIsAFailure() throws {
        let mock = try TestMock()
        try mock.add(
            #"""
            {"request": {"urlPath": "/x"}, "response": {"hold": "g"},
             "serveEventListeners": [{"name": "recordState", "parameters": {
                 "context": "{{request.query.name}}", "state": {"value": "1"}}}]}
            """#)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        let body = #"{"response": {"status": 200, "body": "instead"}}"#
        #expect(try mock.admin("POST", "/gates/g/release", body) == ["released": 1])
        #expect(try Exchange(client.receiveAll(within: 20_000), isHead: false).status == 500)
        let event = try #require(mock.session.events.first)
        #expect(event.status == 500)
        #expect(event.failure?.hasPrefix("its state cannot be recorded") == true, "\(event.failure ?? "none")")
    }

    @Test func anotherResponseMayBeATemplateAFaultOrHeldItself() throws {
        let mock = try mock()
        let clients = try (1...3).map { try ask(mock, "/x?\($0)") }
        try waitUntil(mock, waiting: 3)
        for (client, response) in zip(
            clients,
            [
                #"{"body": "{{request.query.[0]}}{{request.method}}", "transformers": ["response-template"]}"#,
                #"{"fault": "EMPTY_RESPONSE"}"#, #"{"body": "second", "hold": "h"}"#,
            ])
        {
            let id = try #require(try mock.admin("GET", "/gates/g")["requests"]?[0]?["id"]?.stringValue)
            _ = client
            let body = #"{"id": "\#(id)", "response": \#(response)}"#
            #expect(try mock.admin("POST", "/gates/g/release", body) == ["released": 1])
        }
        try waitUntil(mock, waiting: 1, at: "h")
        #expect(try mock.admin("POST", "/gates/h/release") == ["released": 1])
        let texts = clients.map { $0.receiveAll() }
        #expect(texts.map(\.ending) == [.fin, .fin, .fin])
        #expect(texts.filter { $0.bytes.isEmpty }.count == 1)
        #expect(texts.filter { $0.text.contains("second") }.count == 1)
        #expect(texts.filter { $0.text.contains("GET") }.count == 1)
    }

    @Test(arguments: [
        ("{}", "", RawClient.Ending.rst), (#"{"fault": "EMPTY_RESPONSE"}"#, "", .fin),
        (#"{"fault": "RANDOM_DATA_THEN_CLOSE"}"#, "lskdu018973t09sylgasjkfg1][]'./.sdlv", .fin),
    ])
    func heldRequestsAreBroken(body: String, bytes: String, ending: RawClient.Ending) throws {
        let mock = try mock()
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/fail", body) == ["failed": 1])
        #expect(client.receiveAll() == RawClient.Received(wire(bytes), ending))
        try mock.waitUntil(inFlight: 0)
        let event = try #require(mock.session.events.first)
        #expect(event.fault != nil)
        #expect(event.end?.outcome == .faultApplied)
    }

    @Test func nobodyWaitsAtAnOpenGate() throws {
        let mock = try mock()
        let first = try ask(mock)
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/open") == ["released": 1])
        #expect(try text(first) == "own")
        #expect(try mock.admin("GET", "/gates")["gates"]?[0]?["open"] == true)
        #expect(try text(try ask(mock)) == "own")
        #expect(try mock.admin("POST", "/gates/g/close") == ["wasOpen": true])
        #expect(try mock.admin("POST", "/gates/g/close") == ["wasOpen": false])
        let second = try ask(mock)
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        #expect(try text(second) == "own")
        // A reset closes it.
        _ = try mock.admin("POST", "/gates/g/open")
        _ = try Exchange(mock.port, "POST", "/__admin/reset")
        #expect(try mock.admin("GET", "/gates/g")["open"] == false)
    }

    @Test func theStubsDelayPassesAfterTheRelease() throws {
        let mock = try mock(#""g""#, #""body": "own", "fixedDelayMilliseconds": 60"#)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        let clock = ContinuousClock()
        let begin = clock.now
        _ = try mock.admin("POST", "/gates/g/release")
        #expect(try text(client) == "own")
        #expect(clock.now - begin >= .milliseconds(60))
    }

    @Test func anotherResponseHasItsOwnDelayAndTheFaultsOfTheSession() throws {
        let mock = try mock(#""g""#, #""body": "own", "fixedDelayMilliseconds": 3600000, "fault": {"cutAfter": 1}"#)
        _ = try mock.admin("POST", "/faults", #"{"name": "slow", "delay": "40ms", "cutAfter": 5}"#, status: 201)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        let clock = ContinuousClock()
        let begin = clock.now
        let response = #"{"body": "0123456789", "fixedDelayMilliseconds": 30, "delays": {"firstByte": "20ms"}}"#
        _ = try mock.admin("POST", "/gates/g/release", #"{"response": \#(response)}"#)
        let body = ReceivedBody(of: client.receiveAll(within: 20_000).bytes)
        #expect(body.bytes.elementsEqual("01234".utf8) && !body.isComplete)
        #expect(clock.now - begin >= .milliseconds(90))
        let event = try #require(mock.session.events.first)
        #expect(event.faults.map(\.name) == ["delay", "cutAfter"])
        #expect(event.faults.allSatisfy { $0.label == "slow" })
        #expect(event.addedDelay == 90_000_000)
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 1)
    }

    @Test func aFaultOfAnotherResponseCountsTheRequestsOfOneRelease() throws {
        let mock = try mock()
        let clients = try (1...3).map { _ in try ask(mock) }
        try waitUntil(mock, waiting: 3)
        let response = #"{"body": "fine", "fault": {"status": 503, "first": 2}}"#
        _ = try mock.admin("POST", "/gates/g/release", #"{"response": \#(response)}"#)
        let statuses = try clients.map { try Exchange($0.receiveAll(within: 20_000), isHead: false).status }
        #expect(statuses.sorted() == [200, 503, 503])
    }

    @Test func aTemplateIsRenderedAtTheRelease() throws {
        let mock = try mock(
            #""g""#, #""body": "{{request.path}} {{randomInt}}", "transformers": ["response-template"]"#)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        #expect(try text(client).hasPrefix("/x "))
    }

    @Test func eachOfSeveralResponsesHasItsOwnGate() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/x"}, "responses": [{"body": "1"}, {"body": "2", "hold": "two"}, {"body": "3"}]}"#)
        #expect(try text(try ask(mock)) == "1")
        let second = try ask(mock)
        try waitUntil(mock, waiting: 1, at: "two")
        #expect(try text(try ask(mock)) == "3")
        _ = try mock.admin("POST", "/gates/two/release")
        #expect(try text(second) == "2")
    }

    /// A stub whose response was rendered before waits all the same; the stub keeps the form for a connection that goes
    /// on.
    @Test(arguments: [true, false]) func everyRequestWaits(closes: Bool) throws {
        let mock = try mock()
        for _ in 1...3 {
            let client = try ask(mock, close: closes)
            try waitUntil(mock, waiting: 1)
            _ = try mock.admin("POST", "/gates/g/release")
            #expect(client.receive(until: "own", within: 20_000).text.hasSuffix("\r\nown"))
        }
    }

    // MARK: Time

    @Test(arguments: [
        (#"{"gate": "g", "timeout": "20ms"}"#, 200, "own"),
        (#"{"gate": "g", "timeout": "20ms", "onTimeout": "answer"}"#, 200, "own"),
        (
            #"{"gate": "g", "timeout": "20ms", "onTimeout": 504}"#, 504,
            "The gate `g` was not released within 20ms.\n"
        ),
    ])
    func aWaitHasItsTime(hold: String, status: Int, body: String) throws {
        let mock = try mock(hold)
        let answer = try Exchange(try ask(mock).receiveAll(), isHead: false)
        #expect(answer.status == status)
        #expect(answer.text == body)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.events.first?.status == status)
        #expect(mock.session.gates.isEmpty)
    }

    @Test(arguments: [("fail", RawClient.Ending.rst), ("EMPTY_RESPONSE", .fin), ("CONNECTION_RESET_BY_PEER", .rst)])
    func aWaitMayEndWithAFault(name: String, ending: RawClient.Ending) throws {
        let mock = try mock(#"{"gate": "g", "timeout": "20ms", "onTimeout": "\#(name)"}"#)
        #expect(try ask(mock).receiveAll() == RawClient.Received([], ending))
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.gates.isEmpty)
    }

    @Test func aReleasedRequestIsNotTimedOut() throws {
        let mock = try mock(#"{"gate": "g", "timeout": "1h", "onTimeout": 504}"#)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        _ = try mock.admin("POST", "/gates/g/release")
        #expect(try text(client) == "own")
    }

    // MARK: Nobody hangs

    @Test func aClientThatLeavesWaitsNoLonger() throws {
        let mock = try mock()
        let first = try ask(mock)
        let second = try ask(mock)
        try waitUntil(mock, waiting: 2)
        first.reset()
        try waitUntil(mock, waiting: 1)
        second.close()
        try waitUntil(mock, waiting: 0)
        #expect(mock.session.gates.isEmpty)
        #expect(try mock.admin("POST", "/gates/g/release")["released"] == 0)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.events.allSatisfy { $0.end?.outcome == .clientDisconnected })
    }

    @Test(arguments: [("POST", "/reset"), ("POST", "/mappings/reset"), ("DELETE", "/in-flight")])
    func aResetEndsTheWait(method: String, path: String) throws {
        let mock = try mock()
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        _ = try Exchange(mock.port, method, "/__admin" + path)
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        try waitUntil(mock, waiting: 0)
    }

    @Test func theEndOfASessionEndsAThousandWaits() throws {
        _ = ProcessFacts.allowDescriptors(8_000)
        let mock = try TestMock()
        let stub = #"{"request": {"urlPath": "/x"}, "response": {"hold": "g", "body": "own"}}"#
        let id = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
        _ = try Exchange(mock.port, "POST", "/__session/\(id)/__admin/mappings", body: stub)
        guard let parsed = SessionID(id.utf8), case .alive(let live) = mock.sessions.find(parsed) else {
            Issue.record("\(id) does not live")
            return
        }
        let clients = try (0..<1_000).map { _ in try ask(mock, "/__session/\(id)/x", close: false) }
        try waitUntil(mock, waiting: 1_000, session: live.session)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        for client in clients { #expect(client.receiveAll() == RawClient.Received([], .fin)) }
        try waitUntil(mock, waiting: 0, session: live.session)
        let isOver = eventually(within: 10_000) { live.session.inFlightCount == 0 ? true : nil }
        #expect(isOver == true)
        #expect(live.session.gates.isEmpty)
    }

    /// The cases run one after the other, as each needs ten thousand descriptors.
    @Test(.serialized, arguments: [1, 3]) func fiveThousandGoAtOnce(workers: Int) throws {
        _ = ProcessFacts.allowDescriptors(20_000)
        var options = SessionOptions()
        options.workers = workers
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"urlPath": "/x"}, "response": {"hold": "g", "body": "own"}}"#)
        let count = 5_000
        let clients = try (0..<count).map { try ask(mock, "/x?\($0)") }
        try waitUntil(mock, waiting: count)
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": .number(JSONNumber(count))])
        let first = clients[0].receiveAll()
        // Each gets one answer, whole, and nothing after it.
        #expect(first.text.hasSuffix("\r\n\r\n3\r\nown\r\n0\r\n\r\n"))
        for client in clients.dropFirst() { #expect(client.receiveAll() == first) }
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.counts.served == UInt64(count))
        let sent = mock.session.events.filter { $0.end?.outcome == .sent && $0.status == 200 }
        #expect(sent.count == count)
        #expect(mock.session.gates.isEmpty)
    }

    /// Releases, clients that leave and time-outs compete for the same requests; each of them ends once.
    @Test func aRequestIsLetGoOnce() throws {
        var options = SessionOptions()
        options.workers = 3
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"request": {"urlPath": "/x"}, "#
                + #""response": {"hold": {"gate": "g", "timeout": "30ms", "onTimeout": 504}, "body": "own"}}"#)
        var answered = 0
        for round in 0..<20 {
            let clients = try (0..<20).map { try ask(mock, "/x?\(round).\($0)") }
            for (index, client) in clients.enumerated() where index % 5 == 0 { client.reset() }
            for _ in 0..<4 { _ = mock.session.releaseGateForTest("g", 3) }
            for (index, client) in clients.enumerated() where index % 5 != 0 {
                let answer = try Exchange(client.receiveAll(), isHead: false)
                #expect(answer.status == 200 || answer.status == 504)
                #expect(answer.received.text.ranges(of: "HTTP/1.1").count == 1)
                answered += 1
            }
        }
        #expect(answered == 20 * 16)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.gates.isEmpty)
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("release", #"{"cuont": 1}"#, "/cuont"), ("release", #"{"count": 0}"#, "/count"),
        ("release", #"{"id": "x"}"#, "/id"), ("release", #"{"response": {"stauts": 1}}"#, "/response/stauts"),
        (
            "release", #"{"response": {"status": "{{x}}", "stream": {"events": [{"data": "x"}]}}}"#,
            "/response"
        ),
        ("release", "[]", "/"), ("fail", #"{"fault": "EMPTY"}"#, "/fault"), ("fail", #"{"response": {}}"#, "/response"),
    ])
    func aMistakeReleasesNobody(call: String, body: String, pointer: String) throws {
        let mock = try mock()
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        let answer = try mock.admin("POST", "/gates/g/\(call)", body, status: 422)
        #expect(answer["errors"]?[0]?["source"]?["pointer"]?.stringValue == pointer, "\(answer)")
        #expect(mock.session.gate("g").waiting.count == 1)
        client.reset()
    }

    // MARK: Nobody waits

    /// A call, what is said of it while the stubs have the gates `g` and `pay` and nobody waits, and the gate meant.
    @Test(
        arguments: [
            ("none/release", "no stub has the gate \"none\", and no request waits there", nil),
            ("pai/fail", "no stub has the gate \"pai\", and no request waits there", "pay"),
            ("none/open", "no stub has the gate \"none\", and no request waits there", nil),
            ("none/close", "no stub has the gate \"none\", and no request waits there", nil),
            ("g/release", "no request waits at the gate \"g\"", nil), ("g/open", nil, nil), ("g/close", nil, nil),
        ] as [(String, String?, String?)])
    func aCallThatLetsNobodyGoSaysWhy(call: String, message: String?, meant: String?) throws {
        let mock = try mock()
        try mock.add(#"{"request": {"urlPath": "/p"}, "response": {"stream": [{"hold": "pay"}]}}"#)
        let answer = try mock.call("POST", "/__admin/gates/\(call)")
        #expect(answer.status == 200)
        let warning = answer.header("X-StuntDouble-Warning")
        #expect(answer.json?["warnings"]?[0]?.stringValue == warning)
        #expect(warning?.prefix { $0 != ";" }.description == message)
        #expect((warning?.contains("did you mean \"\(meant ?? "")\"?") == true) == (meant != nil))
        if message?.hasPrefix("no stub") == true {
            #expect(warning?.contains("xpected a gate such as g, pay") == true, "\(warning ?? "-")")
        }
    }
}

extension Session {
    fileprivate func releaseGateForTest(_ name: String, _ count: Int) -> Int {
        (try? releaseGate(name, GateChoice(count: count), with: nil)) ?? 0
    }
}
