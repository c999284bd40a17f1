import SDExplanations
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel

/// The answers to `requests/wait` and `requests/verify`.
extension VerificationResult {
    /// The maximum number of requests listed per expectation.
    fileprivate static let maxRequests = 50

    /// The answer to `requests/wait`.
    func waitAnswer(of session: Session) -> JSONValue {
        guard let item = expectations.first else { return .null }
        var json: JSONObject = ["satisfied": .bool(holds)]
        guard isRecorded else {
            json["count"] = -1
            json["expected"] = .string(item.expectation.count.description)
            json["requestJournalDisabled"] = true
            return .object(json)
        }
        json["count"] = number(item.met.count)
        json["expected"] = .string(item.expectation.count.description)
        if item.isEvicted { json["evicted"] = true }
        item.addUndecided(in: &json)
        let redaction = session.redaction
        json["requests"] = .array(
            session.events(of: item.met.prefix(Self.maxRequests)).map { redaction.redacted($0).json })
        json["nearMisses"] = item.nearMisses.map { .array($0.map { $0.detailedJSON(redaction) }) }
        json["lastSequence"] = number(lastSequence)
        return .object(json)
    }

    /// The answer to `requests/verify`.
    func verifyAnswer(of session: Session) -> JSONValue {
        guard isRecorded else {
            return [
                "verified": false, "expectations": [], "order": ["ok": false, "chains": []], "unexpected": [],
                "requestJournalDisabled": true, "text": "nothing can be verified: the request journal is disabled\n",
            ]
        }
        var report = VerificationReport(session.redaction)
        let items = expectations.indices.map { self.json(forExpectation: $0, &report) }
        let order = orderJSON(&report)
        report.addUnexpected(unexpected, of: unexpectedCount)
        if let cannotTell { report.addPerhapsUnexpected(cannotTell) }
        var json: JSONObject = [
            "verified": .bool(holds), "expectations": .array(items), "order": order,
            "unexpected": .array(
                unexpected.map {
                    ["sequence": number($0.sequence), "request": session.redaction.redacted($0).json]
                }),
            "text": .string(report.text(isVerified: holds)), "lastSequence": number(lastSequence),
        ]
        json["cannotTell"] = cannotTell.map { .string($0) }
        return .object(json)
    }

    private func json(forExpectation place: Int, _ report: inout VerificationReport) -> JSONValue {
        let item = expectations[place]
        var json = JSONObject()
        json["name"] = item.expectation.name.map { .string(report.redaction.redactedURL($0)) }
        json["expected"] = .string(item.expectation.count.description)
        json["count"] = number(item.met.count)
        json["ok"] = .bool(item.isOK)
        json["sequences"] = .array(item.met.prefix(Self.maxRequests).map(number))
        if item.isEvicted { json["evicted"] = true }
        item.addUndecided(in: &json)
        report.add(item, name: name(of: place, report.redaction))
        if let misses = item.nearMisses {
            json["nearMisses"] = .array(misses.map { $0.detailedJSON(report.redaction) })
            report.add(misses)
        }
        return .object(json)
    }

    private func name(of place: Int, _ redaction: Redaction?) -> String {
        expectations[place].expectation.name.map(redaction.redactedURL) ?? "expectation \(place)"
    }

    private func orderJSON(_ report: inout VerificationReport) -> JSONValue {
        var isOK = true
        let chains = chains.map { chain -> JSONValue in
            var json: JSONObject = [
                "expectations": .array(chain.expectations.map(number)), "ok": .bool(chain.missing == nil),
                "sequences": .array(chain.reached.map { number($0.sequence) }),
            ]
            if let missing = chain.missing {
                isOK = false
                json["missing"] = number(missing)
                let redaction = report.redaction
                report.addMissing(
                    name(of: missing, redaction),
                    behind: chain.reached.last.map { (name(of: $0.place, redaction), $0.sequence) },
                    earlier: expectations[missing].met)
            }
            return .object(json)
        }
        return ["ok": .bool(isOK), "chains": .array(chains)]
    }
}

extension VerificationResult.Item {
    /// Adds the events that could not be evaluated, with the reasons.
    fileprivate func addUndecided(in json: inout JSONObject) {
        guard let cannotTell else { return }
        json["undecided"] = .array(undecided.prefix(VerificationResult.maxRequests).map(number))
        json["cannotTell"] = .string(cannotTell)
    }
}
