import SDExplaining
import SDExplanations
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// The answers to calls about near misses, in WireMock's form.
enum NearMissDocument {
    static func json(_ misses: [RequestNearMisses]) -> JSONValue {
        let rows = misses.flatMap { miss in
            let request = miss.request.json
            return miss.nearest.map { $0.json(request) }
        }
        return ["nearMisses": .array(rows)]
    }

    static func json(_ misses: [MissedRequest]) -> JSONValue {
        ["nearMisses": .array(misses.map(\.json))]
    }
}

extension NearMiss {
    /// The near miss without the scenario's state, which WireMock's Java client would reject.
    fileprivate func json(_ request: JSONValue) -> JSONValue {
        ["request": request, "stubMapping": stub.json(), "matchResult": evaluation.matchResult]
    }
}

extension MissedRequest {
    /// The request as in `near-misses/request-pattern`.
    fileprivate var json: JSONValue {
        [
            "request": LoggedRequest(event).json, "requestPattern": evaluation.pattern.json,
            "matchResult": evaluation.matchResult,
        ]
    }

    /// The request with the pattern's failed conditions, as in answers to `requests/wait` and `requests/verify`.
    func detailedJSON(_ redaction: Redaction?) -> JSONValue {
        let shown = redaction.redacted(evaluation)
        return [
            "sequence": number(event.sequence), "request": redaction.redacted(event).json,
            "requestPattern": redaction.redacted(shown.pattern.json),
            "matchResult": ["distance": evaluation.distance.jsonNumber],
            "differences": .array(shown.failing.map(\.json)),
        ]
    }
}

extension PatternEvaluation {
    /// WireMock's `MatchResult`. Only WireMock's own matchers describe differences in it.
    fileprivate var matchResult: JSONValue {
        ["subEvents": .array(notes.map(\.json)), "diffDescriptions": [], "distance": distance.jsonNumber]
    }
}
