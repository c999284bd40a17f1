import SDBasics
import SDReports
import SDStubModel

/// A report as a self-contained page: no scripts, no external resources.
struct HTMLReport: ReportWriter {
    let report: Report
    var text = ""

    mutating func write() {
        let title = "\(report.hasPassed ? "Passed" : "Failed"): \(report.title)"
        text += """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(Self.styleHash)'; base-uri 'none'; form-action 'none'">
            <title>\(Markup.text(title))</title>
            <style>\(Self.style)</style>
            </head>
            <body>

            """
        writeBanner()
        text += "<main>\n"
        writeCounters()
        writeNotes()
        writeUnmatched()
        writeFailed()
        writeFiles()
        writeUnmet()
        writeEnds()
        writeFaults()
        writeAround()
        writeTimings()
        writeSessions()
        writeStubs()
        text += "</main>\n<footer>Stunt Double · GET /__admin/report?format=html</footer>\n</body>\n</html>\n"
    }

    // MARK: Head

    private mutating func writeBanner() {
        let kind = report.hasPassed ? "passed" : "failed"
        let isWell = report.unmatchedCount + report.count(.error) == 0
        let reasons =
            report.hasPassed
            ? isWell ? "Every request was answered as it was meant." : "Nothing that counts was wrong."
            : report.reasonsText.joined(separator: " · ")
        text += """
            <header class="\(kind)">
            <div class="mark" aria-hidden="true">\(report.hasPassed ? "✓" : "✕")</div>
            <div><h1>\(report.hasPassed ? "Passed" : "Failed")</h1><p>\(Markup.text(reasons))</p></div>
            <p class="what">\(Markup.text(report.title))<br>\(Self.duration(report.duration))</p>
            </header>

            """
    }

    private mutating func writeCounters() {
        guard report.noVerdict == nil else { return }
        text += "<ul class=\"counters\">\n"
        counter("served", report.served, nil)
        counter("unmatched", report.count(.unmatched), .unmatched)
        counter("errors", report.count(.error), .error)
        counter("not met", report.unmetCount, .unmet)
        counter("faults acted", report.faultCount, .fault)
        if !report.webhooks.isEmpty { counter("webhooks failed", report.webhookCount, .webhook) }
        if report.abortedCount > 0 { counter("broke off", report.abortedCount, .aborted) }
        if report.openCount > 0 { counter("still open", report.openCount, nil) }
        if !report.contracts.isEmpty { counter("not as the contract allows", report.contractCount, .contract) }
        if report.slowCount > 0 { counter("slow", report.slowCount, .slow) }
        counter("stubs used", report.usedCount, nil)
        counter("never used", report.unusedCount, .unused)
        text += "</ul>\n"
    }

    private mutating func counter(_ name: String, _ count: Int, _ reason: FailReason?) {
        let isBad = reason.map { report.failing.contains($0) && count > 0 } ?? false
        let isNoted = reason != nil && count > 0 && !isBad
        text += "<li class=\"\(isBad ? "bad" : isNoted ? "noted" : "")\"><b>\(count)</b> \(name)</li>\n"
    }

    private mutating func writeNotes() {
        var notes = report.childSessions.count > 0 ? ["\(report.childSessionsLine)."] : []
        if report.noVerdict != nil { notes.append("\(report.countsLine).") }
        if !report.isRecorded { notes.append("There is no journal of requests: their times are not known.") }
        if report.ignored > 0 { notes.append("\(report.ignored.of("request")) ignored.") }
        if report.passedThrough > 0 { notes.append("\(report.passedThrough.of("request")) sent on to a real server.") }
        if let cut = report.cutText { notes.append("\(cut).") }
        for note in notes { text += "<p class=\"note\">\(Markup.text(note))</p>\n" }
    }

    // MARK: Requests

    private mutating func writeUnmatched() {
        section(
            "Nothing answered", report.unmatchedCount, report.unmatched.sum(of: \.count),
            report.unmatched.enumerated().map { Self.card($1, isOpen: $0 < 3, in: report.folder) }.joined())
    }

    private static func card(_ request: Report.Unmatched, isOpen: Bool, in folder: String?) -> String {
        let head =
            "<span class=\"method\">\(Markup.text(request.method))</span> <code>\(Markup.text(request.url))</code>"
            + Self.times(request.count) + place(request.test)
        guard let nearest = request.meant else {
            return "<div class=\"card\"><p class=\"request\">\(head)</p><p>\(Markup.text(request.advice))</p></div>\n"
        }
        let rows = nearest.conditions.map { condition in
            let actual = condition.actual.map { "<code>\(Markup.text($0))</code>" } ?? "<i>absent</i>"
            return """
                <tr class="\(condition.passes ? "same" : "other")"><th scope="row">\(Markup.text(condition.name))</th>\
                <td><code>\(Markup.text(condition.expected))</code></td><td>\(actual)</td>\
                <td class="sign">\(condition.passes ? "✓" : "✕")</td></tr>

                """
        }
        return """
            <details class="card"\(isOpen ? " open" : "")><summary><span class="request">\(head)</span></summary>
            <p class="change">\(Markup.text(request.advice))</p>
            <p class="nearest">Nearest stub: \(stub(nearest.stub, in: folder))</p>
            <table class="diff"><thead><tr><th></th><th>the stub wants</th><th>the request has</th><th></th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table>
            </details>

            """
    }

    private mutating func writeFailed() {
        section(
            "Could not be served", report.failedCount, report.failed.sum(of: \.count),
            Self.table(
                ["Request", "Stub", "Reason"],
                report.failed.map { request in
                    [
                        "<span class=\"method\">\(Markup.text(request.method))</span> <code>\(Markup.text(request.url))</code>"
                            + Self.times(request.count) + Self.place(request.test),
                        request.stub.map { Self.stub($0, in: report.folder) } ?? "–", Markup.text(request.reason),
                    ]
                }))
    }

    private mutating func writeFiles() {
        section(
            "Could not be loaded", report.fileProblemCount, report.files.count,
            Self.table(
                ["File", "Problem"],
                report.files.map { problem in
                    ["<code>\(Markup.text(problem.place))</code>", Markup.text(problem.message)]
                }))
    }

    // MARK: Stubs

    private mutating func writeUnmet() {
        section(
            "Not met", report.unmetCount, report.unmet.count,
            Self.table(
                ["Expected", "What came of it"],
                report.unmet.map { unmet in
                    [
                        (unmet.stub.map { Self.stub($0, in: report.folder) } ?? Markup.text(unmet.name))
                            + Self.place(unmet.test),
                        Markup.text(unmet.text),
                    ]
                }))
    }

    private mutating func writeFaults() {
        section(
            "Faults that acted", report.faultCount, report.faults.sum(of: \.count),
            Self.table(
                ["Fault", "Where", "Times"],
                report.faults.map { fault in
                    [
                        "<b>\(Markup.text(fault.text))</b>",
                        Markup.text(fault.origin(in: report.folder)) + Self.place(fault.test),
                        String(fault.count),
                    ]
                }))
    }

    private mutating func writeAround() {
        section(
            Report.straysTitle, report.strayCount, report.strays.sum(of: \.count),
            Self.table(
                ["Request", "Answer"],
                report.strays.map { stray in
                    [
                        "<span class=\"method\">\(Markup.text(stray.method))</span> <code>\(Markup.text(stray.url))</code>"
                            + Self.times(stray.count), Markup.text(stray.answer(in: report.folder)),
                    ]
                }))
        section(
            Report.refusalsTitle, report.refusedCount, report.refusals.sum(of: \.count),
            Self.table(
                ["What", "Times"],
                report.refusals.map {
                    [Markup.text($0.text(in: report.folder)) + Self.place($0.test), String($0.count)]
                }))
    }

    private mutating func writeStubs() {
        let violations = report.contractViolations
        section(
            "Not as the contract allows", report.contractCount,
            max(violations.sum(of: \.count), report.contractCount),
            Self.table(
                ["Operation", "Side", "Why", "Times"],
                violations.map {
                    [
                        "<code>\(Markup.text($0.operation))</code>", $0.side,
                        Markup.text($0.text) + Self.place($0.test), String($0.count),
                    ]
                }))
        for contract in report.contracts {
            let gaps = contract.gapLines
            section(
                Markup.text("Contract \(contract.countsText)"), max(gaps.count, 1), max(gaps.count, 1), isOpen: false,
                "<ul class=\"stubs\">" + gaps.map { "<li>\(Markup.text($0))</li>" }.joined() + "</ul>\n")
        }
        section(
            "Never used", report.unusedCount, report.unused.count,
            "<ul class=\"stubs\">" + report.unused.map { "<li>\(Self.stub($0, in: report.folder))</li>" }.joined()
                + "</ul>\n")
        section(
            "Used", report.usedCount, report.used.count, isOpen: false,
            Self.table(
                ["Stub", "Times"], report.used.map { [Self.stub($0.stub, in: report.folder), String($0.count)] }))
    }

    // MARK: Timings

    private mutating func writeTimings() {
        guard let timings = report.timings else { return }
        text += "<section><h2>Time to answer</h2>\n<div class=\"times\">\n<dl>"
        for (name, value) in [
            ("median", timings.median), ("95 % within", timings.p95), ("at most", timings.most),
        ] {
            text += "<div><dt>\(name)</dt><dd>\(value.timeText)</dd></div>"
        }
        text += "</dl>\n\(Self.histogram(timings))</div>\n"
        let longest = max(timings.most, 0.001)
        text += Self.table(
            ["Slowest", "Median", "At most", ""],
            timings.slowest.map { slow in
                let name = slow.stub.map { Self.stub($0, in: report.folder) } ?? "no stub"
                let delay = slow.delay > 0 ? "<br><small>\(slow.delay.timeText) of it are the stub's delay</small>" : ""
                let width = max(slow.most / longest * 100, 0.5).fixed(1)
                return [
                    "\(name)<br><small>\(Markup.text("\(slow.method) \(slow.url)"))</small>", slow.median.timeText,
                    slow.most.timeText + delay, "<meter max=\"100\" value=\"\(width)\"></meter>",
                ]
            })
        text += "</section>\n"
    }

    /// Bars for the histogram, from the first part with answers to the last.
    private static func histogram(_ timings: Timings) -> String {
        guard let first = timings.histogram.firstIndex(where: { $0 > 0 }),
            let last = timings.histogram.lastIndex(where: { $0 > 0 }),
            let highest = timings.histogram.max()
        else { return "" }
        let parts = Array(max(first - 1, 0)...min(last + 1, timings.histogram.count - 1))
        let (width, height) = (64, 96)
        var svg =
            "<svg viewBox=\"0 0 \(parts.count * width) \(height + 34)\" width=\"\(parts.count * width)\" "
            + "role=\"img\" aria-label=\"How many answers took how long\">"
        for (place, part) in parts.enumerated() {
            let count = timings.histogram[part]
            let bar = count == 0 ? 0 : max(count * height / max(highest, 1), 2)
            let (left, middle) = (place * width, place * width + width / 2)
            svg +=
                "<rect x=\"\(left + 8)\" y=\"\(height + 14 - bar)\" width=\"\(width - 16)\" height=\"\(bar)\" rx=\"3\"/>"
            if count > 0 { svg += "<text class=\"count\" x=\"\(middle)\" y=\"\(height + 9 - bar)\">\(count)</text>" }
            let bound = part < Timings.bounds.count ? "≤ \(Self.short(Timings.bounds[part]))" : "more"
            svg += "<text x=\"\(middle)\" y=\"\(height + 30)\">\(bound)</text>"
        }
        return svg + "</svg>\n"
    }

    private static func short(_ milliseconds: Double) -> String {
        milliseconds < 1000 ? "\(Int(milliseconds)) ms" : "\(Int(milliseconds / 1000)) s"
    }

    // MARK: Parts

    mutating func section(
        _ title: String, _ count: Int, _ shown: Int, isOpen: Bool = true, _ content: String
    ) {
        guard count > 0 else { return }
        let more = shown < count ? "<p class=\"note\">… and \(count - shown) more</p>\n" : ""
        let head = "\(title) <span class=\"count\">\(count)</span>"
        if isOpen {
            text += "<section><h2>\(head)</h2>\n\(content)\(more)</section>\n"
        } else {
            text += "<section><details><summary><h2>\(head)</h2></summary>\n\(content)\(more)</details></section>\n"
        }
    }

    static func table(_ columns: [String], _ rows: [[String]]) -> String {
        "<table><thead><tr>" + columns.map { "<th>\($0)</th>" }.joined() + "</tr></thead>\n<tbody>\n"
            + rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>\n" }.joined() + "</tbody></table>\n"
    }

    static func place(_ test: Report.Test?) -> String {
        test.map { " <small>in <b>\(Markup.text($0.label))</b></small>" } ?? ""
    }

    static func times(_ count: Int) -> String {
        count > 1 ? " <span class=\"count\">\(count) times</span>" : ""
    }

    static func stub(_ stub: StubReference, in folder: String?) -> String {
        let name = stub.name.map { $0.isEmpty ? "" : "<b>\(Markup.text($0))</b> " } ?? ""
        let place = stub.place(in: folder).map { " <span class=\"place\">\(Markup.text($0))</span>" } ?? ""
        return "\(name)<code>\(Markup.text(stub.key))</code>\(place)"
    }

    /// A run's duration: `42 s`, `3 min 5 s`, `2 h 10 min`.
    private static func duration(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        if seconds < 60 {
            return milliseconds < 10_000 ? "\((Double(milliseconds) / 1000).fixed(1)) s" : "\(seconds) s"
        }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
}
