import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What goes wrong on the way to another server is told as what it was.
@Suite(.timeLimit(.minutes(30))) struct ProxyProblemTests {
    private static let switched = "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
    private static let upgrade = "GET /held HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"

    private static func daemon(_ port: UInt16, _ options: String...) throws -> Daemon {
        try Daemon(files: ["a.yaml": "ANY /**: { proxy: \"http://127.0.0.1:\(port)\" }"], options)
    }

    /// A call for which no connection was free was never made: that is not the server's slowness.
    @Test func aCallWithoutAConnectionIsNoTimeOutOfTheServer() throws {
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched)
            // It is never silent for long.
            while client.receive(until: "end", within: 50).ending == .open { try client.send("a") }
        }
        let daemon = try Self.daemon(target.port, "--max-http-client-connections", "1", "--proxy-timeout", "5s")
        let holder = try RawClient(port: daemon.port)
        try holder.send(Self.upgrade)
        #expect(holder.receive(until: "\r\n\r\na").text.hasPrefix("HTTP/1.1 101 "))
        let answer = try daemon.get("/other")
        let reason = "no connection was free for the call to 127.0.0.1:\(target.port) for 5000 ms, "
        #expect(answer.status == 500 && answer.text.contains(reason), "\(answer.text)")
        #expect(answer.text.hasSuffix("--max-http-client-connections") && !answer.text.contains("Read timed out"))
        #expect(target.connections == 1)
        withExtendedLifetime(holder) {}
    }

    /// As WireMock has it, 0 is no limit.
    @Test func noTimeIsNoLimit() throws {
        let (come, goOn) = (Events<Bool>(), Events<Bool>())
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            come.tell(true)
            _ = goOn.next()
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let daemon = try Self.daemon(target.port, "--proxy-timeout", "0")
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(come.next() == true)
        // They take longer than the least time that could be a limit.
        for _ in 0..<20 { _ = try daemon.get("/__admin/health") }
        goOn.tell(true)
        #expect(HTTPAnswer(client.receiveAll().bytes)?.text == "ok")
    }

    /// The end of what follows a 101 has a line in the log, which says whether it has rested for too long.
    @Test(arguments: [false, true]) func theEndOfAnUpgradeIsTold(rests: Bool) throws {
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched)
            #expect(client.receive(until: "hello").text == "hello")
            try client.send("you")
            if rests { _ = client.receiveAll(within: 60_000) }
        }
        let daemon = try Self.daemon(target.port, "--proxy-timeout", rests ? "5s" : "5m")
        let client = try RawClient(port: daemon.port)
        try client.send(Self.upgrade + "hello")
        #expect(client.receiveAll(within: 60_000).text.hasSuffix("\r\n\r\nyou"))
        client.close()
        let line = "the upgraded connection to 127.0.0.1:\(target.port) has ended: 5 bytes sent, 3 received"
        let rest = ", and then nothing for as long as --proxy-timeout allows"
        #expect(daemon.says(line + (rests ? rest : "\"")), "\(daemon.process.errors)")
    }

    /// An upgrade that is not asked for has a line with the reason.
    @Test func anUpgradeThatIsNotAskedForIsTold() throws {
        let daemon = try Daemon(files: ["a.yaml": "ANY /**: { proxy: { to: \"http://127.0.0.1:1\", http2: true } }"])
        let client = try RawClient(port: daemon.port)
        try client.send(Self.upgrade)
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 500 "))
        #expect(daemon.says("127.0.0.1:1 is not asked to upgrade, since it is called in HTTP/2"))
    }

    /// Silence in the middle of an answer is ended here, and told once, with the option.
    @Test func silenceInTheMiddleOfAnAnswerNamesItsLimit() throws {
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc")
            _ = client.receiveAll(within: 60_000)
        }
        let daemon = try Self.daemon(target.port, "--proxy-timeout", "5s")
        #expect(try RawClient(port: daemon.port).asks("/a").text.hasSuffix("abc"))
        let silence = "127.0.0.1:\(target.port) sent nothing more of its answer for 5000 ms (--proxy-timeout)"
        #expect(daemon.says("its answer is broken off: " + silence), "\(daemon.process.errors)")
        #expect(!daemon.process.errors.contains("since 127.0.0.1"))
    }

    /// A proxy in front of the server that says nothing is none of the server's doing.
    @Test(arguments: ["http", "https"]) func aSilentProxyIsNamed(scheme: String) throws {
        let via = try RawServer { client, _ in _ = client.receiveAll(within: 60_000) }
        let daemon = try Daemon(
            files: ["a.yaml": "ANY /**: { proxy: \"\(scheme)://127.0.0.1:1\" }"],
            ["--proxy-via", "127.0.0.1:\(via.port)", "--proxy-timeout", "500ms"])
        let isTunnel = scheme == "https"
        let what =
            isTunnel ? "does not lead to 127.0.0.1:1: it did not answer in time" : "did not answer within 500 ms"
        let reason = "the proxy 127.0.0.1:\(via.port) \(what) (--proxy-via)"
        let answer = try daemon.get("/a")
        #expect(answer.text.contains(reason), "\(answer.text)")
    }
}

extension RawClient {
    fileprivate func asks(_ path: String) throws -> Received {
        try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return receiveAll(within: 60_000)
    }
}
