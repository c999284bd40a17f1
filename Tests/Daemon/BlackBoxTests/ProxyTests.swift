import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Requests that are sent on to other servers, through the whole daemon.
@Suite struct ProxyTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A server that answers each request alike.
    private func server(_ answer: String = ok) throws -> RawServer {
        try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") else { return }
            try client.send(answer)
        }
    }

    private func text(_ answer: HTTPAnswer) -> String { "\(answer.status) \(answer.text)" }

    @Test func aRouteSendsOnWhatItSays() throws {
        let target = try ProxyTarget()
        target.next(Self.ok)
        let route = """
            ANY /v1/**:
              proxy: {to: "http://localhost:\(target.port)/api", removePrefix: /v1, headers: {X-Key: k}, removeHeaders: X-Secret}
              headers: {X-Own: "yes"}
            """
        let daemon = try Daemon(files: ["a.yaml": route])
        let answer = try daemon.request("GET", "/v1/a?b=c", headers: ["X-Secret: s", "X-Other: o"])
        #expect(text(answer) == "200 ok")
        #expect(answer["x-own"] == "yes")
        let got = String(decoding: try #require(target.got), as: UTF8.self)
        #expect(got.hasPrefix("GET /api/a?b=c HTTP/1.1\r\nHost: localhost:\(target.port)\r\n"))
        #expect(got.contains("\r\nX-Key: k\r\n") && got.contains("\r\nX-Other: o\r\n") && !got.contains("X-Secret"))
        let event = try daemon.admin("GET", "/requests").json?["requests"]?[0]
        #expect(event?["response"]?["body"] == "ok")
        #expect(event?["request"]?["browserProxyRequest"] == false)
    }

    @Test func whatASequenceSendsOnIsOneOfItsResponses() throws {
        let target = try server()
        let route = "GET /a: {sequence: [{body: own}, {proxy: \"http://localhost:\(target.port)\"}]}"
        let daemon = try Daemon(files: ["a.yaml": route])
        #expect(try daemon.get("/a").text == "own")
        #expect(try daemon.get("/a").text == "ok")
    }

    @Test(arguments: [("localhost:1", "http://localhost:1"), ("/a", "no absolute URL")])
    func aRouteSaysWhereTo(base: String, complaint: String) throws {
        let (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("a.yaml", "GET /a: {proxy: \"\(base)\"}")
        let process = try ChildProcess(Daemon.binary, ["validate", folder.path], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        #expect(process.output.contains(complaint))
    }

    /// A dribble cuts what comes from elsewhere as it cuts bodies of our own: in WireMock, too.
    @Test(arguments: [
        ok.replacing("2\r\n\r\nok", with: "20\r\n\r\nabcdefghijklmnopqrst"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n11\r\ndefghijklmnopqrst\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcdefghijklmnopqrst",
    ]) func aDribbleCutsTheAnswer(answer: String) throws {
        let target = try server(answer)
        let stub = """
            {"request": {"url": "/a"}, "response": {"proxyBaseUrl": "http://localhost:\(target.port)",
             "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 50}}}
            """
        let daemon = try Daemon(files: ["a.json": stub])
        let client = try HTTP2Client(port: daemon.port)
        try client.ask(1, "/a")
        // Each part is a frame of its own.
        #expect(client.answer(1).text == "abcdefghijklmnopqrst")
        #expect(client[1].pieces.filter { $0 > 0 } == [4, 4, 4, 4, 4])
    }

    // MARK: Unmatched requests

    @Test func aSessionPassesThroughWhatNothingMatches() throws {
        let target = try server()
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {body: own}"])
        let begun = try daemon.admin(
            "POST", "/sessions", "{\"name\": \"t\", \"passThrough\": \"http://localhost:\(target.port)\"}")
        let id = try #require(begun.json?["id"]?.stringValue)
        #expect(begun.json?["passThrough"]?.stringValue == "http://localhost:\(target.port)")
        #expect(try daemon.get("/__session/\(id)/a").text == "own")
        #expect(try daemon.get("/__session/\(id)/b").text == "ok")
        #expect(try daemon.get("/b").status == 404)
        let report = try daemon.admin("GET", "/sessions/\(id)/report").json
        #expect(report?["unmatchedCount"] == 0)
        #expect(report?["passedThroughCount"] == 1)
        #expect(report?["verdict"] == "passed")
        let events = try daemon.get("/__session/\(id)/__admin/requests").json
        #expect(events?["requests"]?[0]?["wasMatched"] == true)
    }

    @Test func theDaemonPassesThroughWhatNothingMatches() throws {
        let target = try server()
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: {body: own}"], ["--pass-through", "http://localhost:\(target.port)"])
        #expect(try daemon.get("/a").text == "own")
        #expect(try daemon.get("/b").text == "ok")
        #expect(try daemon.admin("GET", "/requests/unmatched").json?["requests"]?.arrayValue?.count == 0)
    }

    @Test func everythingGoesOnToTheServerOfProxyAll() throws {
        let target = try server()
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: {body: own}"], ["--proxy-all", "http://localhost:\(target.port)"])
        #expect(try daemon.get("/a").text == "own")
        #expect(try daemon.get("/b").text == "ok")
        let stubs = try daemon.admin("GET", "/mappings").json?["mappings"]?.arrayValue ?? []
        #expect(stubs.contains { $0["priority"] == 10 && $0["request"]?.compactText == "{\"method\":\"ANY\"}" })
    }

    // MARK: Failures

    @Test func noServerIsCalledIfNoneMayBe() throws {
        let target = try server()
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: {proxy: \"http://localhost:\(target.port)\"}"], ["--no-upstream"])
        let answer = try daemon.get("/a")
        #expect(answer.status == 500)
        #expect(answer.text.contains("--no-upstream"))
        #expect(target.connections == 0)
    }

    @Test func aRequestThatComesBackEnds() throws {
        let daemon = try Daemon()
        let mapping = "{\"request\": {}, \"response\": {\"proxyBaseUrl\": \"http://localhost:\(daemon.port)\"}}"
        try daemon.admin("POST", "/mappings", mapping)
        let answer = try daemon.get("/a")
        #expect(answer.status == 508)
        #expect(answer.text.hasPrefix("Stunt Double was called by itself"))
        let line = "which would send it on to itself without end"
        #expect(eventually { daemon.process.errors.contains(line) ? true : nil } == true)
    }

    @Test func aFailureIsInLogAndReport() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: \"http://localhost:1\"}"])
        #expect(try daemon.get("/a").status == 500)
        #expect(eventually { daemon.process.errors.contains("got a 500 from") ? true : nil } == true)
        let event = try daemon.admin("GET", "/requests").json?["requests"]?[0]
        #expect(event?["response"]?["status"] == 500)
        #expect(event?["response"]?["body"]?.stringValue?.hasSuffix("Connection refused") == true)
    }

    @Test func anAnswerThatBreaksOffBreaksOff() throws {
        let target = try server("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: \"http://localhost:\(target.port)\"}"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        let received = client.receiveAll()
        #expect(received.text == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        #expect(received.ending == .fin)
        #expect(eventually { daemon.process.errors.contains("is broken off") ? true : nil } == true)
    }

    // MARK: On the way

    @Test func eventsPassOneByOne() throws {
        let sent = Locked(0)
        let goOn = Locked(0)
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for index in 1...3 {
                try client.send("9\r\ndata: \(index)\n\n\r\n")
                sent.withLock { $0 = index }
                _ = eventually { goOn.withLock { $0 } >= index ? true : nil }
            }
            try client.send("0\r\n\r\n")
        }
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: \"http://localhost:\(target.port)\"}"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        for index in 1...3 {
            #expect(client.receive(until: "data: \(index)\n\n\r\n").text.hasSuffix("9\r\ndata: \(index)\n\n\r\n"))
            goOn.withLock { $0 = index }
        }
        #expect(client.receiveAll().text == "0\r\n\r\n")
    }

    @Test func aClientThatLeavesEndsTheCall() throws {
        let hasEnded = Locked(false)
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")
            let ending = client.receiveAll(within: 20_000).ending
            hasEnded.withLock { $0 = ending != .open }
        }
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: \"http://localhost:\(target.port)\"}"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = client.receive(until: "ab\r\n")
        client.close()
        #expect(eventually { hasEnded.withLock { $0 } ? true : nil } == true)
    }

    @Test func theAnswerCanNameThisServer() throws {
        let target = try RawServer { client, _ in
            let request = client.receive(until: "\r\n\r\n").text
            let host = request.components(separatedBy: "Host: ")[1].components(separatedBy: "\r\n")[0]
            let body = "{\"a\": \"http://\(host)/x\", \"b\": \"http:\\/\\/\(host)\", \"c\": \"http://\(host)0\"}"
            try client.send(
                "HTTP/1.1 302 Found\r\nLocation: http://\(host)/next\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        let base = "http://localhost:\(target.port)"
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: {to: \"\(base)\", rewriteHost: true}}"])
        let answer = try daemon.get("/a")
        let own = "http://localhost:\(daemon.port)"
        #expect(answer["location"] == own + "/next")
        let escaped = "http:\\/\\/localhost:\(daemon.port)"
        #expect(answer.text == "{\"a\": \"\(own)/x\", \"b\": \"\(escaped)\", \"c\": \"\(base)0\"}")
    }

    /// It is found wherever the pieces of the body end, and nothing else is held back.
    @Test(arguments: [1, 3, 7, 1000]) func aNameIsFoundAcrossPieces(size: Int) throws {
        let target = try RawServer { client, _ in
            let request = client.receive(until: "\r\n\r\n").text
            let host = request.components(separatedBy: "Host: ")[1].components(separatedBy: "\r\n")[0]
            let body = wire(
                "ht http http:// http://\(host)/x hhttp://\(host), http://\(host)5 http:\\/\\/\(host) http://\(host)")
            try client.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: size) {
                let piece = body[start..<min(start + size, body.count)]
                try client.send(wire(String(piece.count, radix: 16) + "\r\n") + piece + wire("\r\n"))
            }
            try client.send("0\r\n\r\n")
        }
        let base = "http://localhost:\(target.port)"
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: {to: \"\(base)\", rewriteHost: true}}"])
        let own = "localhost:\(daemon.port)"
        #expect(
            try daemon.get("/a").text
                == "ht http http:// http://\(own)/x hhttp://\(own), \(base)5 http:\\/\\/\(own) http://\(own)")
    }

    @Test(arguments: [("1.1", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"), ("1.0", "")])
    func anInformationalAnswerPasses(version: String, first: String) throws {
        let target = try server(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nKeep-Alive: 5\r\n\r\n" + Self.ok)
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {proxy: \"http://localhost:\(target.port)\"}"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/\(version)\r\nHost: x\r\nConnection: close\r\n\r\n")
        let received = client.receiveAll().text
        #expect(received == first + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
    }

    /// A stub may say another length than the body has: then the connection ends with the answer.
    @Test(arguments: [1, 2, 50]) func anotherLengthEndsTheConnection(length: Int) throws {
        let target = try server()
        let route = "GET /a: {proxy: \"http://localhost:\(target.port)\", headers: {Content-Length: \"\(length)\"}}"
        let daemon = try Daemon(files: ["a.yaml": route])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        let received = length == 2 ? client.receive(until: "\r\n\r\nok") : client.receiveAll()
        #expect(received.text == "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nok")
        #expect(received.ending == (length == 2 ? .open : .fin))
    }

    /// What a route says, and what a client gets then of a body of ten bytes.
    static let faults = [
        ("fault: {cutAfter: 4}", "abcd", false), ("fault: {cutAfter: 0}", "", false),
        ("fault: {cutAfter: 4, then: rst}", "abcd", false), ("fault: {cutAfter: headers}", "", false),
        ("fault: {cutAfter: 99}", "abcdefghij", true), ("delay: 5ms", "abcdefghij", true),
        ("fault: {bandwidth: 1KB/s}", "abcdefghij", true),
        ("fault: {stall: {after: 3, for: 5ms}}", "abcdefghij", true),
        ("fault: {slice: {size: 3, gap: 1ms}}", "abcdefghij", true),
    ]

    static let framings = [
        "Content-Length: 10\r\n\r\nabcdefghij",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n7\r\ndefghij\r\n0\r\n\r\n",
    ]

    @Test(arguments: faults, framings)
    func faultsActOnAProxiedBody(fault: (route: String, body: String, isWhole: Bool), answer: String) throws {
        let target = try server("HTTP/1.1 200 OK\r\n" + answer)
        let route = "GET /a: {proxy: \"http://localhost:\(target.port)\", \(fault.route)}"
        let daemon = try Daemon(files: ["a.yaml": route])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let body = ReceivedBody(of: client.receiveAll().bytes)
        #expect(body == ReceivedBody(wire(fault.body), isComplete: fault.isWhole))
    }

    @Test func faultsAndGatesActOnTheAnswerOfAnotherServer() throws {
        let target = try server()
        let base = "http://localhost:\(target.port)"
        let routes = """
            GET /cut: {proxy: "\(base)", fault: {cutAfter: 1}}
            GET /gate: {proxy: "\(base)", hold: g}
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /gate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let isHeld: Bool? = try eventually {
            try daemon.admin("GET", "/gates/g").json?["waiting"]?.intValue == 1 ? true : nil
        }
        #expect(isHeld == true)
        #expect(target.connections == 0)
        try daemon.admin("POST", "/gates/g/release")
        #expect(client.receiveAll().text.hasSuffix("\r\n\r\nok"))
    }
}
