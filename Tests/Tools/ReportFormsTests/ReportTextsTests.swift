import SDBasics
import SDJSON
import SDStubModel
import Testing

@testable import SDReportForms
@testable import SDReports

/// What a report says of its entries' texts: no secrets, and no more than readers take.
@Suite struct ReportTextsTests {
    /// A report whose every list has an entry, and whose texts are all the same.
    private static func report(_ text: String) -> Report {
        let stub = StubReference(id: StubMapping().id, name: text, file: "a.yaml", line: 1, key: text)
        let test = Report.Test(id: "s1-a", name: text)
        var report = ReportFormatTests.report("x")
        report.name = text
        let operation = Report.ContractCoverage.Operation(
            key: text, count: 1, statuses: [], undeclared: [], parameters: [(text, true)], violations: 1)
        report.contracts = [Report.ContractCoverage(name: text, operations: [operation])]
        report.contractViolations = [
            Report.ContractViolation(contract: text, operation: text, side: "request", text: text, count: 1)
        ]
        report.unmatched = [
            Report.Unmatched(
                method: text, url: text, count: 1, sequence: 1,
                nearest: Report.Nearest(
                    stub: stub, distance: 0.1, differences: [], change: "", conditions: []))
        ]
        report.failed = [
            Report.Failed(method: text, url: text, count: 1, sequence: 1, stub: stub, reason: text)
        ]
        report.asked = [Report.Asked(method: text, url: text, count: 1, status: 1, stub: stub, answer: text)]
        report.aborted = [Report.Aborted(method: text, url: text, count: 1, stub: stub, reason: text)]
        report.open = [
            Report.Open(method: text, url: text, count: 1, stub: stub, state: .held, gate: text)
        ]
        report.slow = [Report.Slow(method: text, url: text, stub: stub, time: 1, delay: 1)]
        report.webhooks = [Report.Webhook(method: text, url: text, stub: stub, state: .failed, text: text)]
        report.used = [Report.Used(stub: stub, count: 1)]
        report.unused = [stub]
        report.unmet = [Report.Unmet(kind: .times, name: text, text: text, stub: stub)]
        report.faults = [Report.ActedFault(fault: text, outcome: text, source: text, stub: stub, count: 1)]
        report.files = [Report.FileProblem(file: "a.yaml", line: 1, column: 1, message: text)]
        report.strays = [Report.Stray(method: text, url: text, count: 1, stub: stub, isUnmatched: false)]
        report.refusals = [Report.Refusal(.tunnel, text, text)]
        var tally = ResponseTimes()
        tally.add(1_000_000, delay: 0, by: stub.id, { stub }, { (text, text) })
        report.timings = Timings(tally)
        var whole = Report()
        whole.name = text
        whole.failOn = report.failOn
        whole.add(report, of: test, hasEnded: true)
        whole.files = report.files
        whole.strays = report.strays
        whole.refusals = report.refusals
        whole.contracts = report.contracts
        whole.contractViolations = report.contractViolations
        whole.contractViolations[0].test = test
        whole.timings = report.timings
        return whole
    }

    /// A list that is new has an entry here, or this fails; and so it is known whether its texts are hidden.
    @Test func noTextOfAnyListIsForgotten() {
        var report = Self.report("hush")
        for child in Mirror(reflecting: report).children {
            guard let list = child.value as? [Any], child.label != "failing" else { continue }
            #expect(!list.isEmpty, "\(child.label ?? "")")
        }
        var before = ""
        dump(report, to: &before)
        #expect(before.contains("hush"))
        report.hide { $0.contains("hush") ? "-" : $0 }
        var after = ""
        dump(report, to: &after)
        let left = after.split(separator: "\n").filter { $0.contains("hush") }
        #expect(left.isEmpty, "\(left)")
    }

    // MARK: Bounds

    /// A report as long as one may be.
    private static func long(_ text: String) -> Report {
        var report = report(text)
        func many<Entry>(_ path: WritableKeyPath<Report, [Entry]>, _ count: Int = 100) {
            report[keyPath: path] = Array(repeating: report[keyPath: path][0], count: count)
        }
        many(\.unmatched)
        many(\.failed)
        many(\.asked, 500)
        many(\.webhooks)
        many(\.unused)
        many(\.childSessions.sessions)
        (report.unmatchedCount, report.failedCount, report.webhookCount, report.unusedCount) = (100, 100, 100, 100)
        report.childSessions.count = 100
        return report
    }

    @Test(arguments: [ReportFormat.text, .junit, .html, .github, .markdown], ["a@b.c`", "\u{e0041}", "x"])
    func aLongReportLeavesOutEntriesAndSaysSo(format: ReportFormat, text: String) throws {
        let long = Self.long(String(repeating: text, count: 20))
        let bytes = try #require(long.rendered(as: format, most: 50_000))
        #expect(bytes.count <= 50_000 && bytes.count > 2_000)
        let rendered = String(decoding: bytes, as: UTF8.self)
        #expect(rendered.contains("more") || format == .github)
        if format == .markdown {
            #expect(rendered.contains(" left out, with which the report would be too long"))
            #expect(rendered.contains("### Nothing answered: 100"))
        }
    }

    /// GitHub refuses a summary of more than 1 MiB.
    @Test func theSummaryOfAJobIsTaken() throws {
        let long = Self.long(String(repeating: "x", count: 2_000))
        let bytes = try #require(long.rendered(as: .markdown))
        #expect(bytes.count < 1 << 20 && bytes.count > 100_000)
    }

    @Test func aShortReportIsWhole() throws {
        let report = Self.report("x")
        let text = String(decoding: try #require(report.rendered(as: .markdown)), as: UTF8.self)
        #expect(!text.contains("left out"))
        #expect(report.cutForJSON().json["entriesLeftOut"] == nil)
    }

    @Test func jsonIsBoundedAndSaysHowManyEntriesItLacks() {
        let long = Self.long(String(repeating: "x", count: 200))
        let json = long.cutForJSON(400_000).json
        let left = json["entriesLeftOut"]?.intValue ?? 0
        #expect(left > 0 && JSONValue.object(json).prettyText.utf8.count < 400_000)
        #expect(json["unmatchedRequests"]?.arrayValue?.count == 100)
    }

    /// An entry with a long text has a part of it.
    @Test func oneLongTextDoesNotCostTheEntry() throws {
        var report = Report()
        report.unusedCount = 1
        report.failOn = FailOn([.unused])
        report.unused = [
            StubReference(
                id: StubMapping().id, name: nil, file: nil, line: nil, key: String(repeating: "ü", count: 1 << 20))
        ]
        let text = String(decoding: try #require(report.rendered(as: .markdown)), as: UTF8.self)
        #expect(text.contains("<code>üüü") && text.utf8.count < 1 << 20)
    }
}
