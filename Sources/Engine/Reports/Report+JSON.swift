import SDBasics
public import SDJSON
import SDStubModel

extension Report {
    /// The members that a session's report has beside the requests as they came.
    public var json: JSONObject {
        var json: JSONObject = [
            "verdict": .string(verdict),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
            "counts": .object(JSONObject(FailReason.allCases.map { ($0.rawValue, number(count($0))) })),
            "unmatchedRequests": .array(unmatched.map(\.json)),
            "failedRequests": .array(failed.map(\.json)),
            "unmet": .array(unmet.map(\.json)),
            "faults": .array(faults.map(\.json)),
            "files": .array(files.map(\.json)),
            "usedStubCount": number(usedCount),
        ]
        json["timings"] = timings?.json(duration: duration) ?? ["count": 0, "durationMs": number(duration)]
        if ignored > 0 { json["ignoredCount"] = number(ignored) }
        if evicted > 0 { json["evictedCount"] = number(evicted) }
        if begun.count > 0 {
            json["begunSessions"] = .object([
                "count": number(begun.count), "served": number(begun.served), "unmatchedCount": number(begun.unmatched),
                "failedCount": number(begun.failed),
            ])
        }
        if !isRecorded { json["requestJournalDisabled"] = true }
        return json
    }
}

extension Report.Unmatched {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "count": number(count),
            "sequence": number(Int(clamping: sequence)),
        ]
        if let nearest = meant {
            var stub = nearest.stub.json
            stub["distance"] = JSONNumber(nearest.distance).map(JSONValue.number)
            json["nearestStub"] = .object(stub)
            json["differences"] = .array(nearest.differences.map(JSONValue.string))
        }
        json["smallestChange"] = nearest.map { .string($0.change) }
        return .object(json)
    }
}

extension Report.Failed {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "count": number(count),
            "sequence": number(Int(clamping: sequence)), "reason": .string(reason),
        ]
        json["stub"] = stub.map { .object($0.json) }
        return .object(json)
    }
}

extension Report.Unmet {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["kind": .string(kind.rawValue), "name": .string(name), "text": .string(text)]
        json["stub"] = stub.map { .object($0.json) }
        return .object(json)
    }
}

extension Report.ActedFault {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["fault": .string(fault), "count": number(count)]
        json["outcome"] = outcome.map { .string($0) }
        json["source"] = source.map { .string($0) }
        json["stub"] = stub.map { .object($0.json) }
        return .object(json)
    }
}

extension Report.FileProblem {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["file": .string(file), "message": .string(message)]
        json["line"] = line.map { number($0) }
        json["column"] = column.map { number($0) }
        return .object(json)
    }
}

extension Timings {
    fileprivate func json(duration: Int) -> JSONValue {
        [
            "count": number(count), "durationMs": number(duration), "minMs": Self.time(least),
            "medianMs": Self.time(median), "p95Ms": Self.time(p95), "maxMs": Self.time(most),
            "slowest": .array(
                slowest.map { slow in
                    var json: JSONObject = [
                        "method": .string(slow.method), "url": .string(slow.url), "count": number(slow.count),
                        "medianMs": Self.time(slow.median), "maxMs": Self.time(slow.most),
                        "delayMs": Self.time(slow.delay),
                    ]
                    json["stub"] = slow.stub.map { .object($0.json) }
                    return .object(json)
                }),
        ]
    }

    /// Microseconds are as exact as anyone reads it.
    private static func time(_ milliseconds: Double) -> JSONValue {
        JSONNumber((milliseconds * 1000).rounded() / 1000).map(JSONValue.number) ?? .null
    }
}

private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
