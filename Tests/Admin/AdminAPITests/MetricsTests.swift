import SDAdminAPI
import SDJSON
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

/// `GET /__admin/metrics`.
@Suite struct MetricsTests {
    private static let openMetrics = ("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")

    private func read(_ mock: TestMock, at prefix: String = "") throws -> MetricsReader {
        let answer = try Exchange(mock.port, "GET", prefix + "/__admin/metrics")
        try #require(answer.status == 200, "\(answer)")
        return try MetricsReader(answer.text)
    }

    /// Asks until it holds: the end of an answer comes after the client has it.
    private func read(_ mock: TestMock, until holds: (MetricsReader) -> Bool) throws -> MetricsReader {
        let found = try eventually(within: 60_000) { () throws -> MetricsReader? in
            let metrics = try read(mock)
            return holds(metrics) ? metrics : nil
        }
        return try found ?? read(mock)
    }

    private func requests(_ metrics: MetricsReader, _ outcome: String) -> Double? {
        metrics.value("stuntdouble_requests_total", ["outcome": outcome])
    }

    // MARK: The text

    /// The names, types and labels are a promise.
    @Test func theFamiliesAreTheseAndNoOthers() throws {
        let mock = try TestMock()
        let metrics = try read(mock)
        let found = metrics.names.map { name in
            let family = metrics.families[name]
            let labels = Set(family?.series.flatMap { $0.labels.keys } ?? []).subtracting(["le"]).sorted()
            return ([name, family?.type ?? ""] + labels).joined(separator: " ")
        }
        #expect(
            found == [
                "stuntdouble_build_info gauge version",
                "process_start_time_seconds gauge",
                "process_cpu_seconds_total counter",
                "stuntdouble_requests_total counter outcome",
                "stuntdouble_responses_total counter status",
                "stuntdouble_request_duration_seconds histogram outcome",
                "stuntdouble_requests_in_flight gauge",
                "stuntdouble_responses_aborted_total counter reason",
                "stuntdouble_faults_total counter",
                "stuntdouble_sessions gauge",
                "stuntdouble_sessions_begun_total counter",
                "stuntdouble_stubs gauge owner",
                "stuntdouble_journal_requests gauge",
                "stuntdouble_journal_bytes gauge",
                "stuntdouble_journal_evicted_requests_total counter",
                "stuntdouble_waiting_calls gauge",
                "stuntdouble_memory_bytes gauge holder",
                "stuntdouble_memory_limit_bytes gauge",
                "stuntdouble_connections gauge",
                "stuntdouble_connections_accepted_total counter",
                "stuntdouble_upstream_calls_total counter",
                "stuntdouble_upstream_failures_total counter reason",
                "stuntdouble_upstream_connections gauge state",
                "stuntdouble_webhooks_total counter result",
                "stuntdouble_webhooks_in_flight gauge",
            ])
    }

    @Test func aClientGetsTheFormThatItAccepts() throws {
        var options = AdminOptions()
        options.version = "1.2\\3\"\n4"
        let mock = try TestMock(admin: options)
        let plain = try Exchange(mock.port, "GET", "/__admin/metrics", headers: [("Accept", "text/plain")])
        #expect(plain.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(try MetricsReader(plain.text).value("stuntdouble_build_info", ["version": "1.2\\3\"\n4"]) == 1)
        let open = try Exchange(mock.port, "GET", "/__admin/metrics", headers: [Self.openMetrics])
        #expect(open.header("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        let metrics = try MetricsReader(open.text, isOpen: true)
        #expect(metrics.families["stuntdouble_requests"]?.type == "counter")
        #expect(requests(metrics, "matched") == 0)
    }

    @Test(arguments: ["\"} 1\n# TYPE evil gauge\nevil 1\n", "a\\", "ü\u{2028}\u{0}"])
    func namesOfOthersAreNowhere(name: String) throws {
        let mock = try TestMock()
        let json: JSONValue = ["name": .string(name)]
        let session = try #require(
            try mock.admin("POST", "/sessions", String(decoding: json.prettyBytes, as: UTF8.self), status: 201)["id"]?
                .stringValue)
        let stub: JSONValue = ["name": .string(name), "request": ["url": "/a%22%7D%0A"], "response": ["status": 999]]
        _ = try mock.admin("POST", "/mappings", String(decoding: stub.prettyBytes, as: UTF8.self), status: 201)
        _ = try Exchange(mock.port, "GET", "/__session/\(session)/a%22%7D%0A")
        let before = try read(mock).names
        let metrics = try read(mock) { requests($0, "matched") == 1 }
        #expect(metrics.names == before && metrics.value("stuntdouble_sessions") == 1)
        #expect(metrics.value("stuntdouble_responses_total", ["status": "other"]) == 1)
    }

    @Test func credentialsAreAskedFor() throws {
        var options = AdminOptions()
        options.token = "s3cret"
        options.basicAuth = ("ada", "pw")
        let mock = try TestMock(admin: options)
        func status(_ headers: [(String, String)]) throws -> Int {
            try Exchange(mock.port, "GET", "/__admin/metrics", headers: headers).status
        }
        #expect(try status([]) == 401)
        #expect(try status([("Authorization", "Bearer wrong")]) == 401)
        #expect(try status([("Authorization", "Bearer s3cret")]) == 200)
        #expect(try status([("Authorization", "Basic YWRhOnB3")]) == 200)
    }

    // MARK: Requests

    @Test func requestsOfAllSessionsCountAndNothingResetsThem() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"status": 201}}"#)
        try mock.add(#"{"request": {"url": "/broken"}, "response": {"bodyFileName": "gone"}}"#)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        _ = try mock.admin("POST", "/mappings", #"{"request": {"url": "/b"}}"#, status: 201)
        for path in ["/a", "/none", "/broken", "/__session/\(id)/a", "/__session/\(id)/none"] {
            _ = try Exchange(mock.port, "GET", path)
        }
        func isAll(_ metrics: MetricsReader) -> Bool {
            requests(metrics, "matched") == 2 && requests(metrics, "unmatched") == 2 && requests(metrics, "failed") == 1
        }
        let metrics = try read(mock, until: isAll)
        #expect(isAll(metrics) && requests(metrics, "passed_through") == 0)
        func responses(_ status: String) -> Double? {
            metrics.value("stuntdouble_responses_total", ["status": status])
        }
        #expect([responses("2xx"), responses("4xx"), responses("5xx"), responses("other")] == [2, 2, 1, 0])
        #expect(metrics.value("stuntdouble_request_duration_seconds_count", ["outcome": "matched"]) == 2)
        #expect(metrics.value("stuntdouble_requests_in_flight") == 0)
        #expect(metrics.value("stuntdouble_sessions") == 1)
        #expect(metrics.value("stuntdouble_stubs", ["owner": "daemon"]) == 3)
        #expect(metrics.value("stuntdouble_stubs", ["owner": "sessions"]) == 0)
        #expect(metrics.value("stuntdouble_journal_requests") == 5)
        // The same whichever session is asked.
        #expect(try isAll(read(mock, at: "/__session/\(id)")))
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        _ = try mock.admin("POST", "/reset")
        let after = try read(mock)
        #expect(isAll(after) && after.value("stuntdouble_journal_requests") == 0)
        #expect(after.value("stuntdouble_sessions") == 0 && after.value("stuntdouble_sessions_begun_total") == 1)
    }

    @Test func theDurationHoldsTheDelay() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 300}}"#)
        _ = try Exchange(mock.port, "GET", "/slow")
        let metrics = try read(mock) { requests($0, "matched") == 1 }
        func bucket(_ bound: String) -> Double? {
            metrics.value("stuntdouble_request_duration_seconds_bucket", ["outcome": "matched", "le": bound])
        }
        #expect(bucket("0.0001") == 0 && bucket("0.25") == 0 && bucket("+Inf") == 1)
        #expect(try #require(metrics.value("stuntdouble_request_duration_seconds_sum", ["outcome": "matched"])) >= 0.3)
    }

    @Test func aRequestInFlightIsNotCountedBeforeItsEnd() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let client = try RawClient(port: mock.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try mock.waitUntil(inFlight: 1)
        let during = try read(mock)
        #expect(during.value("stuntdouble_requests_in_flight") == 1 && requests(during, "matched") == 0)
        #expect(try #require(during.value("stuntdouble_connections")) >= 2)
        #expect(try #require(during.value("stuntdouble_connections_accepted_total")) >= 2)
        _ = try mock.admin("DELETE", "/in-flight")
        _ = client.receiveAll()
        let after = try read(mock) { requests($0, "matched") == 1 }
        #expect(after.value("stuntdouble_responses_aborted_total", ["reason": "cancelled"]) == 1)
        #expect(after.value("stuntdouble_requests_in_flight") == 0)
    }

    // MARK: The rest

    @Test func faultsCountByTheirKind() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/empty"}, "response": {"fault": "EMPTY_RESPONSE"}}"#)
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "0123456789"}}"#)
        _ = try mock.admin("POST", "/faults", #"[{"request": {"url": "/a"}, "cutAfter": 3}]"#, status: 201)
        _ = try mock.admin(
            "POST", "/faults", #"[{"request": {"url": "/none"}, "kind": "EMPTY_RESPONSE"}]"#, status: 201)
        for path in ["/empty", "/none", "/a", "/a"] {
            let client = try RawClient(port: mock.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = client.receiveAll()
        }
        let metrics = try read(mock) { $0.value("stuntdouble_responses_aborted_total", ["reason": "fault"]) == 4 }
        let faults = metrics.families["stuntdouble_faults_total"]?.series.map { "\($0.labels) \($0.value)" }
        #expect(faults == [#"["fault": "EMPTY_RESPONSE"] 2.0"#, #"["fault": "cutAfter"] 2.0"#])
    }

    @Test func whatAFullJournalDropsCounts() throws {
        var options = SessionOptions.unhurried
        options.journalEvents = 2
        let mock = try TestMock(session: options)
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        for path in ["/a", "/b", "/c", "/__session/\(id)/a", "/__session/\(id)/b", "/__session/\(id)/c"] {
            _ = try Exchange(mock.port, "GET", path)
        }
        func evicted(_ metrics: MetricsReader) -> Double? {
            metrics.value("stuntdouble_journal_evicted_requests_total")
        }
        let metrics = try read(mock)
        #expect(evicted(metrics) == 2 && metrics.value("stuntdouble_journal_requests") == 4)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        _ = try mock.admin("DELETE", "/requests")
        #expect(try evicted(read(mock)) == 2)
    }

    @Test func callsToOthersCount() throws {
        let mock = try TestMock()
        let target = "http://127.0.0.1:1"
        try mock.add(#"{"request": {"url": "/proxied"}, "response": {"proxyBaseUrl": "\#(target)"}}"#)
        try mock.add(
            #"{"request": {"url": "/hook"}, "serveEventListeners": [{"name": "webhook", "#
                + #""parameters": {"method": "GET", "url": "\#(target)/"}}]}"#)
        for path in ["/proxied", "/hook"] { _ = try Exchange(mock.port, "GET", path) }
        let metrics = try read(mock) { $0.value("stuntdouble_webhooks_total", ["result": "failed"]) == 1 }
        #expect(metrics.value("stuntdouble_webhooks_total", ["result": "failed"]) == 1)
        #expect(metrics.value("stuntdouble_webhooks_total", ["result": "sent"]) == 0)
        #expect(metrics.value("stuntdouble_webhooks_in_flight") == 0)
        #expect(metrics.value("stuntdouble_upstream_calls_total") == 2)
        #expect(metrics.value("stuntdouble_upstream_failures_total", ["reason": "refused_connection"]) == 2)
    }

    @Test func whatAnotherServerAnswersInPlaceOfStubsCounts() throws {
        let (mock, other) = (try TestMock(), try TestMock())
        try other.add(#"{"request": {"url": "/there"}, "response": {"status": 302}}"#)
        let url = "http://127.0.0.1:\(other.port)"
        try mock.add(#"{"request": {"url": "/proxied"}, "response": {"proxyBaseUrl": "\#(url)"}}"#)
        _ = try mock.admin("PUT", "/settings", #"{"passThrough": "\#(url)"}"#)
        for path in ["/there", "/proxied"] { _ = try Exchange(mock.port, "GET", path) }
        let metrics = try read(mock) { requests($0, "passed_through") == 1 && requests($0, "matched") == 1 }
        #expect(requests(metrics, "passed_through") == 1 && requests(metrics, "matched") == 1)
        #expect(metrics.value("stuntdouble_responses_total", ["status": "3xx"]) == 1)
        #expect(metrics.value("stuntdouble_upstream_calls_total") == 2)
        #expect(metrics.families["stuntdouble_upstream_failures_total"]?.series.allSatisfy { $0.value == 0 } == true)
    }

    @Test func theMemoryIsThatOfHealth() throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "POST", "/a", body: String(repeating: "x", count: 20_000))
        let metrics = try read(mock)
        #expect(try #require(metrics.value("stuntdouble_memory_bytes", ["holder": "journals"])) > 20_000)
        #expect(
            metrics.value("stuntdouble_journal_bytes")
                == metrics.value("stuntdouble_memory_bytes", ["holder": "journals"]))
        #expect(metrics.families["stuntdouble_memory_bytes"]?.series.count == MemoryHolder.allCases.count)
        #expect(metrics.value("stuntdouble_memory_limit_bytes") == Double(Int.max))
    }
}
