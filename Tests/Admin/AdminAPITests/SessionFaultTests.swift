import SDAdminAPI
import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `/__admin/faults`: faults of a session, which act on whatever is answered.
@Suite struct SessionFaultTests {
    private static let keep = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

    private func mock(_ options: SessionOptions = SessionOptions()) throws -> TestMock {
        var options = options
        options.response.chunkedEncoding = .never
        let mock = try TestMock(session: options, files: ["f.txt": "file"])
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "0123456789"}}"#)
        return mock
    }

    @Test func aFaultActsOnStubsFilesAndMissesThatItsPatternMatches() throws {
        let mock = try mock()
        let pattern = #""request": {"urlPathPattern": "/(x|f.txt|none)"}"#
        _ = try mock.admin("POST", "/faults", #"{\#(pattern), "cutAfter": 3}"#, status: 201)
        try mock.add(#"{"request": {"url": "/y"}, "response": {"body": "whole"}}"#)
        for path in ["/x", "/f.txt", "/none"] {
            let received = try mock.raw("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            let body = ReceivedBody(of: received.bytes)
            #expect(body.bytes.count == 3 && !body.isComplete && received.ending == .fin, "\(path)")
        }
        #expect(try Exchange(mock.port, "GET", "/y").text == "whole")
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 3)
    }

    @Test func aFaultIsListedRemovedAndClearedByAReset() throws {
        let mock = try mock()
        let id = "22222222-2222-4222-8222-222222222222"
        let fault = #"{"id": "\#(id)", "name": "cut", "cutAfter": "50%", "then": "rst"}"#
        _ = try mock.admin("POST", "/faults", "[\(fault), {\"delay\": \"1ms\"}]", status: 201)
        let list = try mock.admin("GET", "/faults")
        #expect(list["meta"]?["total"] == 2)
        #expect(
            try list["faults"]?[0]
                == JSONValue(
                    parsing: #"{"id": "\#(id)", "name": "cut", "cutAfter": "50%", "then": "rst", "acted": 0}"#))
        #expect(try mock.admin("GET", "/faults/\(id)")["name"] == "cut")
        #expect(try mock.raw(Self.keep).ending == .rst)
        #expect(try mock.admin("DELETE", "/faults/\(id)")["removed"] == 1)
        _ = try mock.admin("DELETE", "/faults/\(id)", status: 404)
        _ = try mock.admin("GET", "/faults/\(id)", status: 404)
        #expect(try Exchange(mock.port, "GET", "/x").text == "0123456789")
        _ = try mock.admin("POST", "/reset")
        #expect(try mock.admin("GET", "/faults")["meta"]?["total"] == 0)
        _ = try mock.admin("POST", "/faults", fault, status: 201)
        #expect(try mock.admin("DELETE", "/faults")["removed"] == 1)
    }

    @Test(arguments: [
        (#"{"cutafter": 3}"#, "/cutafter", "did you mean \"cutAfter\"?"),
        (#"[{"cutAfter": 3}, {"request": {"urll": "/"}, "cutAfter": 3}]"#, "/1/request/urll", "did you mean \"url\"?"),
        (#"{"request": {"urlPattern": "["}, "cutAfter": 3}"#, "/request", "urlPattern"),
        (#"{"cutAfter": 3, "listener": "down"}"#, "/cutAfter", "is about the port"),
        (#"{"listener": "off"}"#, "/listener", "expected one of down, acceptAndStall"),
        (#"{"refuseNext": 0}"#, "/refuseNext", "a number of connections from 1"),
        (#"{"refuseNext": 1}"#, "/", ""),
        (#"{"readSlowly": "1KB/s", "status": 500}"#, "/status", "before there is an answer"),
        (
            #"{"readSlowly": "1KB/s", "request": {"bodyPatterns": [{"equalTo": "x"}]}}"#, "/request/bodyPatterns",
            "before the body is read"
        ),
        (#"{"neverRead": true, "status": 500}"#, "/status", #""neverRead" is decided before there is an answer"#),
        (#"{"neverRead": true, "readSlowly": "1KB/s"}"#, "/readSlowly", ""),
        (#"{"neverRead": false}"#, "/", "a fault that does nothing"),
        (#"{"tls": "expird"}"#, "/tls", #"did you mean "expired"?"#),
        (#"{"tls": "self-signed"}"#, "/tls", #"did you mean "selfSigned"?"#),
        (#"{"tls": "rst"}"#, "/tls", #"did you mean "reset"?"#), (#"{"tls": true}"#, "/tls", "expected one of expired"),
        (#"{"http2": "settings"}"#, "/http2", #"did you mean "noSettings"?"#),
        (#"{"tls": "reset", "cutAfter": 1}"#, "/cutAfter", #""tls" is about the connection"#),
        (#"{"tls": "reset", "request": {}}"#, "/request", #""tls" is about the connection"#),
        (#"{"tls": "reset", "http2": "garbage"}"#, "/http2", "a fault of its own"),
        (#"{"tls": "reset", "first": {"count": 1, "perHeader": "A"}}"#, "/first/perHeader", "before there are headers"),
        (#"{"tls": "reset", "quota": {"limit": 1, "per": "1s"}}"#, "/quota", #""tls" is about the connection"#),
        (#"{"tls": "reset", "serverName": "https://a.example:8443/"}"#, "/serverName", #"did you mean "a.example"?"#),
        (#"{"tls": "reset", "serverName": "127.0.0.1"}"#, "/serverName", "reach by its address"),
        (#"{"tls": "reset", "serverName": "[::1]:8443"}"#, "/serverName", "reach by its address"),
        (#"{"tls": "reset", "serverName": "*.*.example"}"#, "/serverName", "not a server name"),
        (#"{"tls": "reset", "serverName": "a..b"}"#, "/serverName", "not a server name"),
        (#"{"serverName": "a.example", "cutAfter": 1}"#, "/serverName", #"without "tls" or "http2""#),
        (#"{"tls": "reset", "sni": "a.example"}"#, "/sni", #"did you mean "serverName"?"#),
        (#"{"request": {"url": "/"}}"#, "/", "a fault that does nothing"),
        (#"{"id": "x", "cutAfter": 1}"#, "/id", "not a UUID"), ("[]", "/", "no faults"), ("3", "/", "wrong type"),
    ])
    func aWrongFaultIsRefusedWithItsPlace(body: String, pointer: String, words: String) throws {
        let mock = try mock()
        let error = try mock.admin("POST", "/faults", body, status: 422)["errors"]?[0]
        #expect(error?["source"]?["pointer"]?.stringValue == pointer, "\(String(describing: error))")
        #expect(error?["detail"]?.stringValue?.contains(words) ?? words.isEmpty, "\(String(describing: error))")
        #expect(mock.session.faults.isEmpty)
    }

    @Test func sessionsHaveFaultsOfTheirOwn() throws {
        let mock = try mock()
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        let header = [("X-StuntDouble-Session", id)]
        let added = try Exchange(
            mock.port, "POST", "/__admin/faults", headers: header, body: #"{"first": 1, "status": 503}"#)
        #expect(added.status == 201)
        #expect(try Exchange(mock.port, "GET", "/x").status == 200)
        #expect(try Exchange(mock.port, "GET", "/x", headers: header).status == 503)
        #expect(try Exchange(mock.port, "GET", "/x", headers: header).status == 200)
    }

    @Test func aStubsFaultIsCountedByEachSessionThatInheritsIt() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/f"}, "response": {"fault": {"first": 1, "status": 503}}}"#)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        for headers in [[], [("X-StuntDouble-Session", id)]] {
            #expect(try Exchange(mock.port, "GET", "/f", headers: headers).status == 503)
            #expect(try Exchange(mock.port, "GET", "/f", headers: headers).status == 200)
        }
    }

    @Test func anEventSaysWhatActedWhereAndByWhichRule() throws {
        let mock = try mock()
        _ = try mock.admin(
            "POST", "/faults", #"{"name": "half", "corrupt": {"byte": 2}, "cutAfter": "50%"}"#, status: 201)
        _ = try mock.raw(Self.keep)
        let event = try #require(eventually(within: 5_000) { mock.session.events.first { $0.end != nil } })
        let path = "/requests/\(mock.session.eventIDs.text(event.sequence))"
        #expect(
            try mock.admin("GET", path + "?details=true")["faults"]
                == JSONValue(
                    parsing: #"[{"fault": "corrupt", "rule": "half", "at": [2]}, "#
                        + #"{"fault": "cutAfter", "rule": "half", "then": "fin", "at": [5]}]"#))
        #expect(try mock.admin("GET", path)["faults"] == nil)
    }

    // MARK: Uploads

    @Test(arguments: ["Content-Length: 400\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n190\r\n"])
    func anUploadIsReadAtTheRateOfTheFault(head: String) throws {
        let mock = try mock()
        _ = try mock.admin("POST", "/faults", #"{"request": {"method": "POST"}, "readSlowly": "4KB/s"}"#, status: 201)
        let body = String(repeating: "b", count: 400) + (head.hasPrefix("T") ? "\r\n0\r\n\r\n" : "")
        let client = try RawClient(port: mock.port)
        let clock = ContinuousClock()
        let begin = clock.now
        // Further requests on the connection are not slowed.
        try client.send("POST /x HTTP/1.1\r\nHost: a\r\n" + head + body + Self.keep)
        let answers = client.receive(until: "01234567890123456789".suffix(10).description)
        #expect(clock.now - begin >= .milliseconds(95))
        #expect(answers.text.hasPrefix("HTTP/1.1 200") || answers.text.hasPrefix("HTTP/1.1 404"))
        let event = try #require(mock.session.events.last)
        #expect(event.request.body.elementsEqual(wire(String(repeating: "b", count: 400))))
        #expect(event.faults.count == 1)
        // What does not match is read at once.
        _ = try Exchange(mock.port, "PUT", "/x", body: body)
        #expect(mock.session.events.first?.faults.isEmpty == true)
    }

    @Test func aSlowUploadIsToldAndCounted() throws {
        let mock = try mock()
        _ = try mock.admin(
            "POST", "/faults", #"{"name": "up", "request": {"urlPath": "/x"}, "readSlowly": "100KB/s"}"#, status: 201)
        _ = try Exchange(mock.port, "POST", "/x", body: "0123456789")
        // There is nothing to be read of it.
        _ = try Exchange(mock.port, "GET", "/x")
        _ = try Exchange(mock.port, "POST", "/y", body: "0123456789")
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 1)
        let told = mock.session.events.map { $0.faults.map { "\($0.name) \($0.label ?? "") \($0.then ?? "")" } }
        #expect(told.flatMap(\.self) == ["readSlowly up 100000 B/s"])
    }

    @Test(arguments: ["Content-Length: 400\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n190\r\n"])
    func anUploadThatIsNeverReadIsNotAnswered(head: String) throws {
        let mock = try mock()
        let added = try mock.admin(
            "POST", "/faults", #"{"request": {"method": "POST"}, "neverRead": true}"#, status: 201)
        let client = try RawClient(port: mock.port)
        try client.send("POST /x HTTP/1.1\r\nHost: a\r\n" + head + String(repeating: "b", count: 200))
        #expect(client.receiveUntilQuiet(milliseconds: 50) == RawClient.Received([], .open))
        // It is counted though the request never was there.
        let id = try #require(added["faults"]?[0]?["id"]?.stringValue)
        #expect(try mock.admin("GET", "/faults/\(id)")["acted"] == 1)
        #expect(mock.session.events.isEmpty)
        // What has no body is served.
        #expect(try Exchange(mock.port, "GET", "/x").status == 200)
        client.close()
        _ = try mock.admin("DELETE", "/faults")
        #expect(try Exchange(mock.port, "POST", "/x", body: "b").status == 200)
    }

    @Test func aClientThatLeavesInTheMiddleOfASlowUploadIsForgotten() throws {
        let mock = try mock()
        _ = try mock.admin("POST", "/faults", #"{"readSlowly": "10B/s"}"#, status: 201)
        for _ in 0..<20 {
            let client = try RawClient(port: mock.port)
            try client.send(
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "b", count: 5_000))
            client.close()
        }
        _ = try mock.admin("DELETE", "/faults")
        #expect(try Exchange(mock.port, "GET", "/x").status == 200)
    }

    // MARK: The port

    /// A session with its own port, and a function that makes calls of its admin API.
    private func withPort(
        _ mock: TestMock, _ body: (UInt16, (String, String, String, Int) throws -> JSONValue) throws -> Void
    ) throws {
        let session = try mock.admin("POST", "/sessions", #"{"port": 0}"#, status: 201)
        let port = UInt16(try #require(session["port"]?.intValue))
        let id = try #require(session["id"]?.stringValue)
        try body(port) { method, path, text, status in
            let headers = [("X-StuntDouble-Session", id)]
            let answer = try Exchange(mock.port, method, "/__admin" + path, headers: headers, body: text)
            #expect(answer.status == status, "\(method) \(path): \(answer)")
            return answer.json ?? .null
        }
    }

    @Test func aPortThatIsDownRefusesConnectionsUntilItIsUp() throws {
        let mock = try mock()
        try withPort(mock) { port, call in
            let open = try RawClient(port: port)
            _ = try call("POST", "/faults", #"{"listener": "down"}"#, 201)
            #expect(throws: CallFailure.self) { _ = try RawClient(port: port) }
            // Who is in stays in.
            try open.send(Self.keep)
            #expect(open.receive(until: "0123456789").text.hasPrefix("HTTP/1.1 200"))
            _ = try call("DELETE", "/faults", "", 200)
            #expect(try Exchange(port, "GET", "/x").status == 200)
            _ = try call("POST", "/faults", #"{"listener": "down"}"#, 201)
            _ = try call("POST", "/reset", "", 200)
            #expect(try Exchange(port, "GET", "/x").status == 200)
        }
    }

    /// The system refuses connections without a word: that the port is down is all that counts.
    @Test(arguments: ["down", "acceptAndStall"])
    func aFaultOfThePortHasActedOnceThePortDoesWhatItSays(listener: String) throws {
        let mock = try mock()
        try withPort(mock) { port, call in
            _ = try call("POST", "/faults", #"{"name": "f", "listener": "\#(listener)"}"#, 201)
            let faults = try call("GET", "/faults", "", 200)["faults"]
            #expect(faults?[0]?["acted"] == 1, "\(faults ?? .null)")
            _ = try call("POST", "/faults", #"{"name": "g", "delay": "1ms"}"#, 201)
            _ = try call("DELETE", "/faults", "", 200)
            let report = try call("GET", "/report?fail=fault", "", 422)
            #expect(report["counts"]?["fault"] == 1 && report["faults"]?.arrayValue?.count == 1, "\(report)")
            #expect(
                report["faults"]?[0]?["fault"] == "listener"
                    && report["faults"]?[0]?["outcome"]?.stringValue == listener)
            #expect(report["faults"]?[0]?["source"] == "f")
        }
    }

    @Test func aPortThatStallsServesItsClientsOnceItIsUp() throws {
        let mock = try mock()
        try withPort(mock) { port, call in
            _ = try call("POST", "/faults", #"{"listener": "acceptAndStall"}"#, 201)
            let client = try RawClient(port: port)
            try client.send(Self.keep)
            #expect(client.receiveUntilQuiet(milliseconds: 50) == RawClient.Received([], .open))
            _ = try call("DELETE", "/faults", "", 200)
            #expect(client.receive(until: "0123456789").text.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func theNextConnectionsAreReset() throws {
        let mock = try mock()
        try withPort(mock) { port, call in
            _ = try call("POST", "/faults", #"{"refuseNext": 2}"#, 201)
            // Other faults do not count it anew.
            for _ in 0..<2 {
                // Sending might take the reset's error, so that reading shows none.
                let client = try RawClient(port: port)
                #expect(client.receiveAll() == RawClient.Received([], .rst))
                _ = try call("POST", "/faults", #"{"delay": "1ms"}"#, 201)
            }
            #expect(try Exchange(port, "GET", "/x").status == 200)
        }
    }

    @Test func aFaultOfTLSWhereThereIsNoHTTPSIsSaidToBeVain() throws {
        func warning(_ options: AdminOptions) throws -> String? {
            let mock = try TestMock(admin: options)
            let added = try Exchange(
                mock.port, "POST", "/__admin/faults", body: #"[{"delay": "1ms"}, {"tls": "expired"}]"#)
            #expect(added.status == 201)
            return added.header("x-stuntdouble-warning")
        }
        var options = AdminOptions()
        #expect(try warning(options)?.contains("[1].tls: there is no port for HTTPS") == true)
        options.servesHTTPS = true
        #expect(try warning(options) == nil)
    }

    // MARK: Sets

    @Test func setsAreSwitchedOnAndOffForASession() throws {
        let mock = try mock()
        let faults = try SessionFault.read(json: JSONValue(parsing: #"[{"status": 503}, {"delay": "1ms"}]"#))
        mock.session.replaceFaultSets([FaultSet(name: "bad day", faults: faults)], of: "chaos.yaml")
        let listed: JSONValue = ["name": "bad day", "file": "chaos.yaml", "isOn": false]
        #expect(try mock.admin("GET", "/faults")["sets"] == .array([listed]))
        #expect(try Exchange(mock.port, "GET", "/x").status == 200)
        for _ in 0..<2 {
            #expect(try mock.admin("PUT", "/faults/sets/bad%20day")["faults"]?.arrayValue?.count == 2)
        }
        #expect(try mock.admin("GET", "/faults")["meta"]?["total"] == 2)
        #expect(try Exchange(mock.port, "GET", "/x").status == 503)
        #expect(try mock.admin("DELETE", "/faults/sets/bad%20day")["removed"] == 2)
        #expect(try Exchange(mock.port, "GET", "/x").status == 200)
        _ = try mock.admin("POST", "/faults", #"{"chaos": "bad day"}"#, status: 201)
        #expect(try Exchange(mock.port, "GET", "/x").status == 503)
        let missing = try mock.admin("PUT", "/faults/sets/none", status: 404)
        #expect(missing["errors"]?[0]?["title"] == "There is no set of faults `none`; there are bad day")
    }
}
