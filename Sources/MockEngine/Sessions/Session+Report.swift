public import JSON
import StubModel
import Synchronization

/// How a session went, for the end of a test.
extension Session {
    /// More of a kind than anybody reads.
    private static var mostReported: Int { 100 }

    /// `served`, `unmatched` with the stub that each request came nearest to, `unusedStubs` (its own; what it inherits is
    /// there for all), and a `verdict`: `passed` where every request was matched, and, if unused stubs count, every stub was
    /// used.
    public func report(unusedStubsFail: Bool) -> JSONObject {
        let stubs = stubsWithHits
        let own = state.withLock { $0.stubs.ownIDs }
        let unused = stubs.filter { $0.hits.matches == 0 && own.contains($0.stub.id) }.map(\.stub)
        let (served, unmatched) = state.withLock { ($0.served, $0.unmatched) }
        let search = NearMissSearch(stubs: visibleStubs)
        let events = events.filter { $0.matched == nil && $0.status == 404 }.reversed().prefix(Self.mostReported)
        let hasPassed = unmatched == 0 && (unused.isEmpty || !unusedStubsFail)
        return [
            "served": .number(JSONNumber(Int(clamping: served))),
            "unmatchedCount": .number(JSONNumber(Int(clamping: unmatched))),
            "unmatched": .array(events.map { Self.unmatched($0, search) }),
            "unusedStubCount": .number(JSONNumber(unused.count)),
            "unusedStubs": .array(unused.prefix(Self.mostReported).map(\.briefJSON)),
            "verdict": hasPassed ? "passed" : "failed",
        ]
    }

    private static func unmatched(_ event: ServeEvent, _ search: NearMissSearch) -> JSONValue {
        let logged = LoggedRequest(event.request)
        var json: JSONObject = [
            "sequence": .number(JSONNumber(Int(clamping: event.sequence))), "request": logged.json,
        ]
        json["nearestStub"] = search.nearest(event.request, count: 1).first.map(\.detailedJSON)
        return .object(json)
    }
}

extension CompiledStub {
    fileprivate var briefJSON: JSONValue {
        var json: JSONObject = ["id": .string(id.lowercasedString)]
        json["name"] = name.map { .string($0) }
        json["request"] = mapping.request.json
        return .object(json)
    }
}
