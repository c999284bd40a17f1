public import JSON
import StubModel
import Synchronization

/// A session's report for the end of a test.
extension Session {
    /// The largest number of entries of a kind in a report.
    private static var mostReported: Int { 100 }

    /// The report: `served`; `unmatched`, with the nearest stub for each request; `failed`, the requests whose stub
    /// could not be served; `unusedStubs`, without inherited ones; and a `verdict`, which is `passed` if every request
    /// was matched and served and, if unused stubs count, every stub was used.
    public func report(unusedStubsFail: Bool) -> JSONObject {
        let stubs = stubsWithHits
        let own = state.withLock { $0.stubs.ownIDs }
        let unused = stubs.filter { $0.hits.matches == 0 && own.contains($0.stub.id) }.map(\.stub)
        let (served, unmatchedCount, failedCount) = counts
        let search = NearMissSearch(stubs: visibleStubs)
        let events = Array(events.reversed())
        let unmatched = events.filter(\.isUnmatched).prefix(Self.mostReported)
        let failed = events.filter { $0.failure != nil }.prefix(Self.mostReported)
        let hasPassed = unmatchedCount == 0 && failedCount == 0 && (unused.isEmpty || !unusedStubsFail)
        return [
            "served": .number(JSONNumber(Int(clamping: served))),
            "unmatchedCount": .number(JSONNumber(Int(clamping: unmatchedCount))),
            "unmatched": .array(unmatched.map { Self.unmatched($0, search) }),
            "failedCount": .number(JSONNumber(Int(clamping: failedCount))),
            "failed": .array(failed.map(Self.failed)),
            "unusedStubCount": .number(JSONNumber(unused.count)),
            "unusedStubs": .array(unused.prefix(Self.mostReported).map(\.briefJSON)),
            "verdict": hasPassed ? "passed" : "failed",
        ]
    }

    private static func unmatched(_ event: ServeEvent, _ search: NearMissSearch) -> JSONValue {
        var json = request(event)
        json["nearestStub"] = search.nearest(event.request, count: 1).first.map(\.detailedJSON)
        return .object(json)
    }

    private static func failed(_ event: ServeEvent) -> JSONValue {
        var json = request(event)
        json["status"] = event.status.map { .number(JSONNumber($0)) }
        json["stub"] = event.stubReference.map { .object($0.json) }
        json["reason"] = event.failure.map { .string($0) }
        return .object(json)
    }

    private static func request(_ event: ServeEvent) -> JSONObject {
        [
            "sequence": .number(JSONNumber(Int(clamping: event.sequence))),
            "request": LoggedRequest(event.request).json,
        ]
    }
}

extension CompiledStub {
    fileprivate var briefJSON: JSONValue {
        var json = StubReference(self).json
        json["request"] = mapping.request.json
        return .object(json)
    }
}
