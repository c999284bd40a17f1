import SDExplaining
import SDExplanations
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDReportForms
import SDReports
import SDStubModel

extension SessionReport {
    /// The report: `served`; `unmatched`, with each request's nearest stub; `failed`, requests whose stub could not be
    /// served; `unusedStubs`, without inherited ones; `passedThroughCount`, if unmatched requests were proxied; the
    /// `verdict`; and the members of a `Report`.
    /// - Parameters:
    ///   - missed: unmatched requests, each with its nearest stub.
    ///   - redaction: hides values in requests.
    func json(_ missed: [(event: ServeEvent, nearest: NearMiss?)], _ redaction: Redaction?) -> JSONObject {
        // The patterns of the report's own stubs, which come first.
        let patterns = Self.fitting(unused.map { redaction.redacted($0.request).json })
        // Events of child sessions, and evicted ones, are not available here.
        var unmatchedEntries = Self.fitting(missed) { $0.event }.map { shown(unmatched: $0, $1, redaction) }
        for kind in report.unmatched where kind.test != nil || unmatched.isEmpty {
            unmatchedEntries.append(Self.shown(kind))
        }
        var failedEntries = Self.fitting(failed) { $0 }.map { shown(failed: $0, redaction) }
        for kind in report.failed where kind.test != nil || failed.isEmpty { failedEntries.append(Self.shown(kind)) }
        var json: JSONObject = [
            "served": number(report.served),
            "unmatchedCount": number(report.unmatchedCount),
            "unmatched": .array(unmatchedEntries),
            "failedCount": number(report.failedCount),
            "failed": .array(failedEntries),
            "unusedStubCount": number(report.unusedCount),
            "unusedStubs": .array(
                report.unused.enumerated().map { place, stub in
                    Self.unused(stub, place < patterns.count ? patterns[place] : nil)
                }),
        ]
        for member in report.json.members { json[member.key] = member.value }
        if report.passedThrough > 0 { json["passedThroughCount"] = number(report.passedThrough) }
        return json
    }

    /// The maximum size of bodies, and of patterns, in a report; in bytes.
    private static let maxBytes = Report.maxBytes / 2

    /// The first requests whose bodies and header lines fit together.
    private static func fitting<Entry>(_ entries: [Entry], _ event: (Entry) -> ServeEvent) -> ArraySlice<Entry> {
        var room = maxBytes
        return entries.prefix { entry in
            let request = event(entry).request
            room -= request.body.count + request.url.count + 1_000
            return room >= 0
        }
    }

    /// The first patterns that fit together.
    private static func fitting(_ patterns: [JSONValue]) -> ArraySlice<JSONValue> {
        var room = maxBytes
        return patterns.prefix { pattern in
            room -= pattern.compactBytes.count
            return room >= 0
        }
    }

    /// Requests of one kind whose events were evicted, or are in a child session's journal.
    private static func shown(_ kind: Report.Unmatched) -> JSONValue {
        var json = request(kind.method, kind.url, kind.count, kind.sequence, kind.test)
        json["nearestStub"] = kind.meant.map { .object($0.stub.json) }
        json["smallestChange"] = .string(kind.advice)
        return .object(json)
    }

    private static func shown(_ kind: Report.Failed) -> JSONValue {
        var json = request(kind.method, kind.url, kind.count, kind.sequence, kind.test)
        json["stub"] = kind.stub.map { .object($0.json) }
        json["reason"] = .string(kind.reason)
        return .object(json)
    }

    private static func request(
        _ method: String, _ url: String, _ count: Int, _ sequence: UInt64, _ test: Report.Test?
    ) -> JSONObject {
        var json: JSONObject = [
            "sequence": number(sequence), "count": number(count),
            "request": ["url": .string(url), "method": .string(method)],
        ]
        json["session"] = test.map { .string($0.id) }
        json["test"] = test.map { .string($0.label) }
        return json
    }

    private func shown(unmatched event: ServeEvent, _ nearest: NearMiss?, _ redaction: Redaction?) -> JSONValue {
        var json = Self.request(event, redaction)
        var stub = nearest?.detailedJSON(redaction).objectValue
        if let file = stub?["file"]?.stringValue { stub?["file"] = .string(report.path(of: file)) }
        json["nearestStub"] = stub.map { .object($0) }
        let change = event.request.remedy ?? nearest?.smallestChange(redaction)
        json["smallestChange"] = change.map { .string(redaction.redactedURL($0)) }
        return .object(json)
    }

    private func shown(failed event: ServeEvent, _ redaction: Redaction?) -> JSONValue {
        var json = Self.request(event, redaction)
        json["status"] = event.status.map { number($0) }
        json["stub"] = event.reportedStub.map { stub -> JSONValue in
            var json = redaction.redacted(stub).json
            json["file"] = stub.file.map { .string(report.path(of: $0)) }
            return .object(json)
        }
        json["reason"] = event.failure.map { .string(redaction.redactedURL($0)) }
        return .object(json)
    }

    private static func request(_ event: ServeEvent, _ redaction: Redaction?) -> JSONObject {
        [
            "sequence": number(event.sequence),
            "request": redaction.redacted(event).json,
        ]
    }

    private static func unused(_ stub: StubReference, _ request: JSONValue?) -> JSONValue {
        var json = stub.json
        json["request"] = request
        return .object(json)
    }
}
