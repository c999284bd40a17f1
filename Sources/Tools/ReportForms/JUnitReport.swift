import SDBasics
import SDReports
import SDStubModel

/// A report as JUnit XML: a test suite with a case for each stub, unmatched request, failed request, and so on. What
/// fails the verdict is a failure or an error; everything else is skipped.
struct JUnitReport: ReportWriter {
    let report: Report
    var text = ""
    var cases: [Case] = []

    struct Case {
        enum Outcome {
            case passed
            case failed(kind: String, message: String, details: [String])
            /// An error of the server rather than of the client.
            case broken(kind: String, message: String, details: [String])
            case skipped(String)
        }

        let group: String
        let name: String
        var seconds = 0.0
        var file: String?
        var line: Int?
        let outcome: Outcome
        /// Further output of the case.
        var output: [String] = []
    }

    mutating func write() {
        addCases()
        writeXML()
    }

    // MARK: Cases

    private mutating func addCases() {
        if let noVerdict = report.noVerdict {
            add("run", "verdict", .broken(kind: "error", message: "there is no verdict: \(noVerdict)", details: []))
        }
        if let failure = report.commandFailure {
            add("run", "command", .failed(kind: "command", message: failure.text, details: []))
        }
        for used in report.used { add("stubs", stub: used.stub, .passed) }
        for stub in report.unused {
            add("stubs", stub: stub, outcome(.unused, "unused", "no request was answered by this stub", []))
        }
        for request in report.unmatched {
            let line = "\(request.method) \(request.url)"
            let details =
                [line + (request.count > 1 ? " (\(request.count) times)" : "")]
                + (request.meant.map { ["nearest stub: \(name($0.stub))"] + $0.differences } ?? [])
            add(
                "unmatched", named(line, request.test),
                outcome(.unmatched, "unmatched", request.advice, details + [request.advice]), request.meant?.stub)
        }
        for violation in report.contractViolations {
            add(
                "contract", named("\(violation.operation), \(violation.side): \(violation.text)", violation.test),
                outcome(.contract, "contract", violation.text, ["\(violation.count.of("time"))"]), nil)
        }
        for contract in report.contracts {
            for operation in contract.unused {
                add("contract", operation.key, .skipped("no request was for this operation of \(contract.name)"), nil)
            }
        }
        for request in report.failed {
            let outcome = Case.Outcome.broken(kind: "error", message: request.reason, details: [])
            add(
                "failed", named("\(request.method) \(request.url)", request.test),
                isCounted(.error) ? outcome : .skipped(request.reason), request.stub)
        }
        for problem in report.files {
            let outcome = Case.Outcome.broken(kind: "error", message: problem.message, details: [problem.text])
            cases.append(
                Case(
                    group: "files", name: problem.file, file: problem.file, line: problem.line,
                    outcome: isCounted(.error) ? outcome : .skipped(problem.message)))
        }
        for unmet in report.unmet {
            add("unmet", named(unmet.name, unmet.test), outcome(.unmet, "unmet", unmet.text, []), unmet.stub)
        }
        addEnds()
        for fault in report.faults {
            let message = "acted \(fault.count.of("time"))"
            let name = "\(fault.text): \(fault.origin(in: report.folder))"
            add(
                "faults", named(name, fault.test), isCounted(.fault) ? outcome(.fault, "fault", message, []) : .passed,
                fault.stub)
        }
        for stray in report.strays {
            let line = "\(stray.method) \(stray.url)"
            let message = "\(Report.straysTitle.lowercased()): \(stray.answer(in: report.folder))"
            add("without identity", line, .skipped(message), stray.stub)
        }
        for refusal in report.refusals {
            let text = refusal.text(in: report.folder)
            let outcome = outcome(.unmatched, "refused", text, [refusal.count.of("time")])
            add("refused", named(refusal.subject, refusal.test), refusal.kind.isUnmatched ? outcome : .skipped(text))
        }
        addRest()
        addSessions()
    }

    /// The name of a case, with the test in whose session it occurred.
    private func named(_ name: String, _ test: Report.Test?) -> String { test.map { "\(name) in \($0.label)" } ?? name }

    /// Cases for webhooks, and for incomplete or slow answers.
    private mutating func addEnds() {
        for webhook in report.webhooks {
            let (name, count) = (named(webhook.name, webhook.test), webhook.count.of("time"))
            add(
                "webhooks", name,
                webhook.isBad ? outcome(.webhook, "webhook", webhook.text, [webhook.text, count]) : .passed,
                webhook.stub)
        }
        for answer in report.aborted {
            add(
                "aborted", named("\(answer.method) \(answer.url)", answer.test),
                outcome(.aborted, "aborted", answer.reason, [answer.count.of("time")]), answer.stub)
        }
        // Open answers that count are among the incomplete ones.
        for answer in report.open where !answer.isBroken(report) {
            add(
                "open", named("\(answer.method) \(answer.url)", answer.test),
                .skipped("\(report.openTitle.lowercased()): \(answer.text)"), answer.stub)
        }
        for answer in report.slow {
            add(
                "slow", named("\(answer.method) \(answer.url)", answer.test),
                outcome(.slow, "slow", answer.timeText, []), answer.stub)
        }
    }

    /// A case for each test's session, with its requests. What fails the session has a case of its own, and is not
    /// counted again.
    private mutating func addSessions() {
        let asked = Dictionary(grouping: report.asked) { $0.test }
        for session in report.childSessions.sessions {
            let why = session.countsText
            cases.append(
                Case(
                    group: "sessions", name: session.test.label,
                    outcome: session.reasons.isEmpty ? .passed : .skipped(why),
                    output: (asked[session.test] ?? []).map(line)))
        }
        if report.childSessions.leftOut > 0 {
            cases.append(Case(group: "sessions", name: report.leftOutText, outcome: .passed))
        }
    }

    private func line(_ asked: Report.Asked) -> String {
        "\(asked.method) \(asked.url)\(asked.count > 1 ? " (\(asked.count) times)" : ""): \(report.answer(to: asked))"
    }

    /// A case for entries that the lists have no room for, so that every failure is included.
    private mutating func addRest() {
        let rest: [(FailReason, Int)] = [
            (.unmatched, report.unmatchedCount - report.unmatched.sum(of: \.count)),
            (.unmatched, report.misdirectedCount - report.refusals.filter(\.kind.isUnmatched).sum(of: \.count)),
            (.unused, report.unusedCount - report.unused.count),
            (.unmet, report.unmetCount - report.unmet.count),
            (.error, report.count(.error) - report.failed.sum(of: \.count) - report.files.count),
            (.webhook, report.webhookCount - report.webhooks.filter(\.isBad).sum(of: \.count)),
            (.aborted, report.abortedCount - report.aborted.sum(of: \.count)),
            (.slow, report.slowCount - report.slow.count),
        ]
        for (reason, count) in rest where count > 0 {
            add(
                reason.rawValue, "\(count) more",
                outcome(reason, reason.rawValue, "\(count) more that are not listed", []))
        }
    }

    private func isCounted(_ reason: FailReason) -> Bool { report.failing.contains(reason) }

    private func outcome(_ reason: FailReason, _ kind: String, _ message: String, _ details: [String]) -> Case.Outcome {
        isCounted(reason) ? .failed(kind: kind, message: message, details: details) : .skipped(message)
    }

    private mutating func add(_ group: String, stub: StubReference, _ outcome: Case.Outcome) {
        add(group, name(stub), outcome, stub)
    }

    private mutating func add(_ group: String, _ name: String, _ outcome: Case.Outcome, _ stub: StubReference? = nil) {
        cases.append(
            Case(group: group, name: name, file: stub?.path(in: report.folder), line: stub?.line, outcome: outcome))
    }

    // MARK: XML

    private mutating func writeXML() {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let errors = cases.count { if case .broken = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" "
            + "time=\"\((Double(report.duration) / 1000).fixed(3))\""
        text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"stuntdouble\" \(counts)>\n"
        text += "  <testsuite name=\"\(Markup.text(report.suiteName))\" \(counts)>\n    <properties>\n"
        let seen = [("served", String(report.served)), ("ignored", String(report.ignored))]
        for (name, value) in [("verdict", report.verdict)] + (report.noVerdict == nil ? seen : []) {
            text += "      <property name=\"\(name)\" value=\"\(value)\"/>\n"
        }
        text += "    </properties>\n"
        for item in cases { text += Self.xml(item) }
        // The requests outside of sessions.
        text += Self.output(report.asked.filter { $0.test == nil }.map(line), "    ")
        text += "  </testsuite>\n</testsuites>\n"
    }

    /// The lines of an output; empty without lines.
    private static func output(_ lines: [String], _ indent: String) -> String {
        guard !lines.isEmpty else { return "" }
        return "\(indent)<system-out>\(lines.map { Markup.text($0) }.joined(separator: "\n"))</system-out>\n"
    }

    private static func xml(_ item: Case) -> String {
        var text =
            "    <testcase classname=\"stuntdouble.\(item.group)\" name=\"\(Markup.text(item.name))\" time=\"0\""
        if let file = item.file { text += " file=\"\(Markup.text(file))\"" }
        if let line = item.line { text += " line=\"\(line)\"" }
        func element(_ name: String, _ kind: String, _ message: String, _ details: [String]) -> String {
            "      <\(name) type=\"\(kind)\" message=\"\(Markup.text(message))\">"
                + "\(details.map { Markup.text($0) }.joined(separator: "\n"))</\(name)>\n"
        }
        var content =
            switch item.outcome {
            case .passed: ""
            case .failed(let kind, let message, let details): element("failure", kind, message, details)
            case .broken(let kind, let message, let details): element("error", kind, message, details)
            case .skipped(let message): "      <skipped message=\"\(Markup.text(message))\"/>\n"
            }
        content += output(item.output, "      ")
        return text + (content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n")
    }
}

extension Report {
    /// The name of the test suite.
    fileprivate var suiteName: String { session.map { "stuntdouble \(name ?? $0)" } ?? "stuntdouble" }
}

extension StubReference {
    /// The path of the stub's file; nil for a stub from the admin API.
    func path(in folder: String?) -> String? {
        StubReference(id: id, name: nil, file: file, line: nil, key: key).place(in: folder)
    }
}
