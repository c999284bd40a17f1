import SDJSON
import SDTestSupport
import Testing

/// The real daemon breaks messages on WebSockets: byte for byte as the page says.
@Suite struct MessageFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: String
        /// All bytes that come.
        let bytes: [UInt8]
        let ending: RawClient.Ending

        var testDescription: String { fault }
    }

    /// What comes in place of the message "hello", behind which the stub sends "end" and closes nothing.
    private static let hello: [UInt8] = [0x81, 5] + Array("hello".utf8)
    private static let end: [UInt8] = [0x81, 3] + Array("end".utf8)

    static let cases: [Case] = [
        Case(fault: #"{"drop": true}"#, bytes: end, ending: .open),
        Case(fault: #"{"duplicate": true}"#, bytes: hello + hello + end, ending: .open),
        Case(fault: #"{"reorder": true}"#, bytes: end + hello, ending: .open),
        Case(fault: #"{"cutAfter": 2}"#, bytes: [0x81, 5, 0x68, 0x65], ending: .fin),
        Case(fault: #"{"cutAfter": "80%"}"#, bytes: [0x81, 5] + Array("hell".utf8), ending: .fin),
        Case(fault: #"{"cutAfter": "headers", "reset": true}"#, bytes: [0x81, 5], ending: .rst),
        Case(fault: #"{"cutAfter": "nothing"}"#, bytes: [], ending: .fin),
        Case(fault: #"{"cutAfter": {"fragment": 2}}"#, bytes: [0x01, 2, 0x68, 0x65], ending: .fin),
        Case(fault: #"{"noCloseFrame": true}"#, bytes: hello, ending: .fin),
        Case(fault: #"{"reset": true}"#, bytes: hello, ending: .rst),
        Case(fault: #"{"hang": true}"#, bytes: hello, ending: .open),
        Case(fault: #"{"drop": true, "hang": true}"#, bytes: [], ending: .open),
        Case(
            fault: #"{"invalidFrame": "reservedBits"}"#, bytes: [0xA1, 5] + Array("hello".utf8) + end, ending: .open),
        Case(fault: #"{"invalidFrame": "opcode"}"#, bytes: [0x83, 5] + Array("hello".utf8) + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "utf8"}"#, bytes: [0x81, 6] + Array("hello".utf8) + [0xFF] + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "length"}"#,
            bytes: [0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0] + Array("hello".utf8) + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "wideLength"}"#,
            bytes: [0x81, 127, 0, 0, 0, 0, 0, 0, 0, 5] + Array("hello".utf8) + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "continuation"}"#, bytes: [0x80, 5] + Array("hello".utf8) + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "interrupted"}"#, bytes: [0x01, 5] + Array("hello".utf8) + hello + end,
            ending: .open),
        Case(
            fault: #"{"invalidFrame": "masked"}"#,
            bytes: [0x81, 0x85, 0x12, 0x34, 0x56, 0x78, 0x7A, 0x51, 0x3A, 0x14, 0x7D] + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "longControl"}"#,
            bytes: [0x89, 126, 0, 126] + [UInt8](repeating: 0x2E, count: 126) + end, ending: .open),
        Case(fault: #"{"invalidFrame": "partedControl"}"#, bytes: [0x09, 0] + end, ending: .open),
        Case(fault: #"{"invalidFrame": "closeCode"}"#, bytes: [0x88, 2, 0x03, 0xED] + end, ending: .open),
        Case(
            fault: #"{"invalidFrame": "notDeflated"}"#, bytes: [0xC1, 6, 0xFF] + Array("hello".utf8) + end,
            ending: .open),
    ]

    private static func stub(_ fault: String) -> String {
        """
        {"trigger": {"message": {"body": {"equalTo": "go"}}},
         "actions": [{"type": "send", "message": "hello", "fault": \(fault)}, {"type": "send", "message": "end"}]}
        """
    }

    private func received(_ socket: WebSocketPeer, _ case: Case) -> RawClient.Received {
        // Nothing says that nothing more comes.
        `case`.ending == .open && `case`.bytes.isEmpty
            ? socket.raw.receiveAll(within: 200)
            : `case`.ending == .open
                ? socket.raw.receive(`case`.bytes.count) : socket.raw.receiveAll(within: 20_000)
    }

    @Test(arguments: cases) func aFaultOfAnAction(_ case: Case) throws {
        let daemon = try Daemon(files: [:])
        #expect(
            try daemon.request("POST", "/__admin/message-mappings", body: Self.stub(`case`.fault)).status == 201)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        try socket.send("go")
        let got = received(socket, `case`)
        #expect(got.bytes == `case`.bytes)
        if `case`.ending != .open { #expect(got.ending == `case`.ending) }
    }

    private func add(_ fault: String, to daemon: Daemon) throws {
        let answer = try daemon.request("POST", "/__admin/faults", body: fault)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func echoing(_ arguments: [String] = []) throws -> Daemon {
        let daemon = try Daemon(files: [:], arguments)
        let stub = #"{"actions": [{"type": "send", "message": "{{message.body}}"}]}"#
        #expect(try daemon.request("POST", "/__admin/message-mappings", body: stub).status == 201)
        return daemon
    }

    @Test func aFaultOfTheSessionActsOnItsMessagesAndIsCounted() throws {
        let daemon = try echoing()
        try add(
            #"{"request": {"urlPath": "/lossy"}, "messages": {"message": {"body": {"contains": "x"}}, "drop": true, "first": 2}}"#,
            to: daemon)
        let (lossy, other) = (
            try WebSocketPeer(port: daemon.port, path: "/lossy"),
            try WebSocketPeer(port: daemon.port, path: "/other")
        )
        for text in ["x1", "a", "x2", "x3"] { try lossy.send(text) }
        #expect([lossy.receive(), lossy.receive()] == [.text("a"), .text("x3")])
        try other.send("x1")
        #expect(other.receive() == .text("x1"))
        #expect(try daemon.get("/__admin/faults").text.contains("\"acted\" : 2"))
        let sent =
            #"{"type": "websocket", "initiatingRequest": {"urlPath": "/lossy"}, "message": {"body": "x4"}}"#
        #expect(try daemon.request("POST", "/__admin/channels/send", body: sent).status == 200)
        #expect(lossy.receive() == .text("x4"))
        #expect(try daemon.admin("POST", "/reset").status == 200)
        #expect(try daemon.get("/__admin/faults").text.contains("\"total\" : 0"))
    }

    @Test func theSameSeedHasTheSameFaults() throws {
        func run() throws -> [WebSocketPeer.Received] {
            let daemon = try echoing(["--seed", "7"])
            try add(
                #"[{"messages": {"drop": true, "probability": 0.3}}, {"messages": {"corrupt": {"rate": 0.2}}}]"#,
                to: daemon)
            let socket = try WebSocketPeer(port: daemon.port, path: "/")
            for number in 0..<30 { try socket.send("message \(number) é") }
            try add(#"{"messages": {"noCloseFrame": true}}"#, to: daemon)
            var received: [WebSocketPeer.Received] = []
            while received.last != .nothing, received.count < 40 {
                received.append(socket.receive())
                if received.count == 15 { try socket.send("the last one") }
            }
            return received
        }
        let first = try run()
        #expect(first.count > 10)
        #expect(try run().prefix(15) == first.prefix(15))
        #expect(
            first.prefix(15).contains { if case .text(let text) = $0 { !text.hasPrefix("message ") } else { false } })
    }

    @Test func mistakesAreTold() throws {
        let daemon = try Daemon(files: [:])
        for (fault, place, told) in [
            (#"{"messages": {"drop": true}, "status": 503}"#, "/status", "no answer"),
            (#"{"messages": {"drop": true}, "probability": 0.5}"#, "/probability", "probability within messages"),
            (#"{"drop": true}"#, "/drop", "messages"),
            (#"{"messages": {}}"#, "/messages", "does nothing"),
            (#"{"messages": {"message": {"body": {"matches": "("}}, "drop": true}}"#, "/", "messages.message.body"),
        ] {
            let answer = try daemon.request("POST", "/__admin/faults", body: fault)
            #expect(answer.status == 422, "\(fault): \(answer.text)")
            #expect(answer.text.contains("\"\(place)"), "\(fault): \(answer.text)")
            #expect(answer.text.contains(told), "\(fault): \(answer.text)")
        }
    }
}
