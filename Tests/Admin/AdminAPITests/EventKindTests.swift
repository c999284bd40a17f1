import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// The types of `events` that a reader has to ask for.
@Suite struct EventKindTests {
    private func next(_ stream: EventStreamClient) -> EventStreamClient.Event? {
        while let event = stream.next(within: 20_000) { if event.type != nil { return event } }
        return nil
    }

    @Test func gatesTellWhoWaitsAndWhoGoes() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"hold": {"gate": "pay"}}}"#)
        let stream = try EventStreamClient(mock.port, "?types=gate")
        let held = try RawClient(port: mock.port)
        try held.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let waiting = try #require(next(stream)?.data)
        #expect(waiting["name"] == "pay")
        #expect(waiting["change"] == "waiting")
        #expect(waiting["sequence"] == 1)
        #expect(try mock.admin("GET", "/requests")["requests"]?[0]?["id"] == waiting["id"])
        _ = try mock.admin("POST", "/gates/pay/release")
        #expect(next(stream)?.data == ["name": "pay", "change": "released", "count": 1])
        try held.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(next(stream)?.data?["change"] == "waiting")
        _ = try mock.admin("POST", "/gates/pay/fail")
        _ = try mock.admin("POST", "/gates/pay/open")
        _ = try mock.admin("POST", "/gates/pay/close")
        #expect((0..<3).map { _ in next(stream)?.data?["change"] } == ["failed", "opened", "closed"])
        let leaving = try RawClient(port: mock.port)
        try leaving.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(next(stream)?.data?["change"] == "waiting")
        leaving.reset()
        #expect(next(stream)?.data?["change"] == "left")
    }

    @Test func faultsRecordingsAndSettingsAreTold() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?types=fault,recording,setting")
        let answer = try mock.admin("POST", "/faults", #"[{"name": "f", "status": 503}, {"status": 500}]"#, status: 201)
        let added = try #require(next(stream)?.data)
        #expect(added["change"] == "added")
        #expect(added["name"] == "f")
        #expect(added["id"] == answer["faults"]?[0]?["id"])
        #expect(next(stream)?.data?["change"] == "added")
        let id = try #require(added["id"]?.stringValue)
        _ = try mock.admin("DELETE", "/faults/\(id)")
        #expect(next(stream)?.data == ["change": "removed", "id": .string(id), "name": "f"])
        _ = try mock.admin("POST", "/faults", #"{"status": 503}"#, status: 201)
        _ = next(stream)
        _ = try mock.admin("DELETE", "/faults")
        #expect(next(stream)?.data == ["change": "cleared"])
        _ = try Exchange(mock.port, "POST", "/__admin/settings", body: #"{"fixedDelay": 1}"#)
        #expect(next(stream)?.type == "setting")
        _ = try mock.admin("POST", "/recordings/start", #"{"targetBaseUrl": "http://127.0.0.1:1"}"#)
        _ = try mock.admin("POST", "/recordings/stop")
        #expect((0..<2).map { _ in next(stream)?.data?["change"] } == ["started", "stopped"])
    }

    @Test func channelsAndMessagesAreTold() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?types=channel,message")
        let usual = try EventStreamClient(mock.port)
        _ = try mock.admin(
            "POST", "/message-mappings",
            #"{"name": "greet", "trigger": {"message": {"body": {"equalTo": "hi"}}}, "actions": []}"#, status: 201)
        _ = try mock.admin("POST", "/channel-providers", #"{"name": "bus", "driverType": "in-memory"}"#, status: 201)
        let channel = try mock.admin(
            "POST", "/channels", #"{"providerName": "bus", "channelName": "orders"}"#, status: 201)
        let opened = try #require(next(stream))
        #expect(opened.type == "channel")
        #expect(
            opened.data == [
                "change": "opened", "type": "fixed", "id": channel["id"] ?? .null, "providerName": "bus",
                "channelName": "orders",
            ])
        for text in ["hi", "other"] {
            let sent = #"{"type": "fixed", "providerName": "bus", "channelName": "orders", "message": "\#(text)"}"#
            #expect(try Exchange(mock.port, "POST", "/__admin/channels/send", body: sent).status == 200)
        }
        let greeted = try #require(next(stream)?.data)
        #expect(greeted["direction"] == "received")
        #expect(greeted["message"] == "hi")
        #expect(greeted["stub"]?["name"] == "greet")
        #expect(greeted["channel"]?["id"] == channel["id"])
        #expect(try mock.admin("GET", "/messages")["messageServeEvents"]?[1]?["id"] == greeted["id"])
        let other = try #require(next(stream)?.data)
        #expect(other["wasMatched"] == false)
        #expect(other["size"] == 5)
        _ = try mock.admin("DELETE", "/channel-providers/bus")
        #expect(next(stream)?.data?["change"] == "closed")
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(usual.words(1) == ["request #1"])
    }

    @Test func secretsInMessagesAreNotTold() throws {
        var options = SessionOptions()
        options.redaction = Redaction()
        let mock = try TestMock(session: options)
        let stream = try EventStreamClient(mock.port, "?types=message")
        _ = try mock.admin("POST", "/channel-providers", #"{"name": "bus", "driverType": "in-memory"}"#, status: 201)
        _ = try mock.admin("POST", "/channels", #"{"providerName": "bus", "channelName": "orders"}"#, status: 201)
        let sent =
            #"{"type": "fixed", "providerName": "bus", "channelName": "orders", "message": {"body": {"data": {"password": "hush"}}}}"#
        #expect(try Exchange(mock.port, "POST", "/__admin/channels/send", body: sent).status == 200)
        let told = try #require(next(stream)?.data?["message"]?.stringValue)
        #expect(told.contains("password"))
        #expect(!told.contains("hush"))
    }

    @Test func aScenarioThatARequestMovesIsToldToThoseWhoAsk() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "scenarioName": "cart", "newScenarioState": "full"}"#)
        let usual = try EventStreamClient(mock.port)
        let asked = try EventStreamClient(mock.port, "?types=scenario")
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(next(asked)?.data == ["name": "cart", "state": "full"])
        #expect(usual.words(2) == ["request #1", "response #1"])
    }

    @Test func sessionsTellTheirVerdict() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?types=session")
        for path in ["", "/none"] {
            let session = try mock.admin("POST", "/sessions", #"{"name": "login"}"#, status: 201)
            let id = try #require(session["id"]?.stringValue)
            let begun = try #require(next(stream)?.data)
            #expect(begun["change"] == "begun")
            #expect(begun["id"] == session["id"])
            #expect(begun["name"] == "login")
            if !path.isEmpty { _ = try Exchange(mock.port, "GET", "/__session/\(id)\(path)") }
            _ = try mock.admin("DELETE", "/sessions/\(id)")
            let ended = try #require(next(stream)?.data)
            #expect(ended["change"] == "ended")
            #expect(ended["verdict"] == (path.isEmpty ? "passed" : "failed"))
        }
    }

    @Test func aStreamOfAllSessionsHasAllTypes() throws {
        let mock = try TestMock()
        let stream = try EventStreamClient(mock.port, "?sessions=all&view=row")
        let session = try mock.admin("POST", "/sessions", "{}", status: 201)
        let id = try #require(session["id"]?.stringValue)
        #expect(next(stream)?.type == "session")
        _ = try Exchange(mock.port, "POST", "/__session/\(id)/__admin/faults", body: #"{"status": 503}"#)
        let fault = try #require(next(stream))
        #expect(fault.type == "fault")
        #expect(fault.data?["session"]?["id"] == session["id"])
    }
}
