import SDJSON
import Testing

@testable import SDTerminalView

/// Exchanges as lines of a log.
@Suite struct ExchangeLineTests {
    private func row(_ request: JSONObject, _ response: JSONValue) -> TrafficRow {
        var members: JSONObject = ["id": "x", "sequence": 7, "method": "GET", "url": "/path", "at": 1_795_944_236_842]
        for member in request.members { members[member.key] = member.value }
        var row = TrafficRow(request: .object(members)) ?? TrafficRow()
        row.end(with: response)
        return row
    }

    private var unmatched: TrafficRow {
        row(["wasMatched": false, "status": 404], ["status": 404, "end": "sent", "durationUs": 300, "bytesSent": 12])
    }

    private let near = TopExplanation(["nearMisses": [["file": "dogs.yaml", "line": 17, "key": "GET /dogs"]]])

    @Test func anUnmatchedRequestNamesTheNearestStub() {
        #expect(
            ExchangeLine.text(unmatched, near, zoneOffset: 0)
                == "09:23:56.842 404 GET /path <1ms - unmatched: nearest dogs.yaml:17")
        #expect(ExchangeLine.text(unmatched, nil, zoneOffset: 3_600) == "10:23:56.842 404 GET /path <1ms - unmatched")
    }

    @Test func aFaultIsNoStatus() {
        let row = row(
            [
                "wasMatched": true, "status": 200, "stub": ["id": "s", "file": "a.yaml", "line": 1],
                "session": ["id": "s1", "name": "login"],
            ],
            ["status": 200, "end": "faultApplied", "fault": "EMPTY_RESPONSE", "durationMs": 14, "bytesSent": 0])
        #expect(
            ExchangeLine.text(row, nil, zoneOffset: 0)
                == "09:23:56.842 none GET /path 14ms a.yaml:1 fault: EMPTY_RESPONSE, session: login")
    }

    @Test func aLineIsOneLine() {
        let row = row(["url": "/a\n\u{1b}[2J", "wasMatched": true], ["status": 200, "end": "sent"])
        #expect(ExchangeLine.text(row, nil, zoneOffset: 0) == #"09:23:56.842 200 GET /a\n\u{1b}[2J <1ms -"#)
    }

    @Test func aDocumentHasWhatIsKnown() {
        #expect(
            ExchangeLine.document(unmatched, near) == [
                "at": "2026-11-29T09:23:56.842Z", "sequence": 7, "id": "x", "method": "GET", "url": "/path",
                "outcome": "404",
                "wasMatched": false, "status": 404, "end": "sent", "bytesSent": 12, "durationUs": 300,
                "nearest": ["id": "", "key": "GET /dogs", "file": "dogs.yaml", "line": 17],
            ])
    }

    @Test(arguments: [
        (0, "<1ms"), (999, "<1ms"), (1_000, "1ms"), (14_900, "14ms"), (999_999, "999ms"), (1_240_000, "1.24s"),
        (9_999_000, "9.99s"), (12_000_000, "12s"), (64_000_000, "1m04s"), (7_500_000_000, "2h05m"),
    ])
    func durationsAreShort(microseconds: Int, text: String) {
        #expect(TrafficFormats.duration(microseconds: microseconds) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (713, "713 B"), (1_300, "1.3 kB"), (2_100_000, "2.1 MB"), (188_000, "188 kB"), (999_990, "1.0 MB"),
    ])
    func sizesAreInThousands(bytes: Int, text: String) {
        #expect(TrafficFormats.size(bytes) == text)
    }

    @Test func countsHaveCommas() {
        #expect([0, 999, 9_204, 1_234_567].map(TrafficFormats.count) == ["0", "999", "9,204", "1,234,567"])
    }

    @Test func timesOfTheAPIAreRead() {
        #expect(ISOTime.milliseconds("2026-11-29T09:23:56.842Z") == 1_795_944_236_842)
        #expect(ISOTime.milliseconds("yesterday") == nil)
    }
}
