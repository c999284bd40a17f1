import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel

extension SessionReport {
    /// The report: `served`; `unmatched`, with the nearest stub for each request; `failed`, the requests whose stub
    /// could not be served; `unusedStubs`, without inherited ones; a `verdict`; and
    /// `passedThroughCount`, if requests were sent on because nothing matched.
    /// - Parameter redaction: the values of requests to hide.
    func json(_ redaction: Redaction?) -> JSONObject {
        var json = counted(redaction)
        if passedThrough > 0 { json["passedThroughCount"] = number(passedThrough) }
        return json
    }

    private func counted(_ redaction: Redaction?) -> JSONObject {
        [
            "served": number(served),
            "unmatchedCount": number(unmatchedCount),
            "unmatched": .array(unmatched.map { Self.unmatched($0, $1, redaction) }),
            "failedCount": number(failedCount),
            "failed": .array(failed.map { Self.failed($0, redaction) }),
            "unusedStubCount": number(unusedCount),
            "unusedStubs": .array(unused.map(Self.unused)),
            "verdict": hasPassed ? "passed" : "failed",
        ]
    }

    private static func unmatched(_ event: ServeEvent, _ nearest: NearMiss?, _ redaction: Redaction?) -> JSONValue {
        var json = request(event, redaction)
        json["nearestStub"] = nearest?.detailedJSON(redaction)
        return .object(json)
    }

    private static func failed(_ event: ServeEvent, _ redaction: Redaction?) -> JSONValue {
        var json = request(event, redaction)
        json["status"] = event.status.map { number($0) }
        json["stub"] = event.stubReference.map { .object($0.json) }
        json["reason"] = event.failure.map { .string($0) }
        return .object(json)
    }

    private static func request(_ event: ServeEvent, _ redaction: Redaction?) -> JSONObject {
        [
            "sequence": number(event.sequence),
            "request": redaction.shown(event).json,
        ]
    }

    private static func unused(_ stub: StubReference, _ request: RequestPattern) -> JSONValue {
        var json = stub.json
        json["request"] = request.json
        return .object(json)
    }
}
