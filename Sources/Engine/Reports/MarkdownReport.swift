import SDBasics
import SDStubModel

/// A report as Markdown of GitHub, for the summary of a job.
struct MarkdownReport: ReportWriter {
    let report: Report
    var text = ""

    mutating func write() {
        text += "## \(report.hasPassed ? "✅" : "❌") \(Self.escaped(report.title)): \(report.verdict)\n\n"
        if !report.hasPassed {
            text += "\(report.reasons.map { "**\(report.reasonText($0))**" }.joined(separator: ", "))\n\n"
        }
        text += "\(Self.escaped(report.countsLine))\n"
        table(
            "Nothing answered", report.unmatchedCount, report.unmatched.sum(of: \.count),
            ["Request", "Times", "Nearest stub", "Smallest change"],
            report.unmatched.map { request in
                [
                    Self.code("\(request.method) \(request.url)"), String(request.count),
                    request.meant.map { Self.code(name($0.stub)) } ?? "–", Self.escaped(request.advice),
                ]
            })
        table(
            "Could not be served", report.failedCount, report.failed.sum(of: \.count),
            ["Request", "Times", "Stub", "Reason"],
            report.failed.map { request in
                [
                    Self.code("\(request.method) \(request.url)"), String(request.count),
                    request.stub.map { Self.code(name($0)) } ?? "–", Self.escaped(request.reason),
                ]
            })
        table(
            "Could not be loaded", report.fileProblemCount, report.files.count, ["File", "Problem"],
            report.files.map { [Self.code($0.file + ($0.line.map { ":\($0)" } ?? "")), Self.escaped($0.message)] })
        table(
            "Not met", report.unmetCount, report.unmet.count, ["Expected", "What came of it"],
            report.unmet.map { [Self.code($0.stub.map(name) ?? $0.name), Self.escaped($0.text)] })
        table(
            "Faults that acted", report.faultCount, report.faults.sum(of: \.count), ["Fault", "Where", "Times"],
            report.faults.map {
                [Self.escaped($0.text), Self.escaped($0.origin(in: report.folder)), String($0.count)]
            })
        writeUnused()
        writeTimings()
    }

    private mutating func writeUnused() {
        guard report.unusedCount > 0 else { return }
        text += "\n<details><summary>Never used: \(report.unusedCount.of("stub"))</summary>\n\n"
        for stub in report.unused { text += "- \(Self.code(name(stub)))\n" }
        if report.unused.count < report.unusedCount {
            text += "- … and \(report.unusedCount - report.unused.count) more\n"
        }
        text += "\n</details>\n"
    }

    private mutating func writeTimings() {
        guard let timings = report.timings else { return }
        text += "\nTime to answer \(timings.count.of("request")): median \(timings.median.timeText), "
        text += "95 % within \(timings.p95.timeText), at most \(timings.most.timeText).\n"
    }

    // MARK: Parts

    private mutating func table(
        _ title: String, _ count: Int, _ shown: Int, _ columns: [String], _ rows: [[String]]
    ) {
        guard count > 0 else { return }
        text += "\n### \(title): \(count)\n\n"
        text += "| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---" }.joined(separator: "|"))|\n"
        for row in rows { text += "| \(row.joined(separator: " | ")) |\n" }
        if shown < count { text += "\n… and \(count - shown) more\n" }
    }

    /// A text that means nothing but itself: in a table, too.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in Printable.line(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "|", "~", "!", "@":
                result += "\\"
                result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A text as code: as an element, since no number of backquotes is safe in a table.
    private static func code(_ text: String) -> String {
        "<code>\(Markup.text(Printable.line(text)).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "&#124;").markdownProof)</code>"
    }
}

extension String {
    /// HTML of which Markdown takes nothing for its own.
    fileprivate var markdownProof: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "~", "@", ":", "!", "(", ")": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
