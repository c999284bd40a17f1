import SDJSON
import Testing

@testable import SDTerminalView

/// The filter of rows.
@Suite struct TrafficFilterTests {
    private static let rows: [TrafficRow] = {
        func row(_ request: JSONValue, _ response: JSONValue? = nil) -> TrafficRow {
            var row = TrafficRow(request: request) ?? TrafficRow()
            if let response { row.end(with: response) }
            return row
        }
        let stub: JSONValue = ["id": "s1", "name": "till", "key": "GET /shop/till", "file": "shop.yaml", "line": 18]
        return [
            row(
                [
                    "id": "a", "sequence": 1, "method": "GET", "url": "/api/dogs?page=2", "at": 1_000, "status": 200,
                    "wasMatched": true, "stub": ["id": "s0", "key": "GET /api/dogs", "file": "dogs.yaml", "line": 4],
                    "protocol": "HTTP/2", "type": "application/json", "host": "localhost",
                ], ["status": 200, "end": "sent", "bytesSent": 15_000, "durationMs": 700]),
            row(
                [
                    "id": "b", "sequence": 2, "method": "POST", "url": "/health", "at": 2_000, "status": 404,
                    "wasMatched": false,
                ],
                ["status": 404, "end": "sent", "bytesSent": 900, "durationMs": 1]),
            row(
                [
                    "id": "c", "sequence": 3, "method": "GET", "url": "/shop/till", "at": 3_000, "status": 200,
                    "wasMatched": true, "stub": stub, "session": ["id": "s9", "name": "login test"],
                ],
                [
                    "status": 200, "end": "faultApplied", "fault": "CONNECTION_RESET_BY_PEER", "bytesSent": 0,
                    "durationUs": 400,
                ]),
            row([
                "id": "d", "sequence": 4, "method": "GET", "url": "/held", "at": 4_000, "wasMatched": true,
                "gate": "pay",
            ]),
            row(
                [
                    "id": "e", "sequence": 5, "method": "PUT", "url": "/broken/500", "at": 5_000, "status": 503,
                    "wasMatched": true,
                ],
                ["status": 503, "end": "sent", "failure": "no file", "bytesSent": 10, "durationMs": 22]),
        ]
    }()

    @Test(arguments: [
        ("", "abcde"), ("  ", "abcde"), ("GET", "acd"), ("get", "acd"), ("404", "b"), ("\"404\"", ""), ("4xx", "b"),
        ("status:400-499", "b"), ("status:>=500", "e"), ("status:404|503", "be"), ("status:reset", "c"),
        ("status:200", "a"),
        ("is:unmatched", "b"), ("is:failed", "e"), ("is:fault", "c"), ("is:open", "d"), ("is:held", "d"),
        ("is:slow", "a"),
        ("is:proxied", ""), ("-is:unmatched", "acde"), ("path:/api/*", "a"), ("path:dogs", "a"), ("path:page", ""),
        ("-path:/health", "acde"), ("page=2", "a"), ("TILL", "c"), ("stub:till", "c"), ("stub:dogs.yaml:4", "a"),
        ("file:shop.yaml", "c"), ("session:login", "c"), ("session:\"login test\"", "c"), ("proto:h2", "a"),
        ("type:json", "a"),
        ("host:local", "a"), ("gate:pay", "d"), ("time:>500ms", "a"), ("time:<1ms", "c"), ("time:>0.5s", "a"),
        ("size:>10kB", "a"), ("last:3s", "de"), ("GET -path:/held till", "c"), ("GET|PUT", "acde"), ("404|503", "be"),
        ("path:/a*gs|/he*", "abd"), ("is:unmatched|held", "bd"), ("method:put", "e"), ("body:rex", "abcde"),
        ("\"open quote", ""), ("session:", "abcde"), ("-", ""), ("::", ""), ("http://x", ""),
    ])
    func wordsPickRows(text: String, ids: String) {
        let filter = TrafficFilter(text)
        let around = TrafficFilter.Surroundings(now: 7_000, slow: 22_000)
        #expect(Self.rows.filter { filter.matches($0, around) }.map(\.id).joined() == ids)
    }

    @Test(arguments: [
        ("stauts:404", "no filter \"stauts\", did you mean \"status\"?"),
        ("is:unmached", "no state \"unmached\", did you mean \"unmatched\"?"),
        ("time:soon", "time: takes no \"soon\""),
        ("localhost:8080", "no filter \"localhost\""),
    ])
    func whatIsNotUnderstoodIsTextWithARemark(text: String, warning: String) {
        #expect(TrafficFilter(text).warnings == [warning])
    }

    @Test(arguments: [
        ("/a/b", "/a/*", true), ("/a/b", "*b", true), ("/a/b", "*", true), ("/a", "/a*a", false),
        ("/aba", "/a*a", true),
        ("/a/b/c", "/a/*/c", true), ("/a/b/c", "/a/*/d", false), ("/x*y", "x*y", false), ("abcabc", "a*bc*c", true),
    ])
    func starsStandForAnything(text: String, pattern: String, fits: Bool) {
        #expect(TrafficFilter.fits(text, pattern) == fits)
    }
}
