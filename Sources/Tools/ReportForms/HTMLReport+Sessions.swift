import SDBasics
import SDReports
import SDStubModel

/// Each test's requests, and the outcomes of webhooks and answers.
extension HTMLReport {
    mutating func writeEnds() {
        let webhooks = report.webhooks
        section(
            "Webhooks", webhooks.sum(of: \.count), webhooks.sum(of: \.count), isOpen: report.webhookCount > 0,
            Self.table(
                ["Webhook", "Stub", "What came of it"],
                webhooks.sorted { $0.isBad && !$1.isBad }.map { webhook in
                    [
                        Self.request("", webhook.name, webhook.count, webhook.test), stub(webhook.stub),
                        (webhook.isBad ? "<b>✕</b> " : "✓ ") + Markup.text(webhook.text),
                    ]
                }))
        section(
            "Broke off", report.abortedCount, report.aborted.sum(of: \.count),
            Self.table(
                ["Request", "Stub", "Reason"],
                report.aborted.map { answer in
                    [
                        Self.request(answer.method, answer.url, answer.count, answer.test), stub(answer.stub),
                        Markup.text(answer.reason),
                    ]
                }))
        section(
            report.openTitle, report.openCount, report.open.sum(of: \.count),
            Self.table(
                ["Request", "Stub", "State"],
                report.open.map { answer in
                    [
                        Self.request(answer.method, answer.url, answer.count, answer.test), stub(answer.stub),
                        Markup.text(answer.text),
                    ]
                }))
        section(
            "Slow", report.slowCount, report.slow.count,
            Self.table(
                ["Request", "Stub", "Time"],
                report.slow.map { answer in
                    [
                        Self.request(answer.method, answer.url, 1, answer.test), stub(answer.stub),
                        Markup.text(answer.timeText),
                    ]
                }))
    }

    mutating func writeSessions() {
        let asked = Dictionary(grouping: report.asked) { $0.test }
        let sessions = report.childSessions.sessions.map { session in
            let sign = session.reasons.isEmpty ? "✓" : "✕"
            return """
                <details class="stubs"><summary>\(sign) <b>\(Markup.text(session.test.label))</b> \
                <small>\(Markup.text(session.countsText))</small></summary>
                \(answers(asked[session.test] ?? []))</details>

                """
        }
        section("Sessions", report.childSessions.count, report.childSessions.sessions.count, sessions.joined())
        let own = asked[nil] ?? []
        section("Requests", own.sum(of: \.count), own.sum(of: \.count), isOpen: false, answers(own))
        if report.askedLeft > 0 { text += "<p class=\"note\">\(Markup.text(report.leftOutText))</p>\n" }
    }

    private func answers(_ asked: [Report.Asked]) -> String {
        Self.table(
            ["Request", "Answered by"],
            asked.map { request in
                let status = request.outcome.map { Markup.text($0) + " " } ?? ""
                let answer = request.stub.map { stub($0) } ?? Markup.text(request.otherAnswer ?? "")
                return [Self.request(request.method, request.url, request.count, nil), status + answer]
            })
    }

    private func stub(_ stub: StubReference?) -> String { stub.map { Self.stub($0, in: report.folder) } ?? "–" }

    private static func request(_ method: String, _ url: String, _ count: Int, _ test: Report.Test?) -> String {
        let name = [method, url].filter { !$0.isEmpty }.joined(separator: " ")
        return "<code>\(Markup.text(name))</code>" + times(count) + place(test)
    }
}
