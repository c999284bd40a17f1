import Foundation
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
        let text = try #require(try told(daemon).first)
        #expect(text.hasPrefix("a page of http://evil.example may not send PUT /a: `cors` allows http://localhost:* ("))
        #expect(text.hasSuffix("a.yaml:1)"), "\(text)")
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

    /// The key is named where it stands: in the route, above the routes, in a mapping, or for the folder.
    @Test(
        arguments: [
            ("a.yaml", "# a comment\ncors: http://x\nPUT /a: {}\n", "a.yaml:2"),
            ("a.yaml", "PUT /a:\n  status: 200\n  cors: http://x\n", "a.yaml:3"),
            ("a.yaml", "defaults:\n  cors: http://x\nPUT /a: {}\n", "a.yaml:2"),
            (
                "a.json",
                #"{"request": {"method": "PUT", "url": "/a"}, "response": {},"# + "\n" + #""cors": "http://x"}"#,
                "a.json:2"
            ),
            ("cors.yaml", "\ncors: http://x\n", "cors.yaml:2"),
        ])
    func theKeyIsNamedByItsLine(file: String, content: String, place: String) throws {
        let daemon = try Daemon(files: [file: content, "b.yaml": "PUT /b: {}"])
        let path = file == "cors.yaml" ? "/b" : "/a"
        let page = ["Origin: http://evil.example"]
        #expect(
            try daemon.request("OPTIONS", path, headers: page + ["Access-Control-Request-Method: PUT"]).status == 403)
        #expect(try daemon.request("PUT", path, headers: page).status == 200)
        for text in try told(daemon, 2) { #expect(text.hasSuffix("\(place))"), "\(text)") }
        let report = try daemon.get("/__admin/report?format=text").text
        #expect(report.contains("OPTIONS \(path): 403, refused by `cors` at "), "\(report)")
        #expect(report.contains("\(place)\n"), "\(report)")
    }

    @Test func anAnswerThatABrowserDoesNotShowIsLoggedOnceAnOrigin() throws {
        let daemon = try Daemon(files: ["a.yaml": "cors: http://x\nGET /a: {}\nGET /b: {}\n"])
        for origin in ["http://evil", "http://evil", "http://other"] {
            for path in ["/a", "/b"] {
                #expect(try daemon.request("GET", path, headers: ["Origin: \(origin)"]).status == 200)
            }
        }
        #expect(try told(daemon, 4).count == 4)
        #expect(isLogged(daemon, "will not show this answer to a page of http://other: GET /a"))
        #expect(daemon.process.errors.components(separatedBy: "will not show").count == 3)
    }

    @Test func aRequestForASessionThatIsNoneIsLoggedOnceAName() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        for name in ["nobody", "nobody", "other"] {
            for path in ["/a", "/b"] {
                #expect(try daemon.request("GET", path, headers: ["X-StuntDouble-Session: \(name)"]).status == 404)
            }
        }
        #expect(try told(daemon, 4).count == 4)
        #expect(isLogged(daemon, "a request for the session other: there never was one; GET /a names it by"))
        #expect(daemon.process.errors.components(separatedBy: "a request for the session").count == 3)
    }

    @Test func httpsSpokenToAPlainPort() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        let client = try RawClient(port: daemon.port)
        try client.send([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])
        _ = client.receiveAll(within: 30_000)
        let text = try #require(try told(daemon).first)
        #expect(text.hasPrefix("HTTPS for port \(daemon.port): 127.0.0.1 begins with a TLS handshake;"), "\(text)")
        #expect(isLogged(daemon, "begins with a TLS handshake; this port speaks plain HTTP"))
    }

    /// What a proxy may not send on was not sent on, and no stub is at fault.
    @Test func aRequestThatMayNotBeSentOn() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--forward-proxy", "--no-upstream"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET http://shop.example/x HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll(within: 30_000).text.hasPrefix("HTTP/1.1 500 "))
        let text = try daemon.get("/__admin/report?format=text").text
        #expect(!text.contains("sent on,") && !text.contains("ANY /**"), "\(text)")
        #expect(text.contains(": 500, could not be sent on\n") && text.contains("--no-upstream"), "\(text)")
        #expect(!daemon.process.errors.contains("ANY /**"), "\(daemon.process.errors)")
    }

    /// `run` says "all answered" of no request that was refused.
    @Test(arguments: [
        ("X-StuntDouble-Session: nobody", "no request was answered, 1 refused", 1),
        ("Origin: http://evil", "1 request, 1 refused", 0),
    ])
    func aRunTellsWhatWasRefused(header: String, line: String, status: Int32) throws {
        let runs = try Runs(["a.yaml": "cors: http://x\nGET /a: {}"])
        let process = try runs.script(
            """
            python3 - "$STUNTDOUBLE_URL/a" <<'END'
            import sys, urllib.request, urllib.error
            name, value = "\(header)".split(": ")
            try: urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={name: value})).read()
            except urllib.error.HTTPError: pass
            END
            """, ["--fail-on", "unmatched,error"])
        #expect(process.wait() == .exited(status), "\(process.errors)")
        #expect(process.errors.contains("stuntdouble: \(line)\n  refused: "), "\(process.errors)")
    }
}
