import SDJSON
import SDTestSupport
import Testing

/// The real daemon sends messages late, in order, and behind gates.
@Suite struct MessageDeliveryTests {
    private func add(_ actions: String, said: String = "go", to daemon: Daemon) throws {
        let stub = """
            {"trigger": {"message": {"body": {"equalTo": "\(said)"}}}, "actions": \(actions)}
            """
        let answer = try daemon.request("POST", "/__admin/message-mappings", body: stub)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func gate(_ name: String, _ daemon: Daemon) throws -> JSONValue {
        try JSONValue(parsing: try daemon.get("/__admin/gates/\(name)").text)
    }

    private func waits(_ count: Int, at name: String, _ daemon: Daemon) -> JSONValue? {
        eventually {
            let found = try? gate(name, daemon)
            return found?["waiting"]?.intValue == count ? found : nil
        }
    }

    @Test func delaysAndGapsKeepTheOrder() throws {
        let daemon = try Daemon(files: [:])
        try add(
            """
            [{"type": "send", "message": "1", "delay": "60ms"}, {"type": "send", "message": "2", "gap": "40ms"},
             {"type": "send", "message": "3", "gap": {"uniform": ["30ms", "40ms"]}}]
            """, to: daemon)
        try add(#"[{"type": "send", "message": "at once"}]"#, said: "other", to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        let begin = ContinuousClock.now
        try socket.send("go")
        try socket.send("other")
        #expect((1...4).map { _ in socket.receive() } == [.text("1"), .text("2"), .text("3"), .text("at once")])
        #expect(ContinuousClock.now - begin >= .milliseconds(130))
    }

    @Test func aGateHoldsMessagesAndLetsThemGo() throws {
        let daemon = try Daemon(files: [:])
        try add(
            #"[{"type": "send", "message": "held", "hold": "door"}, {"type": "send", "message": "behind it"}]"#,
            to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/chat")
        try socket.send("go")
        let held = try #require(waits(1, at: "door", daemon))
        let message = try #require(held["messages"]?.arrayValue?.first)
        #expect(message["message"] == "held")
        #expect(message["url"] == "/chat")
        let id = try #require(message["id"]?.stringValue)
        #expect(try daemon.get("/__admin/messages/\(id)").text.contains("\"held\""))
        let none = try daemon.request(
            "POST", "/__admin/gates/door/release", body: #"{"id": "\#(id)", "response": {"status": 200}}"#)
        #expect(try JSONValue(parsing: none.text)["released"] == 0)
        let release = try daemon.request("POST", "/__admin/gates/door/release", body: #"{"id": "\#(id)"}"#)
        #expect(try JSONValue(parsing: release.text)["released"] == 1)
        #expect(socket.receive() == .text("held"))
        #expect(socket.receive() == .text("behind it"))
    }

    @Test func aGateFailsMessagesAndTheConnection() throws {
        let daemon = try Daemon(files: [:])
        try add(#"[{"type": "send", "message": "never", "hold": "door"}]"#, to: daemon)
        try add(
            #"[{"type": "send", "message": "late", "hold": {"gate": "slow", "timeout": "20ms"}}]"#, said: "slow",
            to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        try socket.send("slow")
        #expect(socket.receive() == .text("late"))
        try socket.send("go")
        _ = try #require(waits(1, at: "door", daemon))
        #expect(try daemon.request("POST", "/__admin/gates/door/fail", body: "{}").text.contains(": 1"))
        #expect(socket.raw.receiveAll(within: 20_000) == .init([], .rst))
    }

    @Test func whatWaitsEndsWithItsChannel() throws {
        let daemon = try Daemon(files: [:])
        let actions = #"[{"type": "send", "message": "late", "delay": "60s"}, {"type": "send", "message": "never"}]"#
        try add(actions, to: daemon)
        try add(#"[{"type": "send", "message": "never", "hold": "door"}]"#, said: "hold", to: daemon)
        let (late, left, held) = (
            try WebSocketPeer(port: daemon.port, path: "/"), try WebSocketPeer(port: daemon.port, path: "/"),
            try WebSocketPeer(port: daemon.port, path: "/")
        )
        try late.send("go")
        try left.send("hold")
        try held.send("hold")
        _ = try #require(waits(2, at: "door", daemon))
        left.raw.close()
        _ = try #require(waits(1, at: "door", daemon))
        #expect(try daemon.admin("POST", "/reset").status == 200)
        #expect(late.receive() == .close(1012))
        #expect(held.receive() == .close(1012))
        _ = try #require(waits(0, at: "door", daemon))
    }

    @Test func theServerEndsThoughMessagesWait() throws {
        let daemon = try Daemon(files: [:])
        try add(#"[{"type": "send", "message": "late", "delay": "60s"}]"#, to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        try socket.send("go")
        _ = eventually {
            try? daemon.get("/__admin/messages").text.contains("\"late\"") == true ? true : nil
        }
        daemon.process.signal(15)
        #expect(socket.receive() == .close(1001))
    }

    @Test func tooMuchThatWaitsIsTold() throws {
        let daemon = try Daemon(files: [:])
        try add(
            #"[{"type": "send", "message": "{{message.body}}{{randomValue length=20000}}", "delay": "60s"}]"#,
            to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        for _ in 0..<900 { try? socket.send("go") }
        #expect(socket.raw.receiveAll(within: 30_000).ending != .open)
    }

    @Test func mistakesAreTold() throws {
        let daemon = try Daemon(files: [:])
        for (member, place, told) in [
            (#""delay": 50"#, "/actions/0/delay", "50ms"), (#""gap": "fast""#, "/actions/0/gap", "120ms"),
            (#""hold": {"gate": "a", "onTimeout": 504, "timeout": "1s"}"#, "/actions/0/hold/onTimeout", "answer, fail"),
            (#""fault": {"drob": true}"#, "/actions/0/fault/drob", "drop"),
            (#""fault": {"first": 2}"#, "/actions/0/fault", "does nothing"),
            (#""fault": {"drop": true, "corrupt": {"rate": 1}}"#, "/actions/0/fault/corrupt", "cannot both happen"),
            (#""fault": {"invalidFrame": "reservedBit"}"#, "/actions/0/fault/invalidFrame", "reservedBits"),
            (#""fault": {"cutAfter": {"chunk": 2}}"#, "/actions/0/fault/cutAfter/chunk", "fragment"),
            (#""fault": [{"drop": true}, {"reorder": 5}]"#, "/actions/0/fault/1/reorder", "1s"),
        ] {
            let stub = #"{"actions": [{"type": "send", "message": "x", \#(member)}]}"#
            let answer = try daemon.request("POST", "/__admin/message-mappings", body: stub)
            #expect(answer.status == 422, "\(member): \(answer.text)")
            #expect(answer.text.contains("\"\(place)\""), "\(member): \(answer.text)")
            #expect(answer.text.contains(told), "\(member): \(answer.text)")
        }
    }

    @Test func whatIsSaidOfDeliveryIsShownAgain() throws {
        let daemon = try Daemon(files: [:])
        let actions =
            #"[{"type":"send","message":{"body":"x"},"channelTarget":{"type":"originating"},"delay":"100ms","#
            + #""gap":{"uniform":["1ms","2ms"]},"hold":"door","fault":{"drop":true,"probability":0.5}}]"#
        let stub = #"{"id": "5b0a4a1e-8a4f-4ac5-9d4a-3a4b8f8b0001", "actions": \#(actions)}"#
        #expect(try daemon.request("POST", "/__admin/message-mappings", body: stub).status == 201)
        let shown = try JSONValue(
            parsing: try daemon.get("/__admin/message-mappings/5b0a4a1e-8a4f-4ac5-9d4a-3a4b8f8b0001").text)
        let action = try #require(shown["actions"]?.arrayValue?.first)
        let given = try JSONValue(parsing: actions).arrayValue?.first
        for name in ["delay", "gap", "hold", "fault"] { #expect(action[name] == given?[name]) }
    }
}
