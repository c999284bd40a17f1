import SDBasics
public import SDJSON
public import SDReports
import SDStubModel

extension Report {
    /// The members of a session's report besides the raw requests.
    public var json: JSONObject {
        if let noVerdict {
            return [
                "verdict": .string(verdict), "reasons": .array(reasons.map { .string($0.rawValue) }),
                "noVerdict": .string(noVerdict), "files": .array(files.map(\.json)),
            ]
        }
        var json: JSONObject = [
            "verdict": .string(verdict),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
            "counts": .object(
                JSONObject(
                    FailReason.allCases.filter {
                        ($0 != .slow || failOn.slowLimit != nil) && ($0 != .contract || !contracts.isEmpty)
                    }.map {
                        ($0.rawValue, number(count($0)))
                    })),
            "requests": .array(asked.map { $0.json(in: folder) }),
            "aborted": .array(aborted.map(\.json)),
            "open": .array(open.map { $0.json(self) }),
            "openCount": number(openCount),
            "webhooks": .array(webhooks.map(\.json)),
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
        if askedLeft > 0 { json["requestsLeftOut"] = number(askedLeft) }
        if let limit = failOn.slowLimit {
            json["slow"] = .array(slow.map(\.json))
            json["slowLimitMs"] = number(limit)
        }
        if !contracts.isEmpty {
            json["contracts"] = .array(contracts.map(\.json))
            json["contractViolations"] = .array(contractViolations.map(\.json))
        }
        if childSessions.count > 0 { json["begunSessions"] = childSessions.json }
        json["commandFailure"] = commandFailure.map { .string($0.text) }
        if wasReset { json["begunAnew"] = true }
        if entriesLeftOut > 0 { json["entriesLeftOut"] = number(entriesLeftOut) }
        if !isRecorded { json["requestJournalDisabled"] = true }
        for member in jsonAround.members { json[member.key] = member.value }
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
        if remedy != nil || nearest != nil { json["smallestChange"] = .string(advice) }
        json.add(test)
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
        json.add(test)
        return .object(json)
    }
}

extension Report.Unmet {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["kind": .string(kind.rawValue), "name": .string(name), "text": .string(text)]
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension Report.ActedFault {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["fault": .string(fault), "count": number(count)]
        json["outcome"] = outcome.map { .string($0) }
        json["source"] = source.map { .string($0) }
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension Report.FileProblem {
    /// Parses a problem as written by `json`; nil for anything else.
    package init?(json: JSONValue) {
        guard let file = json["file"]?.stringValue, let message = json["message"]?.stringValue else { return nil }
        self.init(
            file: file, line: json["line"]?.intValue, column: json["column"]?.intValue, message: message)
    }

    package var json: JSONValue {
        var json: JSONObject = ["file": .string(file), "message": .string(message)]
        json["line"] = line.map { number($0) }
        json["column"] = column.map { number($0) }
        return .object(json)
    }
}

extension Report.Asked {
    fileprivate func json(in folder: String?) -> JSONValue {
        var json: JSONObject = ["method": .string(method), "url": .string(url), "count": number(count)]
        json["status"] = status.map { number($0) }
        json["stub"] = stub.map { .object($0.json) }
        json["answer"] = (rule?.text(in: folder) ?? answer).map { .string($0) }
        if isOpen { json["open"] = true }
        json["ending"] = ending.map { .string($0) }
        json.add(test)
        return .object(json)
    }
}

extension Report.Aborted {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "count": number(count), "reason": .string(reason),
        ]
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension Report.Open {
    fileprivate func json(_ report: Report) -> JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "count": number(count), "state": .string(state.rawValue),
            "text": .string("\(report.openTitle.lowercased()): \(text)"),
        ]
        json["gate"] = gate.map { .string($0) }
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension Report.Slow {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "timeMs": Timings.time(time),
            "delayMs": Timings.time(delay),
        ]
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension Report.Webhook {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "state": .string(state.rawValue), "text": .string(text),
            "count": number(count),
        ]
        json["stub"] = stub.map { .object($0.json) }
        json.add(test)
        return .object(json)
    }
}

extension ChildSessions {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "count": number(count), "served": number(served), "unmatchedCount": number(unmatched),
            "failedCount": number(failed), "sessions": .array(sessions.map(\.json)),
        ]
        if leftOut > 0 { json["leftOutCount"] = number(leftOut) }
        return .object(json)
    }
}

extension ChildSessions.Session {
    fileprivate var json: JSONValue {
        [
            "id": .string(test.id), "name": test.name.map { .string($0) } ?? .null, "ended": .bool(hasEnded),
            "served": number(served), "unmatchedCount": number(unmatched),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
        ]
    }
}

extension JSONObject {
    /// Adds the session of an entry.
    mutating func add(_ test: Report.Test?) {
        guard let test else { return }
        self["session"] = .string(test.id)
        self["test"] = .string(test.label)
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

    /// Rounded to microseconds.
    fileprivate static func time(_ milliseconds: Double) -> JSONValue {
        JSONNumber((milliseconds * 1000).rounded() / 1000).map(JSONValue.number) ?? .null
    }
}

private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
