import SDBasics
import SDReports
import SDStubModel

/// A report as GitHub Markdown, for a job's summary.
struct MarkdownReport: ReportWriter {
    let report: Report
    var text = ""

    mutating func write() {
        text +=
            "## \(report.hasPassed ? "✅" : "❌") \(Self.escaped(report.title)): \(report.verdict)\n\n"
        if !report.hasPassed {
            text += "\(report.reasonsText.map { "**\($0)**" }.joined(separator: ", "))\n\n"
        }
        text += "\(Self.escaped(report.countsLine))\n"
        if report.childSessions.count > 0 { text += "\n\(Self.escaped(report.childSessionsLine))\n" }
        table(
            "Nothing answered", report.unmatchedCount, report.unmatched.sum(of: \.count),
            ["Request", "Times", "Nearest stub", "Smallest change"],
            report.unmatched.map { request in
                [
                    Self.request(request.method, request.url, request.test), String(request.count),
                    request.meant.map { Self.code(name($0.stub)) } ?? "–", Self.escaped(request.advice),
                ]
            })
        table(
            "Could not be served", report.failedCount, report.failed.sum(of: \.count),
            ["Request", "Times", "Stub", "Reason"],
            report.failed.map { request in
                [
                    Self.request(request.method, request.url, request.test), String(request.count),
                    request.stub.map { Self.code(name($0)) } ?? "–", Self.escaped(request.reason),
                ]
            })
        table(
            "Could not be loaded", report.fileProblemCount, report.files.count, ["File", "Problem"],
            report.files.map { [Self.code($0.place), Self.escaped($0.message)] })
        table(
            "Not met", report.unmetCount, report.unmet.count, ["Expected", "What came of it"],
            report.unmet.map { [Self.code($0.stub.map(name) ?? $0.name) + Self.place($0.test), Self.escaped($0.text)] })
        writeEnds()
        table(
            "Faults that acted", report.faultCount, report.faults.sum(of: \.count), ["Fault", "Where", "Times"],
            report.faults.map {
                [
                    Self.escaped($0.text), Self.escaped($0.origin(in: report.folder)) + Self.place($0.test),
                    String($0.count),
                ]
            })
        table(
            Report.straysTitle, report.strayCount, report.strays.sum(of: \.count), ["Request", "Times", "Answer"],
            report.strays.map {
                [
                    Self.code("\($0.method) \($0.url)"), String($0.count),
                    Self.escaped($0.answer(in: report.folder)),
                ]
            })
        table(
            Report.refusalsTitle, report.refusedCount, report.refusals.sum(of: \.count), ["What", "Times"],
            report.refusals.map {
                [Self.escaped($0.text(in: report.folder)) + Self.place($0.test), String($0.count)]
            })
        writeContracts()
        writeUnused()
        writeAsked()
        writeTimings()
        if let cut = report.cutText { text += "\n\(cut)\n" }
    }

    /// The outcomes of webhooks and answers.
    private mutating func writeEnds() {
        let webhooks = report.webhooks.filter(\.isBad)
        table(
            "Webhooks that failed", report.webhookCount, webhooks.sum(of: \.count),
            ["Webhook", "Times", "Stub", "What came of it"],
            webhooks.map { webhook in
                [
                    Self.code(webhook.name) + Self.place(webhook.test), String(webhook.count),
                    webhook.stub.map { Self.code(name($0)) } ?? "–", Self.escaped(webhook.text),
                ]
            })
        table(
            "Broke off", report.abortedCount, report.aborted.sum(of: \.count), ["Request", "Times", "Stub", "Reason"],
            report.aborted.map { answer in
                [
                    Self.request(answer.method, answer.url, answer.test), String(answer.count),
                    answer.stub.map { Self.code(name($0)) } ?? "–", Self.escaped(answer.reason),
                ]
            })
        table(
            report.openTitle, report.openCount, report.open.sum(of: \.count), ["Request", "Times", "Stub", "State"],
            report.open.map { answer in
                [
                    Self.request(answer.method, answer.url, answer.test), String(answer.count),
                    answer.stub.map { Self.code(name($0)) } ?? "–", Self.escaped(answer.text),
                ]
            })
        table(
            "Slow", report.slowCount, report.slow.count, ["Request", "Stub", "Time"],
            report.slow.map { answer in
                [
                    Self.request(answer.method, answer.url, answer.test),
                    answer.stub.map { Self.code(name($0)) } ?? "–",
                    Self.escaped(answer.timeText),
                ]
            })
    }

    /// The requests and what answered them.
    private mutating func writeAsked() {
        guard !report.asked.isEmpty || report.childSessions.count > 0 else { return }
        let tests = report.childSessions.count > 0 ? " in \(report.childSessions.count.of("session"))" : ""
        text += "\n<details><summary>\(report.served.of("request"))\(tests)</summary>\n\n"
        text += "| Request | Times | Answered by |\n|---|---|---|\n"
        for asked in report.asked.prefix(Self.maxAsked) {
            let answer = Self.code(report.answer(to: asked))
            text += "| \(Self.request(asked.method, asked.url, asked.test)) | \(asked.count) | \(answer) |\n"
        }
        let bare = report.childSessions.sessions.filter { $0.served == 0 }.prefix(Self.maxAsked)
        for session in bare { text += "| \(Self.code(session.test.label)) | 0 | – |\n" }
        if report.asked.count > Self.maxAsked || report.askedLeft > 0 || report.childSessions.leftOut > 0 {
            text += "\n… \(report.leftOutText)\n"
        }
        text += "\n</details>\n"
    }

    /// The maximum number of rows for requests.
    private static let maxAsked = 500

    private mutating func writeContracts() {
        table(
            "Not as the contract allows", report.contractCount,
            max(report.contractViolations.sum(of: \.count), report.contractCount),
            ["Operation", "Side", "Why", "Times"],
            report.contractViolations.map {
                [Self.code($0.operation), $0.side, Self.escaped($0.text) + Self.place($0.test), String($0.count)]
            })
        for contract in report.contracts {
            text += "\n<details><summary>Contract \(Self.escaped(contract.countsText))</summary>\n\n"
            for line in contract.gapLines.prefix(Self.maxAsked) { text += "- \(Self.escaped(line))\n" }
            text += "\n</details>\n"
        }
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

    private static func request(_ method: String, _ url: String, _ test: Report.Test?) -> String {
        code("\(method) \(url)") + place(test)
    }

    /// The test, appended to a request.
    private static func place(_ test: Report.Test?) -> String { test.map { "<br>in \(code($0.label))" } ?? "" }

    /// A text escaped for Markdown, also in a table.
    private static func escaped(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar?
        for scalar in Printable.line(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "|", "~", "!":
                result += "\\"
                result.unicodeScalars.append(scalar)
            default: result.append(scalar, unlinkedBehind: last)
            }
            last = scalar
        }
        return result
    }

    /// A text as a `code` element, since no number of backquotes is safe in a table.
    private static func code(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar?
        for scalar in Markup.text(Printable.line(text)).unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "~", "!", "(", ")", "|": result += "&#\(scalar.value);"
            default: result.append(scalar, unlinkedBehind: last)
            }
            last = scalar
        }
        return "<code>\(result)</code>"
    }
}

extension String {
    /// Adds a character so that GitHub links no URL, also in escaped text or code.
    fileprivate mutating func append(_ scalar: Unicode.Scalar, unlinkedBehind last: Unicode.Scalar?) {
        switch scalar {
        case ":": self += "&#58;"
        case ".": self += last == "w" ? "&#46;" : "."
        case "@": self += "<span>&#64;</span>"
        default: unicodeScalars.append(scalar)
        }
    }
}
