import SDBasics
import SDReports
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
                    of: request.test,
                    (request.meant.map { nearest in
                        let several = nearest.differences.count > 1 ? nearest.differences.prefix(5) : []
                        return ["nearest: \(name(nearest.stub))"] + several.map { "- \($0)" }
                    } ?? []) + [request.advice])
        }
        let failed = report.failed.map { request in
            Self.item("\(request.method) \(request.url)", request.count)
                + Self.details(of: request.test, (request.stub.map { ["stub: \(name($0))"] } ?? []) + [request.reason])
        }
        section("Nothing answered", report.unmatchedCount, "request", report.unmatched.sum(of: \.count), unmatched)
        section("Could not be served", report.failedCount, "request", report.failed.sum(of: \.count), failed)
        section(
            "Could not be loaded", report.fileProblemCount, "problem", report.files.count,
            report.files.map { Self.item($0.text) })
        section(
            "Not met", report.unmetCount, "expectation", report.unmet.count,
            report.unmet.map { Self.item("\($0.stub.map(name) ?? $0.name): \($0.text)") + Self.details(of: $0.test) })
        writeEnds()
        section(
            "Faults that acted", report.faultCount, "time", report.faults.sum(of: \.count),
            report.faults.map {
                Self.item("\($0.text): \($0.origin(in: report.folder))", $0.count) + Self.details(of: $0.test)
            })
        section(
            Report.straysTitle, report.strayCount, "request", report.strays.sum(of: \.count),
            report.strays.map {
                Self.item("\($0.method) \($0.url): \($0.answer(in: report.folder))", $0.count)
            })
        section(
            Report.refusalsTitle, report.refusedCount, "time", report.refusals.sum(of: \.count),
            report.refusals.map {
                Self.item($0.text(in: report.folder), $0.count) + Self.details(of: $0.test)
            })
        writeContracts()
        section(
            "Never used", report.unusedCount, "stub", report.unused.count, report.unused.map { Self.item(name($0)) })
        writeAsked()
        writeTimings()
        if report.timings == nil, text != head { text += "\n" }
        if let cut = report.cutText { text += "\(cut)\n" }
        text += "\(report.verdictLine)\n"
    }

    /// Violations of contracts, and their unused parts.
    private mutating func writeContracts() {
        let violations = report.contractViolations
        section(
            "Not as the contract allows", report.contractCount, "exchange",
            max(violations.sum(of: \.count), report.contractCount),
            violations.map { Self.item($0.line, $0.count) + Self.details(of: $0.test) })
        for contract in report.contracts {
            text += "\nContract \(Printable.line(contract.countsText))\n"
            let gaps = contract.gapLines
            text += gaps.prefix(Self.maxGaps).map { Self.item($0) }.joined()
            if gaps.count > Self.maxGaps { text += "  … and \(gaps.count - Self.maxGaps) more\n" }
        }
    }

    /// The maximum number of a contract's operations with unused parts.
    private static let maxGaps = 50

    private mutating func writeHead() {
        text += report.countsLine + "\n"
        if report.childSessions.count > 0 {
            text += report.childSessionsLine + "\n"
        }
        if !report.isRecorded { text += "There is no journal of requests: their times are not known\n" }
    }

    /// The outcomes of webhooks and answers.
    private mutating func writeEnds() {
        let webhooks = report.webhooks.filter { $0.isBad }
        section(
            "Webhooks that failed", report.webhookCount, "webhook", webhooks.sum(of: \.count),
            webhooks.map { webhook in
                Self.item(webhook.name, webhook.count)
                    + Self.details(
                        of: webhook.test, (webhook.stub.map { ["stub: \(name($0))"] } ?? []) + [webhook.text])
            })
        section(
            "Broke off", report.abortedCount, "answer", report.aborted.sum(of: \.count),
            report.aborted.map { answer in
                Self.item("\(answer.method) \(answer.url)", answer.count)
                    + Self.details(of: answer.test, (answer.stub.map { ["stub: \(name($0))"] } ?? []) + [answer.reason])
            })
        section(
            report.openTitle, report.openCount, "request", report.open.sum(of: \.count),
            report.open.map { answer in
                Self.item("\(answer.method) \(answer.url)", answer.count)
                    + Self.details(of: answer.test, (answer.stub.map { ["stub: \(name($0))"] } ?? []) + [answer.text])
            })
        section(
            "Slow", report.slowCount, "answer", report.slow.count,
            report.slow.map { answer in
                Self.item("\(answer.method) \(answer.url): \(answer.timeText)")
                    + Self.details(of: answer.test, answer.stub.map { ["stub: \(name($0))"] } ?? [])
            })
    }

    /// The requests and what answered them, by test.
    private mutating func writeAsked() {
        var left = Self.maxAsked
        func lines(_ asked: [Report.Asked]) -> [String] {
            let shown = asked.prefix(max(left, 0))
            left -= shown.count
            return shown.map { Self.item("\($0.method) \($0.url): \(report.answer(to: $0))", $0.count) }
        }
        let byTest = Dictionary(grouping: report.asked) { $0.test }
        let own = byTest[nil] ?? []
        let ownText = lines(own).joined()
        if !own.isEmpty { text += "\nRequests\n" + ownText }
        if report.childSessions.count > 0 { text += "\nSessions\n" }
        for session in report.childSessions.sessions.sorted(by: { !$0.reasons.isEmpty && $1.reasons.isEmpty }) {
            guard left > 0 else { break }
            left -= 1
            text += Self.item("- \(session.test.label): \(session.countsText)")
            text += lines(byTest[session.test] ?? []).map { "  " + $0 }.joined()
        }
        if !own.isEmpty || report.childSessions.count > 0,
            left <= 0 || report.askedLeft > 0 || report.childSessions.leftOut > 0
        {
            text += "  … \(report.leftOutText)\n"
        }
    }

    /// The maximum number of lines for requests and sessions.
    private static let maxAsked = 200

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
    ///   - shown: the number of items that the entries represent.
    private mutating func section(_ title: String, _ count: Int, _ noun: String, _ shown: Int, _ entries: [String]) {
        guard count > 0 else { return }
        text += "\n\(title): \(count.of(noun))\n" + entries.joined()
        if shown < count { text += "  … and \(count - shown) more\n" }
    }

    private static func item(_ line: String, _ count: Int = 1) -> String {
        "  \(Printable.line(line))\(count > 1 ? " (\(count) times)" : "")\n"
    }

    private static func details(of test: Report.Test?, _ lines: [String] = []) -> String {
        ((test.map { ["test: \($0.label)"] } ?? []) + lines).map { "    \(Printable.line($0))\n" }.joined()
    }
}

// MARK: - Texts shared by several formats

extension Report {
    /// The counts in one line.
    var countsLine: String {
        if let noVerdict { return "There is no verdict: \(noVerdict)" }
        var parts = ["\(served.of("request"))", "\(unmatchedCount) unmatched"]
        if failedCount > 0 { parts.append("\(failedCount) could not be served") }
        if openCount > 0 { parts.append("\(openCount) \(openTitle.lowercased())") }
        if let refusedText { parts.append(refusedText) }
        if passedThrough > 0 { parts.append("\(passedThrough) sent on") }
        if ignored > 0 { parts.append("\(ignored) ignored") }
        parts.append("\(usedCount.of("stub")) used")
        if unusedCount > 0 { parts.append("\(unusedCount) never used") }
        return parts.joined(separator: ", ")
    }

    /// The title for open answers.
    var openTitle: String { hasCommandEnded ? "Still open when the command ended" : "Still open" }

    /// The child sessions' share of the counts.
    var childSessionsLine: String {
        let tested = "\(childSessions.served.of("request")) and \(childSessions.unmatched) unmatched"
        return "Of these \(tested) in \(childSessions.count.of("session")) begun through it"
    }

    /// A note about requests that are in no list.
    var leftOutText: String {
        var parts: [String] = []
        if askedLeft > 0 { parts.append(askedLeft.of("request")) }
        if childSessions.leftOut > 0 { parts.append(childSessions.leftOut.of("session")) }
        let some = parts.isEmpty ? "some of them" : parts.joined(separator: " of more kinds and ")
        return "not listed: \(some)"
    }

    /// What answered a request.
    func answer(to asked: Asked) -> String {
        let by = asked.stub.map { $0.text(in: folder) } ?? asked.rule?.text(in: folder) ?? asked.otherAnswer
        return [asked.outcome, by].compactMap(\.self).joined(separator: ", ")
    }

    /// The verdict with its reasons.
    var verdictLine: String { hasPassed ? "Passed" : "Failed: " + reasonsText.joined(separator: ", ") }

    /// The reasons for a failed verdict.
    var reasonsText: [String] {
        (commandFailure.map { [$0.text] } ?? [])
            + (reasons.isEmpty && noVerdict != nil ? ["there is no verdict"] : reasons.map(reasonText))
    }

    /// For example `2 requests and 1 message`.
    private var unansweredText: String {
        let all = count(.unmatched)
        let messages = min(refusals.filter { $0.kind == .message }.sum(of: \.count), all)
        guard messages > 0 else { return all.of("request") }
        return messages == all
            ? messages.of("message") : "\((all - messages).of("request")) and \(messages.of("message"))"
    }

    /// A reason with its count.
    func reasonText(_ reason: FailReason) -> String {
        switch reason {
        case .unmatched: "\(unansweredText) that nothing answered"
        case .unused: "\(unusedCount.of("stub")) never used"
        case .unmet: "\(unmetCount.of("expectation")) not met"
        case .fault: "faults acted \(faultCount.of("time"))"
        case .error: (failedCount + fileProblemCount).of("error")
        case .webhook: "\(webhookCount.of("webhook")) failed"
        case .aborted: "\(abortedCount.of("answer")) broke off"
        case .contract: "\(contractCount.of("exchange")) not as the contract allows"
        case .slow: "\(slowCount.of("answer")) slower than \(Double(failOn.slowLimit ?? 0).limitText)"
        }
    }

    /// The subject of the report, such as `session login test (s7-k2f9qm)`.
    var title: String {
        guard let session else { return "Stunt Double" }
        return "session " + (name.map { "\($0) (\(session))" } ?? session)
    }
}

extension Report.Asked {
    /// The status, or how the answer ended without one.
    var outcome: String? { isOpen ? "still open" : status.map { "\($0)" } ?? ending }

    /// What answered instead of a stub.
    var otherAnswer: String? { answer ?? (isOpen || ending != nil ? nil : "nothing answered") }
}

extension ChildSessions.Session {
    var countsText: String {
        let bad = reasons.isEmpty ? "" : ", failed for \(reasons.map(\.rawValue).joined(separator: ", "))"
        return served.of("request") + (unmatched > 0 ? ", \(unmatched) unmatched" : "") + bad
    }
}

extension Report.Webhook {
    /// The request.
    var name: String { url.isEmpty ? "a webhook" : "\(method) \(url)" }
}

extension Report.Slow {
    /// The time taken, as text.
    var timeText: String {
        time.timeText + (delay > 0 ? ", of which \(delay.timeText) are the stub's delay" : "")
    }
}

extension Report.ActedFault {
    var text: String { outcome.map { "\(fault) (\($0))" } ?? fault }

    /// The origin of the fault, and what it was applied to.
    func origin(in folder: String?) -> String {
        let stub = stub?.text(in: folder)
        guard let source else { return stub ?? "the session" }
        return "the session's \(source)" + (stub.map { " on \($0)" } ?? "")
    }
}
