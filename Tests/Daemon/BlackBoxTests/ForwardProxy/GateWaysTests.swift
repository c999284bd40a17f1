import Foundation
import SDJSON
import SDTestSupport
import Testing

/// All ways that lead to other servers lead through one gate.
@Suite(.timeLimit(.minutes(30))) struct GateWaysTests {
    /// Spellings of this machine, as the rules below mean it.
    private static let here = [
        "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.1", "127.0.0.1.", "0.0.0.0", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "localhost", "LOCALHOST.", "a.localhost",
    ]
    private static let denied = "The target proxy address is denied in WireMock's configuration."

    private static func target() throws -> RawServer {
        try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nreal")
        }
    }

    private static func send(_ text: String, to daemon: Daemon) throws -> HTTPAnswer {
        let client = try RawClient(port: daemon.port)
        try client.send(text)
        return try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes))
    }

    private static func get(_ path: String, of daemon: Daemon, _ fields: String = "") throws -> HTTPAnswer {
        try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)Connection: close\r\n\r\n", to: daemon)
    }

    @Test(arguments: [["127.0.0.1"], ["::ffff:127.0.0.0/104"], ["localhost"], ["127.*"]])
    func absoluteTargetsAndTunnels(rules: [String]) throws {
        let target = try Self.target()
        let proxy = try Daemon(
            files: ["a.json": #"{"mappings": []}"#],
            ["--forward-proxy"] + rules.flatMap { ["--deny-proxy-targets", $0] })
        for host in Self.here {
            let place = "\(host):\(target.port)"
            let answer = try Self.send(
                "GET http://\(place)/ HTTP/1.1\r\nHost: \(place)\r\nConnection: close\r\n\r\n", to: proxy)
            #expect(answer.status == 500 && answer.text.hasPrefix(Self.denied), "\(host): \(answer.text)")
            let tunnel = try Self.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n", to: proxy)
            #expect(tunnel.status == 502 && tunnel.text.contains("may not be called: "), "\(host): \(tunnel.text)")
        }
        #expect(target.connections == 0)
    }

    @Test func absoluteTargetsAndTunnelsThatAreAllowed() throws {
        let target = try Self.target()
        let proxy = try Daemon(
            files: ["a.json": #"{"mappings": []}"#], ["--forward-proxy", "--allow-proxy-targets", "127.0.0.0/8"])
        for host in Self.here where host != "0.0.0.0" {
            let place = "\(host):\(target.port)"
            let answer = try Self.send(
                "GET http://\(place)/ HTTP/1.1\r\nHost: \(place)\r\nConnection: close\r\n\r\n", to: proxy)
            #expect(answer.text == "real", "\(host): \(answer.text)")
            let client = try RawClient(port: proxy.port)
            try client.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
            #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 "), "\(host)")
        }
        for host in ["[::1]", "10.0.0.1", "[2002:7f00:1::1]"] {
            let answer = try Self.send(
                "GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", to: proxy)
            #expect(answer.text.hasPrefix(Self.denied), "\(host): \(answer.text)")
        }
    }

    /// Stubs, pass-through of sessions and of the daemon, recordings, and all requests.
    @Test func stubsSessionsAndRecordings() throws {
        let target = try Self.target()
        let daemon = try Daemon(files: ["a.json": #"{"mappings": []}"#], ["--deny-proxy-targets", "127.0.0.1"])
        for (number, host) in Self.here.enumerated() {
            let base = "http://\(host):\(target.port)"
            try daemon.admin(
                "POST", "/mappings", #"{"request": {"url": "/\#(number)"}, "response": {"proxyBaseUrl": "\#(base)"}}"#)
            #expect(try Self.get("/\(number)", of: daemon).text.hasPrefix(Self.denied), "\(host)")
            let session = try JSONValue(
                parsing: daemon.admin("POST", "/sessions", #"{"passThrough": "\#(base)"}"#).text)["id"]?.stringValue
            let field = "X-StuntDouble-Session: \(session ?? "")\r\n"
            #expect(try Self.get("/none", of: daemon, field).text.hasPrefix(Self.denied), "\(host)")
            try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(base)"}"#)
            #expect(try Self.get("/recorded", of: daemon).text.hasPrefix(Self.denied), "\(host)")
            try daemon.admin("POST", "/recordings/stop", "{}")
            try daemon.admin("PUT", "/settings", #"{"passThrough": "\#(base)"}"#)
            #expect(try Self.get("/none", of: daemon).text.hasPrefix(Self.denied), "\(host)")
        }
        #expect(target.connections == 0)
    }

    @Test(arguments: ["--proxy-all", "--pass-through"])
    func whatTheOptionsSendOn(option: String) throws {
        let target = try Self.target()
        let daemon = try Daemon(
            files: ["a.json": #"{"mappings": []}"#],
            [option, "http://0x7f.1:\(target.port)", "--deny-proxy-targets", "127.0.0.0-127.0.0.9"])
        #expect(try Self.get("/x", of: daemon).text.hasPrefix(Self.denied))
        #expect(target.connections == 0)
    }

    @Test func webhooks() throws {
        let target = try Self.target()
        let daemon = try Daemon(
            files: ["a.json": #"{"mappings": []}"#], ["--deny-proxy-targets", "127.0.0.1", "--verbose"])
        for (number, host) in Self.here.enumerated() {
            try daemon.admin(
                "POST", "/mappings",
                #"""
                {"request": {"url": "/\#(number)"}, "response": {}, "serveEventListeners": [{"name": "webhook",
                 "parameters": {"method": "POST", "url": "http://\#(host):\#(target.port)/", "body": "b"}}]}
                """#)
            #expect(try Self.get("/\(number)", of: daemon).status == 200)
        }
        let idle = try daemon.admin("POST", "/requests/idle", #"{"quietMs": 0, "timeoutMs": 30000}"#)
        #expect(idle.status == 200)
        let events = try daemon.admin("GET", "/requests").json?["requests"]?.arrayValue ?? []
        #expect(events.count == Self.here.count)
        for event in events {
            let types = event["subEvents"]?.arrayValue?.map { $0["type"]?.stringValue }
            #expect(types?.contains("ERROR") == true && types?.contains("WEBHOOK_RESPONSE") == false)
        }
        #expect(target.connections == 0)
    }

    @Test func noUpstreamIsTheSameGate() throws {
        let target = try Self.target()
        let daemon = try Daemon(files: ["a.json": #"{"mappings": []}"#], ["--forward-proxy", "--no-upstream"])
        let place = "127.0.0.1:\(target.port)"
        let answer = try Self.send(
            "GET http://\(place)/ HTTP/1.1\r\nHost: \(place)\r\nConnection: close\r\n\r\n", to: daemon)
        #expect(answer.status == 500 && answer.text.contains("--no-upstream"))
        let tunnel = try Self.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n", to: daemon)
        #expect(tunnel.status == 502 && tunnel.text.contains("--no-upstream"))
        #expect(target.connections == 0)
    }

    // MARK: The start

    @Test(arguments: [
        (["--forward-proxy", "--bind-address", "0.0.0.0"], true),
        (["--enable-browser-proxying", "--bind-address", "127.0.0.1,::"], true),
        (["--proxy-all", "http://127.0.0.1:1", "--bind-address", "0.0.0.0"], true),
        (["--forward-proxy", "--bind-address", "0.0.0.0", "--deny-proxy-targets", "10.0.0.0/8"], false),
        (["--forward-proxy", "--bind-address", "0.0.0.0", "--no-upstream"], false),
        (["--forward-proxy", "--bind-address", "127.0.0.1,127.0.0.2"], false),
        (["--bind-address", "0.0.0.0"], false),
    ])
    func anOpenGateIsToldAtTheStart(options: [String], isTold: Bool) throws {
        let daemon = try Daemon(files: ["a.json": #"{"mappings": []}"#], options)
        let line = "can call other servers through it; --allow-proxy-targets says which"
        #expect(isTold ? daemon.says(line) : !daemon.process.errors.contains(line))
    }

    @Test func aProxyInFrontThatLooksUpNamesIsToldAtTheStart() throws {
        let rules = ["--proxy-via", "127.0.0.1:1", "--deny-proxy-targets"]
        let daemon = try Daemon(files: ["a.json": #"{"mappings": []}"#], rules + ["10.0.0.0/8"])
        #expect(daemon.says("--proxy-via looks up names by itself"))
        let other = try Daemon(files: ["a.json": #"{"mappings": []}"#], rules + ["*.example"])
        #expect(!other.process.errors.contains("--proxy-via looks up names by itself"))
    }

    /// Tunnels that are not opened do not lead through the proxy in front, which the start says, and each of them.
    @Test(arguments: [("--forward-proxy", true), ("--enable-browser-proxying", false)])
    func tunnelsBesideAProxyInFrontAreTold(option: String, isTold: Bool) throws {
        let options = [option, "--proxy-via", "me:geheim@127.0.0.1:1"]
        let daemon = try Daemon(files: ["a.json": #"{"mappings": []}"#], options)
        let answer = try Self.send("CONNECT 127.0.0.1:2 HTTP/1.1\r\nHost: 127.0.0.1:2\r\n\r\n", to: daemon)
        let line = "--proxy-via leads no tunnels on: with --forward-proxy"
        let isRight = isTold ? daemon.says(line) : !daemon.process.errors.contains(line)
        let log = daemon.process.errors
        #expect(isRight, "\(log)")
        #expect(answer.status == (isTold ? 502 : 200), "\(answer.text)")
        if isTold { #expect(answer.text.contains("--enable-browser-proxying opens them"), "\(answer.text)") }
        #expect(!log.contains("geheim"))
    }
}
