import SDJSON
import SDTestSupport
import Testing

/// What the real daemon refuses before any stub is asked is in the log, in the report, and in a call of its own.
@Suite struct RefusalTests {
    /// The texts of a daemon's call and of its report, once it has as many.
    private func told(_ daemon: Daemon, _ count: Int = 1) throws -> [String] {
        let found = try eventually { () -> [JSONValue]? in
            let all = try daemon.get("/__admin/refusals").json?["refusals"]?.arrayValue ?? []
            return all.count >= count ? all : nil
        }
        let refusals = try #require(found, "\(daemon.process.errors)")
        #expect(try daemon.get("/__admin/report").json?["refusals"]?.arrayValue == refusals)
        let text = try daemon.get("/__admin/report?format=text").text
        let texts = refusals.compactMap { $0["text"]?.stringValue }
        for one in texts { #expect(text.contains("\n  \(one)"), "\(text)") }
        return texts
    }

    private func isLogged(_ daemon: Daemon, _ text: String) -> Bool {
        eventually { daemon.process.errors.contains(text) ? true : nil } == true
    }

    @Test func aPreflight() throws {
        let daemon = try Daemon(files: ["a.yaml": "cors: { origins: ['http://localhost:*'] }\nPUT /a: {}\n"])
        let asked = ["Origin: http://evil.example", "Access-Control-Request-Method: PUT"]
        #expect(try daemon.request("OPTIONS", "/a", headers: asked).status == 403)
        let text = "a page of http://evil.example may not send PUT /a: `cors` allows http://localhost:*"
        #expect(try told(daemon) == [text])
        #expect(isLogged(daemon, "refused: \(text)"))
        let journal = try daemon.get("/__admin/requests").json
        #expect(journal?["requests"]?[0]?["request"]?["method"] == "OPTIONS")
        #expect(journal?["requests"]?[0]?["response"]?["status"] == 403)
    }

    @Test(arguments: [
        (["--no-upstream"], "shop.example:443"), (["--deny-proxy-targets", "127.0.0.1"], "127.0.0.1:1"),
        ([], "127.0.0.1:1"),
    ])
    func aTunnel(options: [String], place: String) throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--forward-proxy"] + options)
        let client = try RawClient(port: daemon.port)
        try client.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
        #expect(client.receiveAll(within: 30_000).text.hasPrefix("HTTP/1.1 502 "))
        let text = try #require(try told(daemon).first)
        #expect(text.hasPrefix("a tunnel to \(place): "))
        #expect(isLogged(daemon, "refused: \(text)"))
        let event = try daemon.get("/__admin/requests").json?["requests"]?[0]
        #expect(
            event?["request"]?["method"] == "CONNECT" && event?["response"]?["status"] == 502,
            "\(String(describing: event))")
        #expect(try daemon.get("/__admin/requests/unmatched").json?["requests"]?.arrayValue == [])
        #expect(try daemon.get("/__admin/report?fail=unmatched,error").status == 200)
    }

    /// A client that does not trust the certificate: the host is the one that it asked for.
    @Test(.enabled(if: SecuredDaemon.curl != nil, "curl is not here"))
    func aHandshake() throws {
        let secured = try SecuredDaemon(files: ["a.yaml": "GET /a: {}"])
        let (daemon, port) = (secured.daemon, try secured.httpsPort)
        let begun = try daemon.admin("POST", "/sessions").json
        let id = try #require(begun?["id"]?.stringValue)
        let outcome = try SecuredDaemon.run(
            #require(SecuredDaemon.curl),
            [
                "-sS", "--max-time", "30", "--resolve", "api.shop.example:\(port):127.0.0.1",
                "https://api.shop.example:\(port)/a",
            ],
            in: secured.scratch)
        #expect(outcome.status != 0)
        let text = try #require(try told(daemon).first)
        #expect(text.hasPrefix("HTTPS for api.shop.example: 127.0.0.1 ") && text.hasSuffix("(port \(port))"), "\(text)")
        #expect(isLogged(daemon, "(port \(port)), for api.shop.example"))
        // It says nothing of whose it is, so it is in the reports of all tests that ran.
        #expect(try daemon.get("/__admin/sessions/\(id)/report").json?["refusals"]?[0]?["host"] == "api.shop.example")
        // Bytes that are no TLS name no host.
        let client = try RawClient(port: UInt16(port))
        try client.send([0, 1, 2, 3])
        _ = client.receiveAll(within: 30_000)
        #expect(
            try told(daemon, 2).last?.hasPrefix("HTTPS for port \(port): 127.0.0.1 sent bytes that begin no TLS")
                == true)
    }
}
