import Foundation
import SDTestSupport
import Testing

/// The user in the URL of a target reaches it on each way, and nobody else.
@Suite struct TargetUserTests {
    @Test(arguments: CallWay.allCases.filter { $0 != .forwardProxy }, CallWay.Framing.allCases)
    func itIsSent(way: CallWay, framing: CallWay.Framing) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(way, target, user: "ada:s3cret@")
        let request = daemon.post("/call", framing).replacing("\r\nHost:", with: "\r\nAuthorization: Bearer m\r\nHost:")
        let answer = try daemon.ask(request)
        #expect(answer.status == (way == .webhook ? 202 : 200), "\(answer.text)")
        let sent = try #require(eventually { target.requests.first })
        #expect(sent.values("authorization") == ["Basic " + Data("ada:s3cret".utf8).base64EncodedString()])
        #expect(sent.call == "POST /call" && sent.values("host") == ["127.0.0.1:\(target.port)"])
        #expect(!daemon.errors.contains("s3cret") && !answer.text.contains("s3cret"), "\(daemon.errors)")
    }

    /// One of the stub's own goes before it, and that of the client is for this server.
    @Test(arguments: ["Authorization", "authorization"], ["", "ada:s3cret@"])
    func aFieldOfTheStubCountsBeforeIt(name: String, user: String) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let proxy = "{ to: \"http://\(user)127.0.0.1:\(target.port)\", headers: { \(name): Bearer own } }"
        let daemon = try Daemon(files: ["a.yaml": "ANY /**: { proxy: \(proxy) }"])
        #expect(try daemon.request("GET", "/x", headers: ["Authorization: Bearer client"]).status == 200)
        // Without a user both go on, as with WireMock.
        let expected = user.isEmpty ? ["Bearer client", "Bearer own"] : ["Bearer own"]
        #expect(target.requests.first?.values("authorization") == expected)
    }

    /// So it is where a client of a proxy names it in its URL; a field of its own is sent as it is.
    @Test func aClientOfAProxyMayNameIt() throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(.forwardProxy, target)
        let place = "127.0.0.1:\(target.port)"
        for (user, field) in [("ada:s3cret@", ""), ("", "Authorization: Basic YTpi\r\n")] {
            let asked = try daemon.ask("GET http://\(user)\(place)/ HTTP/1.1\r\n\(field)Host: \(place)\r\n\r\n")
            #expect(asked.status == 200 && !asked.text.contains("s3cret"), "\(asked.text)")
        }
        #expect(target.requests.map { $0.values("authorization") } == [["Basic YWRhOnMzY3JldA=="], ["Basic YTpi"]])
        #expect(!daemon.errors.contains("s3cret"), "\(daemon.errors)")
    }

    /// Nor has it a place in what commands say about a URL that is refused.
    @Test(
        arguments: [
            "http:/ada:s3cret@h", "http//ada:s3cret@h", "http:///ada:s3cret@h", "http://ada:s3cret x@h",
            "ada:s3cret@h.example",
            "ftp://ada:s3cret@h", "http:ada:s3cret@h", "http;//ada:s3cret@h", "http://ada:s3cret/x@h",
            "http://ada:s3cret-that-is-longer-than-what-is-shown-of-a-text@h",
        ])
    func itIsInNoMessageAboutAStub(url: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "routes.yaml",
            """
            ANY /a/**: { proxy: "\(url)" }
            ANY /b/**: { proxy: { to: "\(url)" } }
            ANY /c/**: { proxi: "\(url)" }
            ANY /d/**: { proxy: { to: "http://h", http2: "\(url)" } }
            ANY /e/**: { proxy: { to: "http://h", headers: "\(url)" } }
            ANY /f/**: { status: "\(url)" }
            """)
        try folder.write(
            "mapping.json",
            """
            {"request": {"method": "GET", "urlPath": "/m"}, "response": {"proxyBaseUrl": "\(url)", "proxyHttp2": "\(url)"}}
            """)
        for command in [
            ["validate", folder.path], ["validate", "--strict", "--format", "json", folder.path],
            ["routes", folder.path],
            ["explain", "GET", "/a/x", folder.path], ["check", "http://127.0.0.1:1", folder.path],
            ["convert", folder.path, "--to", folder.path + "/out"],
        ] {
            let ended = try EndedCommand(command, outputsIn: TemporaryFolder())
            let told = ended.output + ended.errors
            #expect(!told.isEmpty && !told.contains("s3cret"), "\(command): \(told)")
        }
    }
}
