import SDJSON

/// The server's verdict on expectations, and the text of a failed test.
struct Verdict {
    let expectations: [SentExpectation]
    let json: JSONValue
    let within: Duration?

    /// Why the number of requests is wrong; nil if all expectations are met.
    var countFailure: String? {
        let failures = items.compactMap { expectation, item in
            item["ok"] == true ? doubt(about: expectation, item) : failure(of: expectation, item)
        }
        return failures.isEmpty ? nil : failures.joined(separator: "\n")
    }

    /// Why the order of requests is wrong; nil if it is right.
    var orderFailure: String? {
        if let missing = countFailure { return missing }
        guard let chain = json["order"]?["chains"]?[0], chain["ok"] != true else { return nil }
        let reached = chain["sequences"]?.arrayValue ?? []
        var lines = ["the requests did not come in this order:"]
        for (place, (expectation, item)) in items.enumerated() {
            let all = item["sequences"]?.arrayValue ?? []
            let line = "\(place + 1). \(expectation.pattern.summary)"
            if place < reached.count {
                lines.append("    \(line): \(FailureText.sequences([reached[place]]))")
            } else if place == reached.count {
                let before = reached.last.map { " after " + FailureText.sequences([$0]) } ?? ""
                lines.append("    \(line): not received\(before), only \(FailureText.sequences(all))")
            } else {
                lines.append("    \(line)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private var items: [(SentExpectation, JSONValue)] {
        Array(zip(expectations, json["expectations"]?.arrayValue ?? []))
    }

    /// Why an upper bound may be violated although it seems to hold: requests that might count were removed from the
    /// journal.
    private func doubt(about expectation: SentExpectation, _ item: JSONValue) -> String? {
        guard item["evicted"] == true, expectation.count.most != nil else { return nil }
        return """
            expected \(expectation.pattern.summary) \(expectation.count.times)
            cannot tell: \(Self.evicted), see --max-request-journal-size and --max-request-journal-entries
            """
    }

    private static let evicted = "older requests are no longer in the journal"

    private func failure(of expectation: SentExpectation, _ item: JSONValue) -> String {
        let count = item["count"]?.intValue ?? 0
        let sequences = item["sequences"]?.arrayValue ?? []
        var first = "expected \(expectation.pattern.summary) \(expectation.count.times)"
        if let within, count < expectation.count.least ?? 0 { first += " within \(within)" }
        first += ", received \(count == 0 ? "none" : "\(count)")"
        if !sequences.isEmpty { first += " (\(FailureText.sequences(sequences)))" }
        var lines = [first]
        if item["evicted"] == true { lines.append(Self.evicted) }
        let cannotTell = item["cannotTell"]?.stringValue
        if let cannotTell { lines.append(cannotTell) }
        if let misses = item["nearMisses"]?.arrayValue, cannotTell == nil || !misses.isEmpty {
            lines += FailureText.nearest(misses)
        }
        return lines.joined(separator: "\n")
    }
}

extension MockServer.Count {
    /// The count as text: `exactly once`, `at least 2 times`.
    var times: String {
        switch (least, most) {
        case (0, 0): "never"
        case (1, 1): "exactly once"
        case (1, nil): "at least once"
        case (nil, 1): "at most once"
        default: "\(self) times"
        }
    }
}
