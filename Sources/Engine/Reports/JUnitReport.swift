import SDBasics
import SDStubModel

/// A report as JUnit's XML: a test suite with a case for each stub, request that nothing answered, request that could
/// not be served, and so on. What fails the verdict is a failure or an error, all else a case that is skipped.
struct JUnitReport: ReportWriter {
    let report: Report
    var text = ""
    var cases: [Case] = []

    struct Case {
        enum Outcome {
            case passed
            case failed(kind: String, message: String, details: [String])
            /// An error of the server rather than a failure of who asked.
            case broken(kind: String, message: String, details: [String])
            case skipped(String)
        }

        let group: String
        let name: String
        var seconds = 0.0
        var file: String?
        var line: Int?
        let outcome: Outcome
    }

    mutating func write() {
        addCases()
        writeXML()
    }

    // MARK: Cases

    private mutating func addCases() {
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
                "unmatched", line, outcome(.unmatched, "unmatched", request.advice, details + [request.advice]),
                request.meant?.stub)
        }
        for request in report.failed {
            let outcome = Case.Outcome.broken(kind: "error", message: request.reason, details: [])
            add(
                "failed", "\(request.method) \(request.url)",
                isCounted(.error) ? outcome : .skipped(request.reason), request.stub)
        }
        for problem in report.files {
            let outcome = Case.Outcome.broken(kind: "error", message: problem.message, details: [problem.text])
            cases.append(
                Case(
                    group: "files", name: problem.file, file: problem.file, line: problem.line,
                    outcome: isCounted(.error) ? outcome : .skipped(problem.message)))
        }
        for unmet in report.unmet { add("unmet", unmet.name, outcome(.unmet, "unmet", unmet.text, []), unmet.stub) }
        for fault in report.faults {
            let message = "acted \(fault.count.of("time"))"
            let name = "\(fault.text): \(fault.origin(in: report.folder))"
            add("faults", name, isCounted(.fault) ? outcome(.fault, "fault", message, []) : .passed, fault.stub)
        }
        addRest()
    }

    /// A case for what the lists have no room for, so that nothing that fails the verdict is missing.
    private mutating func addRest() {
        let rest: [(FailReason, Int)] = [
            (.unmatched, report.unmatchedCount - report.unmatched.sum(of: \.count)),
            (.unused, report.unusedCount - report.unused.count),
            (.unmet, report.unmetCount - report.unmet.count),
            (.error, report.count(.error) - report.failed.sum(of: \.count) - report.files.count),
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
        for (name, value) in [
            ("verdict", report.verdict), ("served", String(report.served)), ("ignored", String(report.ignored)),
        ] {
            text += "      <property name=\"\(name)\" value=\"\(value)\"/>\n"
        }
        text += "    </properties>\n"
        for item in cases { text += Self.xml(item) }
        text += "  </testsuite>\n</testsuites>\n"
    }

    private static func xml(_ item: Case) -> String {
        var text =
            "    <testcase classname=\"stuntdouble.\(item.group)\" name=\"\(Markup.text(item.name))\" time=\"0\""
        if let file = item.file { text += " file=\"\(Markup.text(file))\"" }
        if let line = item.line { text += " line=\"\(line)\"" }
        func element(_ name: String, _ kind: String, _ message: String, _ details: [String]) -> String {
            ">\n      <\(name) type=\"\(kind)\" message=\"\(Markup.text(message))\">"
                + "\(details.map { Markup.text($0) }.joined(separator: "\n"))</\(name)>\n    </testcase>\n"
        }
        switch item.outcome {
        case .passed: return text + "/>\n"
        case .failed(let kind, let message, let details): return text + element("failure", kind, message, details)
        case .broken(let kind, let message, let details): return text + element("error", kind, message, details)
        case .skipped(let message):
            return text + ">\n      <skipped message=\"\(Markup.text(message))\"/>\n    </testcase>\n"
        }
    }
}

extension Report {
    /// The name of the test suite.
    fileprivate var suiteName: String { session.map { "stuntdouble \(name ?? $0)" } ?? "stuntdouble" }
}

extension StubReference {
    /// The path of the stub's file; nil for a stub of the admin API.
    func path(in folder: String?) -> String? {
        StubReference(id: id, name: nil, file: file, line: nil, key: key).place(in: folder)
    }
}
