import SDBasics
public import SDJSON

/// Exchanges as log lines, for output that is not a terminal.
public enum ExchangeLine {
    /// `09:23:56.842 404 GET /path <1ms - unmatched: nearest dogs.yaml:17`.
    public static func text(_ row: TrafficRow, _ explanation: TopExplanation?, zoneOffset: Int) -> String {
        var parts = [
            TrafficFormats.time(row.at, offset: zoneOffset), row.outcome, row.method, row.url,
            row.ending.map { TrafficFormats.duration(microseconds: $0.microseconds) } ?? "-",
            row.isUnmatched ? "-" : row.stub?.label ?? "-",
        ]
        var notes: [String] = []
        if row.isUnmatched { notes.append("unmatched" + (explanation?.hint.map { ": " + $0 } ?? "")) }
        if let failure = row.ending?.failure { notes.append("failed: " + failure) }
        if row.isFault, let fault = row.faults.last { notes.append("fault: " + fault) }
        if let session = row.session { notes.append("session: " + session.label) }
        if !notes.isEmpty { parts.append(notes.joined(separator: ", ")) }
        return CellText.clean(parts.joined(separator: " "))
    }

    /// The exchange as a JSON document.
    public static func document(_ row: TrafficRow, _ explanation: TopExplanation?) -> JSONValue {
        var members: JSONObject = [
            "at": .string(ISOTime.text(row.at)), "sequence": .number(JSONNumber(row.sequence)), "id": .string(row.id),
            "method": .string(row.method), "url": .string(row.url), "outcome": .string(row.outcome),
            "wasMatched": .bool(row.wasMatched),
        ]
        members["status"] = row.status.map { .number(JSONNumber($0)) }
        if let ending = row.ending {
            members["end"] = .string(ending.end)
            members["failure"] = ending.failure.map { .string($0) }
            members["bytesSent"] = .number(JSONNumber(ending.bytesSent))
            members["durationUs"] = .number(JSONNumber(ending.microseconds))
        }
        if !row.faults.isEmpty { members["faults"] = .array(row.faults.map { .string($0) }) }
        members["stub"] = row.stub.map(document)
        if let session = row.session {
            var named: JSONObject = ["id": .string(session.id)]
            named["name"] = session.name.map { .string($0) }
            members["session"] = .object(named)
        }
        members["nearest"] = (explanation?.nearest.first?.stub).map(document)
        return .object(members)
    }

    private static func document(_ stub: TrafficRow.Stub) -> JSONValue {
        var members: JSONObject = ["id": .string(stub.id)]
        members["name"] = stub.name.map { .string($0) }
        members["key"] = stub.key.map { .string($0) }
        members["file"] = stub.file.map { .string($0) }
        members["line"] = stub.line.map { .number(JSONNumber($0)) }
        return .object(members)
    }

    /// A summary of what a daemon has seen, in a few lines.
    public static func summary(_ overview: TopOverview, url: String, now: Int) -> String {
        var lines = [
            "stuntdouble \(overview.version)  \(url)"
                + (overview.startedAt.map { "  up " + TrafficFormats.age(seconds: (now - $0) / 1_000) } ?? ""),
            "\(overview.stubs.count.of("stub")), \(overview.stubs.count { $0.hits == 0 }) never asked for; "
                + overview.sessions.count.of("session"),
            "\(overview.allRequests.of("request")), \(overview.allUnmatched) unmatched, \(overview.allFailed) failed, "
                + "\(overview.heldCount) held",
        ]
        let used = overview.stubs.filter { $0.hits > 0 }.sorted { $0.hits > $1.hits }.prefix(10)
        let width = String(used.first?.hits ?? 0).utf8.count
        for count in used {
            let hits = String(count.hits)
            let text = [count.stub.key, count.stub.name.map { "\"\($0)\"" }, count.stub.place].compactMap(\.self)
            lines.append(
                CellText.clean(
                    "  " + String(repeating: " ", count: width - hits.utf8.count) + "\(hits)  "
                        + text.joined(separator: "  ")))
        }
        for one in overview.unanswered {
            var text = "  unmatched: \(one.row.method) \(one.row.url)"
            if let hint = one.explanation?.hint { text += "  \(hint)" }
            if let session = one.row.session { text += "  session: \(session.label)" }
            lines.append(CellText.clean(text))
        }
        let left = overview.allUnmatched - overview.unanswered.count
        if left > 0, !overview.unanswered.isEmpty { lines.append("  and \(left) unmatched before them") }
        for held in overview.held.prefix(10) {
            let age = TrafficFormats.age(seconds: (now - held.since) / 1_000)
            lines.append(CellText.clean("  held \(age) at \(held.gate): \(held.method) \(held.url)"))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary as a document.
    public static func document(_ overview: TopOverview, url: String, now: Int) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
        let stubs = overview.stubs.map { count -> JSONValue in
            var members = document(count.stub).objectValue ?? [:]
            members["matches"] = number(count.hits)
            return .object(members)
        }
        let sessions = overview.sessions.map { count -> JSONValue in
            var members: JSONObject = ["id": .string(count.session.id)]
            members["name"] = count.session.name.map { .string($0) }
            members["served"] = number(count.served)
            members["unmatched"] = number(count.unmatched)
            members["failed"] = number(count.failed)
            return .object(members)
        }
        return [
            "url": .string(url), "version": .string(overview.version),
            "uptimeMs": overview.startedAt.map { number(now - $0) } ?? .null,
            "requests": number(overview.allRequests), "unmatched": number(overview.allUnmatched),
            "failed": number(overview.allFailed), "held": number(overview.heldCount), "stubs": .array(stubs),
            "sessions": .array(sessions),
            "unmatchedRequests": .array(overview.unanswered.map { document($0.row, $0.explanation) }),
        ]
    }
}
