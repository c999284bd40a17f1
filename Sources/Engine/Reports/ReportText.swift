import SDBasics
import SDStubModel

/// A report for a terminal.
struct ReportText: ReportWriter {
    let report: Report
    var text = ""

    mutating func write() {
        writeHead()
        let head = text
        let unmatched = report.unmatched.map { request in
            Self.item("\(request.method) \(request.url)", request.count)
                + Self.details(
                    (request.meant.map { nearest in
                        let several = nearest.differences.count > 1 ? nearest.differences.prefix(5) : []
                        return ["nearest: \(name(nearest.stub))"] + several.map { "- \($0)" }
                    } ?? []) + [request.advice])
        }
        let failed = report.failed.map { request in
            Self.item("\(request.method) \(request.url)", request.count)
                + Self.details((request.stub.map { ["stub: \(name($0))"] } ?? []) + [request.reason])
        }
        section("Nothing answered", report.unmatchedCount, "request", report.unmatched.sum(of: \.count), unmatched)
        section("Could not be served", report.failedCount, "request", report.failed.sum(of: \.count), failed)
        section(
            "Could not be loaded", report.fileProblemCount, "problem", report.files.count,
            report.files.map { Self.item($0.text) })
        section(
            "Not met", report.unmetCount, "expectation", report.unmet.count,
            report.unmet.map { Self.item("\($0.stub.map(name) ?? $0.name): \($0.text)") })
        section(
            "Faults that acted", report.faultCount, "time", report.faults.sum(of: \.count),
            report.faults.map { Self.item("\($0.text): \($0.origin(in: report.folder))", $0.count) })
        section(
            "Never used", report.unusedCount, "stub", report.unused.count, report.unused.map { Self.item(name($0)) })
        writeTimings()
        if report.timings == nil, text != head { text += "\n" }
        text += "\(report.verdictLine)\n"
    }

    private mutating func writeHead() {
        text += report.countsLine + "\n"
        if report.begun.count > 0 {
            let begun = report.begun
            text += "\(begun.count.of("session")) begun through it: \(begun.served.of("request")), "
            text += "\(begun.unmatched) unmatched; their verdicts are their own\n"
        }
        if !report.isRecorded { text += "There is no journal of requests: their times are not known\n" }
    }

    private mutating func writeTimings() {
        guard let timings = report.timings else { return }
        text += "\nTime to answer \(timings.count.of("request")): median \(timings.median.timeText), "
        text += "95 % within \(timings.p95.timeText), at most \(timings.most.timeText)\n"
        for slow in timings.slowest.prefix(3) where timings.most >= 10 {
            let delay = slow.delay > 0 ? ", of which \(slow.delay.timeText) are the stub's delay" : ""
            text += "  \(slow.most.timeText)\(delay): \(Printable.line("\(slow.method) \(slow.url)"))\n"
        }
        text += "\n"
    }

    // MARK: Parts

    /// - Parameters:
    ///   - shown: how many of the count the entries stand for.
    private mutating func section(_ title: String, _ count: Int, _ noun: String, _ shown: Int, _ entries: [String]) {
        guard count > 0 else { return }
        text += "\n\(title): \(count.of(noun))\n" + entries.joined()
        if shown < count { text += "  … and \(count - shown) more\n" }
    }

    private static func item(_ line: String, _ count: Int = 1) -> String {
        "  \(Printable.line(line))\(count > 1 ? " (\(count) times)" : "")\n"
    }

    private static func details(_ lines: [String]) -> String {
        lines.map { "    \(Printable.line($0))\n" }.joined()
    }
}

// MARK: - Words that several forms share

extension Report {
    /// The counts in one line.
    var countsLine: String {
        var parts = ["\(served.of("request"))", "\(unmatchedCount) unmatched"]
        if failedCount > 0 { parts.append("\(failedCount) could not be served") }
        if passedThrough > 0 { parts.append("\(passedThrough) sent on") }
        if ignored > 0 { parts.append("\(ignored) ignored") }
        parts.append("\(usedCount.of("stub")) used")
        if unusedCount > 0 { parts.append("\(unusedCount) never used") }
        return parts.joined(separator: ", ")
    }

    /// The verdict with its reasons.
    var verdictLine: String { hasPassed ? "Passed" : "Failed: " + reasons.map(reasonText).joined(separator: ", ") }

    /// A reason with its count.
    func reasonText(_ reason: FailReason) -> String {
        switch reason {
        case .unmatched: "\(unmatchedCount.of("request")) that nothing answered"
        case .unused: "\(unusedCount.of("stub")) never used"
        case .unmet: "\(unmetCount.of("expectation")) not met"
        case .fault: "faults acted \(faultCount.of("time"))"
        case .error: (failedCount + fileProblemCount).of("error")
        }
    }

    /// What is reported, such as `session login test (s7-k2f9qm)`.
    var title: String {
        guard let session else { return "Stunt Double" }
        return "session " + (name.map { "\($0) (\(session))" } ?? session)
    }
}

extension Report.FileProblem {
    /// The problem as compilers write it.
    var text: String {
        file + (line.map { ":\($0)" } ?? "") + (line == nil ? "" : column.map { ":\($0)" } ?? "") + ": \(message)"
    }
}

extension Report.ActedFault {
    var text: String { outcome.map { "\(fault) (\($0))" } ?? fault }

    /// Whose fault it is, and on what it acted.
    func origin(in folder: String?) -> String {
        let stub = stub?.text(in: folder)
        guard let source else { return stub ?? "the session" }
        return "the session's \(source)" + (stub.map { " on \($0)" } ?? "")
    }
}

extension Array {
    func sum(of count: (Element) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}

/// Texts of requests and stubs that anyone may have sent.
enum Printable {
    /// The text on one line, without what steers a terminal.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case let scalar where isControl(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Controls, and what changes the direction of a text or the place of lines.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f...0x9f, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}
