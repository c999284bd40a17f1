import SDTestSupport
import Testing

/// Numbers from a client that become a size, a time or an index: none ends the daemon or makes it write without end.
@Suite struct HostileNumberTests {
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "340282366920938463463374607431768211456", "2147483647", "-2147483648", "4294967296",
        "100000000", "-1", "0", "0.5", "1e18", "1e19", "1e308", "1e999", "-1e999", "1e-999", "NaN", "",
    ]

    /// A request with a number in place of `#`.
    struct Place: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target: String
        var headers: [String] = []
        var body: String?
        /// The path to request afterwards, so that the stored number is used.
        var then: String?

        var testDescription: String { "\(method) \(target) \(headers.joined(separator: " ")) \(body ?? "")" }

        static func header(_ text: String) -> Place { Place(target: "/none", headers: [text]) }
        static func query(_ target: String) -> Place { Place(target: "/__admin" + target) }
        static func admin(_ path: String, _ body: String, method: String = "POST", then: String? = nil) -> Place {
            Place(method: method, target: "/__admin" + path, body: body, then: then)
        }

        static func response(_ members: String) -> Place {
            let text = String(repeating: "x", count: 2_000)
            return admin(
                "/mappings", #"{"request": {"url": "/made"}, "response": {"body": "\#(text)", \#(members)}}"#,
                then: "/made")
        }

        static func matcher(_ pattern: String) -> Place {
            admin("/requests/find", #"{"bodyPatterns": [\#(pattern)]}"#)
        }
    }

    static let places: [Place] = [
        Place(target: "/date", headers: ["X-Date: #"]), .header("X-WireMock-Console-Width: #"), .header("Host: a:#"),
        .header("X-Forwarded-Port: #"),
        .header("Range: bytes=#-#"), .header("Accept-Encoding: gzip;q=#"), .header("Accept: application/json;q=#"),
        .header("Date: #"), .header("Content-Length: #"), .header("X-StuntDouble-Session: s#-abcdef"),
        .query("/requests?limit=#"), .query("/requests?after=#"), .query("/requests?since=#"),
        .query("/requests?limit=#&after=#&format=har"), .query("/mappings?limit=#&offset=#"),
        .query("/mappings?offset=#"), .query("/sessions?limit=#"), .query("/scenarios?limit=#"),
        .query("/files?limit=#"), .query("/requests/#"),
        .admin("/settings", #"{"delayDistribution": {"type": "fixed", "milliseconds": #}}"#),
        .admin("/settings", #"{"delayDistribution": {"type": "uniform", "lower": #, "upper": #}}"#),
        .admin("/settings", #"{"delayDistribution": {"type": "lognormal", "median": #, "sigma": #, "maxValue": #}}"#),
        .admin("/settings", #"{"fixedDelay": #}"#),
        .response(##""status": #"##), .response(##""headers": {"Content-Length": "#"}"##),
        .response(##""chunkedDribbleDelay": {"numberOfChunks": #, "totalDuration": 0}"##),
        .response(##""chunkedDribbleDelay": {"numberOfChunks": 0, "totalDuration": -#}"##),
        .admin("/mappings", ##"{"priority": #, "request": {"url": "/made"}}"##, then: "/made"),
        .admin("/mappings", ##"{"times": #, "request": {"url": "/made"}}"##, then: "/made"),
        .admin("/mappings", ##"{"ttl": "#s", "request": {"url": "/made"}}"##, then: "/made"),
        .admin("/mappings", ##"{"ttl": "#h", "request": {"url": "/made"}}"##, then: "/made"),
        .admin("/mappings", ##"{"request": {"url": "/made", "port": #}}"##, then: "/made"),
        .admin("/mappings", ##"{"insertionIndex": #, "request": {"url": "/made"}}"##, then: "/made"),
        .admin("/sessions", ##"{"seed": #}"##), .admin("/sessions", ##"{"ttl": "#s"}"##),
        .admin("/sessions", ##"{"ttl": #}"##),
        .admin("/requests/idle", ##"{"quietMs": #, "timeoutMs": 0}"##),
        .admin("/requests/wait", ##"{"request": {"url": "/none"}, "count": #, "timeoutMs": 0}"##),
        .admin("/requests/verify", ##"{"expectations": [{"request": {"url": "/none"}, "count": #}]}"##),
        .admin("/requests/verify", ##"{"since": #, "expectations": []}"##),
        .admin("/near-misses/request", ##"{"url": "/a", "method": "GET", "loggedDate": #, "port": #}"##),
        .admin("/explain", ##"{"url": "/a", "method": "GET", "loggedDate": #, "host": "a", "port": #}"##),
        .matcher(##"{"matchesJsonPath": "$[#]"}"##), .matcher(##"{"matchesJsonPath": "$[#:#:#]"}"##),
        .matcher(##"{"matchesJsonPath": "$[?(@.a == #)]"}"##), .matcher(##"{"equalToJson": "[#]"}"##),
        .matcher(##"{"matchesJsonSchema": "{\"minLength\": #, \"maxItems\": #}"}"##),
        .matcher(##"{"matchesJsonSchema": "{\"multipleOf\": #, \"minimum\": #}"}"##),
        .matcher(##"{"matchesXPath": "substring('abc', #, #)"}"##), .matcher(##"{"matches": "a{#,#}"}"##),
        .matcher(##"{"before": "now +# days"}"##), .matcher(##"{"before": "now", "expectedOffset": #}"##),
        .matcher(##"{"after": "#", "actualFormat": "epoch"}"##),
        .matcher(##"{"equalToDateTime": "#-01-01T00:00:00Z"}"##),
    ]

    @Test func noNumberEndsTheDaemonOrMakesItWriteWithoutEnd() throws {
        let daemon = try Daemon(files: [
            "a.yaml": """
            GET /alive: { body: yes }
            GET /date:
              when: { headers: { X-Date: { before: "now", actualFormat: epoch } } }
              body: early
            """
        ])
        for place in Self.places {
            for number in Self.numbers {
                try send(place, number, to: daemon)
            }
        }
        #expect(daemon.process.poll() == nil)
    }

    private func send(_ place: Place, _ number: String, to daemon: Daemon) throws {
        let fill = { (text: String) in
            text.split(separator: "#", omittingEmptySubsequences: false).joined(separator: number)
        }
        let label: Comment = "\(place.testDescription) with \(number)"
        let client = try RawClient(port: daemon.port)
        let body = place.body.map(fill)
        var text = "\(place.method) \(fill(place.target)) HTTP/1.1\r\nConnection: close\r\n"
        if !place.headers.contains(where: { $0.hasPrefix("Host:") }) { text += "Host: localhost\r\n" }
        for header in place.headers { text += fill(header) + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        try client.send(text + "\r\n" + (body ?? ""))
        // The body that was announced does not arrive.
        if body == nil { client.finishSending() }
        let answer = client.receiveAll(within: 20_000)
        #expect(answer.ending == .fin, label)
        #expect(answer.bytes.count < 5_000_000, label)
        if let then = place.then {
            let made = try RawClient(port: daemon.port)
            try made.send("GET \(then) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(made.receiveAll(within: 20_000).bytes.count < 200_000, label)
            try daemon.admin("DELETE", "/mappings")
        }
        if place.target == "/__admin/settings" {
            // Reset first, because the next answer would be late.
            try daemon.admin("PUT", "/settings", "{}")
        }
        #expect(try daemon.get("/__admin/health").status == 200, label)
    }
}
