import SDBasics
import SDReports
import SDStubModel

/// A report as GitHub workflow commands: an annotation at the file and line of each entry's stub, an error if it fails
/// the verdict. Otherwise unanswered and failed requests are warnings, and findings about stubs are left out, because
/// most runs use only some.
struct GitHubReport: ReportWriter {
    let report: Report
    var text = ""

    /// The maximum number of entries; GitHub shows ten annotations of a kind per step.
    private static let most = 50

    mutating func write() {
        for problem in report.files.prefix(Self.most) {
            add(
                .error, file: problem.file, line: problem.line, column: problem.column, "Could not be loaded",
                problem.message)
        }
        for request in report.unmatched.prefix(Self.most) {
            let line = "\(request.method) \(request.url)" + (request.count > 1 ? " (\(request.count) times)" : "")
            let nearest = request.meant.map { "Nearest stub: \(name($0.stub)). " } ?? ""
            add(
                .unmatched, request.meant?.stub, "Nothing answered \(line)",
                "\(place(request.test))\(nearest)\(request.advice).")
        }
        for request in report.failed.prefix(Self.most) {
            add(
                .error, request.stub, "Could not be served: \(request.method) \(request.url)",
                place(request.test) + request.reason)
        }
        for unmet in report.unmet.prefix(Self.most) where report.failing.contains(.unmet) {
            add(.unmet, unmet.stub, "Not met: \(unmet.name)", place(unmet.test) + unmet.text)
        }
        for refusal in report.refusals.prefix(Self.most) {
            let text = refusal.text(in: report.folder) + (refusal.count > 1 ? " (\(refusal.count) times)" : "")
            let place = refusal.place ?? refusal.nearest?.stub.file.map { FileLocation(file: $0, line: nil) }
            let file = place.map { FileLocation(file: $0.file, line: nil).text(in: report.folder) }
            let isError = refusal.kind.isUnmatched && counts(.unmatched)
            add(
                isError ? "error" : "warning", file: file, line: place?.line, column: nil, "Refused",
                self.place(refusal.test) + text)
        }
        addEnds()
        for violation in report.contractViolations.prefix(Self.most) {
            add(
                .contract, file: nil, line: nil, column: nil, "Not as the contract allows: \(violation.operation)",
                "\(place(violation.test))\(violation.side): \(violation.text)")
        }
        for fault in report.faults.prefix(Self.most) where report.failing.contains(.fault) {
            add(
                .fault, fault.stub, "A fault acted: \(fault.text)",
                "\(place(fault.test))\(fault.count.of("time")), \(fault.origin(in: report.folder))")
        }
        for stub in report.unused.prefix(Self.most) where report.failing.contains(.unused) {
            add(.unused, stub, "Never used", "No request was answered by \(name(stub))")
        }
        text += "\(report.hasPassed ? "::notice" : "::error") title=Stunt Double::\(Self.message(summary))\n"
    }

    /// Adds the outcomes of webhooks and answers.
    private mutating func addEnds() {
        for webhook in report.webhooks.filter(\.isBad).prefix(Self.most) where report.failing.contains(.webhook) {
            let count = webhook.count > 1 ? " (\(webhook.count) times)" : ""
            add(.webhook, webhook.stub, "Webhook failed: \(webhook.name)\(count)", place(webhook.test) + webhook.text)
        }
        for answer in report.aborted.prefix(Self.most) where report.failing.contains(.aborted) {
            let count = answer.count > 1 ? " (\(answer.count) times)" : ""
            add(
                .aborted, answer.stub, "Broke off: \(answer.method) \(answer.url)\(count)",
                "\(place(answer.test))\(answer.reason)")
        }
        for answer in report.open.prefix(Self.most) where !(counts(.aborted) && answer.isBroken(report)) {
            let count = answer.count > 1 ? " (\(answer.count) times)" : ""
            add(
                "warning", file: answer.stub?.path(in: report.folder), line: answer.stub?.line, column: nil,
                "\(report.openTitle): \(answer.method) \(answer.url)\(count)", place(answer.test) + answer.text)
        }
        for answer in report.slow.prefix(Self.most) where report.failing.contains(.slow) {
            add(
                .slow, answer.stub, "Slow: \(answer.method) \(answer.url)",
                "\(place(answer.test))\(answer.timeText)")
        }
    }

    /// The test, as a prefix for the sentence.
    private func place(_ test: Report.Test?) -> String { test.map { "In \($0.label): " } ?? "" }

    private var summary: String { "\(report.verdictLine). \(report.countsLine)" }

    private mutating func add(_ reason: FailReason, _ stub: StubReference?, _ title: String, _ message: String) {
        add(reason, file: stub?.path(in: report.folder), line: stub?.line, column: nil, title, message)
    }

    private func counts(_ reason: FailReason) -> Bool { report.failing.contains(reason) }

    private mutating func add(
        _ reason: FailReason, file: String?, line: Int?, column: Int?, _ title: String, _ message: String
    ) {
        add(counts(reason) ? "error" : "warning", file: file, line: line, column: column, title, message)
    }

    private mutating func add(
        _ command: String, file: String?, line: Int?, column: Int?, _ title: String, _ message: String
    ) {
        var properties: [String] = []
        if let file {
            properties.append("file=\(Self.property(file))")
            if let line { properties.append("line=\(line)") }
            if let column { properties.append("col=\(column)") }
        }
        properties.append("title=\(Self.property(title))")
        text += "::\(command) \(properties.joined(separator: ","))::\(Self.message(message))\n"
    }

    /// The text of a command.
    private static func message(_ text: String) -> String { escaped(text, [:]) }

    /// The value of a property.
    private static func property(_ text: String) -> String { escaped(text, [":": "%3A", ",": "%2C"]) }

    private static func escaped(_ text: String, _ more: [Unicode.Scalar: String]) -> String {
        var result = ""
        Printable.read(text) { scalar, meaning in
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case let scalar where more[scalar] != nil: result += more[scalar] ?? ""
            case _ where meaning != .plain: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
