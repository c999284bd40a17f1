public import JSON
import Matching
import StubModel
import Synchronization

/// The answers to `requests/wait` and `requests/verify`.
extension Verification {
    /// The largest number of requests in one answer.
    static let mostRequests = 50

    /// The answer to `requests/wait`.
    /// - Throws: if the pattern was abandoned for too many requests.
    public func waitAnswer() throws(StubRefusal) -> JSONValue {
        let findings = try findings()
        guard let expectation = expected.expectations.first else { return .null }
        var json: JSONObject = ["satisfied": .bool(findings.holds)]
        let met = findings.tally.met[0]
        guard session.keepsJournal else {
            json["satisfied"] = false
            json["count"] = -1
            json["expected"] = .string(expectation.count.description)
            json["requestJournalDisabled"] = true
            return .object(json)
        }
        json["count"] = .number(JSONNumber(met.count))
        json["expected"] = .string(expectation.count.description)
        if isEvicted(0, findings) { json["evicted"] = true }
        let requests = session.events(of: met.prefix(Self.mostRequests))
        json["requests"] = .array(requests.map(\.requestJSON))
        if met.count < expectation.count.least {
            json["nearMisses"] = .array(nearMisses(of: 0, besides: met).map(\.json))
        }
        json["lastSequence"] = number(findings.lastSequence)
        return .object(json)
    }

    /// The answer to `requests/verify`.
    /// - Throws: if a pattern was abandoned for too many requests.
    public func verifyAnswer() throws(StubRefusal) -> JSONValue {
        let findings = try findings()
        guard session.keepsJournal else {
            return [
                "verified": false, "expectations": [], "order": ["ok": false, "chains": []], "unexpected": [],
                "requestJournalDisabled": true, "text": "nothing can be verified: the request journal is disabled\n",
            ]
        }
        var report = VerificationReport()
        var expectations: [JSONValue] = []
        for place in expected.expectations.indices { expectations.append(answer(place, findings, &report)) }
        let order = order(findings, &report)
        let unexpected = unexpected(findings, &report)
        return [
            "verified": .bool(findings.holds), "expectations": .array(expectations), "order": order,
            "unexpected": unexpected, "text": .string(report.text(isVerified: findings.holds)),
            "lastSequence": number(findings.lastSequence),
        ]
    }

    // MARK: Expectations

    private func answer(_ place: Int, _ findings: Findings, _ report: inout VerificationReport) -> JSONValue {
        let expectation = expected.expectations[place]
        let met = findings.tally.met[place]
        let isOK = findings.tally.isMet(place)
        let evicted = isEvicted(place, findings)
        var json = JSONObject()
        json["name"] = expectation.name.map { .string($0) }
        json["expected"] = .string(expectation.count.description)
        json["count"] = number(met.count)
        json["ok"] = .bool(isOK)
        json["sequences"] = .array(met.prefix(Self.mostRequests).map(number))
        if evicted { json["evicted"] = true }
        report.add(expectation, name: name(of: place), met, isOK: isOK, isEvicted: evicted)
        if !isOK, met.count < expectation.count.least, report.takesNearMisses {
            let misses = nearMisses(of: place, besides: met)
            json["nearMisses"] = .array(misses.map(\.json))
            report.add(misses)
        }
        return .object(json)
    }

    private func name(of place: Int) -> String {
        expected.expectations[place].name ?? "expectation \(place)"
    }

    /// Whether events that might count were evicted before they could be matched.
    private func isEvicted(_ place: Int, _ findings: Findings) -> Bool {
        guard findings.lastEvicted > expected.since else { return false }
        let matches = session.matches(of: expected.expectations[place].pattern, patterns[place])
        // Not if all events answered by the pattern's stub were matched.
        return matches.map { $0 > findings.tally.met[place].count } ?? true
    }

    // MARK: Order and the rest

    private func order(_ findings: Findings, _ report: inout VerificationReport) -> JSONValue {
        var isOK = true
        let chains = expected.chains.map { chain -> JSONValue in
            let walk = findings.tally.walk(chain)
            var json: JSONObject = [
                "expectations": .array(chain.map(number)), "ok": .bool(walk.isWhole),
                "sequences": .array(walk.reached.map { number($0.sequence) }),
            ]
            if let missing = walk.missing {
                isOK = false
                json["missing"] = number(missing)
                report.addMissing(
                    name(of: missing), behind: walk.reached.last.map { (name(of: $0.place), $0.sequence) },
                    earlier: findings.tally.met[missing])
            }
            return .object(json)
        }
        return ["ok": .bool(isOK), "chains": .array(chains)]
    }

    private func unexpected(_ findings: Findings, _ report: inout VerificationReport) -> JSONValue {
        let sequences = findings.tally.unexpected
        let events = session.events(of: sequences.prefix(Self.mostRequests))
        report.addUnexpected(events, of: sequences.count)
        return .array(events.map { ["sequence": number($0.sequence), "request": $0.requestJSON] })
    }

    // MARK: Near misses

    /// The events nearest to an expectation that do not meet it, the nearest first.
    private func nearMisses(of place: Int, besides met: [UInt64]) -> [MissedRequest] {
        let met = Set(met)
        let events = session.events.lazy.filter { $0.sequence > self.expected.since && !met.contains($0.sequence) }
            .prefix(NearMissSearch.mostCompared)
        var nearest: [(event: ServeEvent, distance: Double)] = []
        for event in events {
            var views = RequestViews(event.request)
            let bound = nearest.count < NearMissSearch.count ? .infinity : nearest.last?.distance ?? 0
            guard let distance = patterns[place].distance(event.request, &views, below: bound) else { continue }
            nearest.insert((event, distance), at: nearest.firstIndex { $0.distance > distance } ?? nearest.count)
            if nearest.count > NearMissSearch.count { nearest.removeLast() }
        }
        let pattern = expected.expectations[place].pattern
        return nearest.map {
            var views = RequestViews($0.event.request)
            return MissedRequest(event: $0.event, pattern: pattern, patterns[place].evaluate($0.event.request, &views))
        }
    }
}

/// A request that nearly met an expectation.
struct MissedRequest {
    let event: ServeEvent
    let pattern: RequestPattern
    let evaluation: PatternEvaluation

    init(event: ServeEvent, pattern: RequestPattern, _ evaluation: PatternEvaluation) {
        self.event = event
        self.pattern = pattern
        self.evaluation = evaluation
    }

    /// The request as in `near-misses/request-pattern`, with the failed conditions of the pattern.
    var json: JSONValue {
        [
            "sequence": number(event.sequence), "request": event.requestJSON, "requestPattern": pattern.json,
            "matchResult": ["distance": evaluation.distance.jsonNumber],
            "differences": .array(failed.map { $0.json(pattern) }),
        ]
    }

    var failed: [PatternEvaluation.Condition] { evaluation.conditions.filter { !$0.passes } }
}

extension Session {
    /// The kept events with these sequences.
    func events(of sequences: some Sequence<UInt64>) -> [ServeEvent] {
        let sequences = Array(sequences)
        return state.withLock { state in sequences.compactMap { state.journal.event($0) } }
    }
}

func number(_ value: UInt64) -> JSONValue { .number(JSONNumber(Int(clamping: value))) }
func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
