import SDBasics
import SDExplanations
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDReportForms
import SDReports

/// `/__admin/report` and `/__admin/sessions/{id}/report`: a session's report in several formats, and the verdict. An
/// addition to WireMock's admin API.
enum ReportRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/report", own).matching.readingAllSessions.query(
            "format", "fail", "ignore", "strict", "stubs", "sessions", "workspace", "ended", "command"),
        AdminRoute("GET", "/sessions/{id}/report", named).matching.readingAllSessions.query(
            "format", "fail", "ignore", "strict", "stubs", "sessions", "workspace", "ended", "command"),
        AdminRoute("GET", "/report/pending", pending).ofAll(adding: "webhooks", "answers"),
        AdminRoute("GET", "/sessions/{id}/report/pending", pendingOfNamed).ofAll(adding: "webhooks", "answers"),
        AdminRoute("GET", "/refusals", refusals).reading,
        AdminRoute("DELETE", "/report", beginOwn).heavy.changingJournal,
        AdminRoute("DELETE", "/sessions/{id}/report", beginNamed).heavy.changingJournal,
    ]

    /// The header with the verdict.
    private static let verdictHeader = "X-StuntDouble-Verdict"
    /// The header with the number of pending webhooks; absent if there are none.
    private static let pendingHeader = "X-StuntDouble-Pending-Webhooks"

    private static func own(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try answer(call, call.session, call.sessions.all.first { $0.session === call.session })
    }

    private static func named(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        if let past = SessionRoutes.past(call) { return try answer(call, of: past) }
        let live = try SessionRoutes.named(call)
        return try answer(call, live.session, live)
    }

    /// The report on an ended session, as of its end.
    private static func answer(_ call: AdminCall, of past: PastSession) throws(AdminError) -> PlainResponse {
        let format = try call.choice("format", among: ReportFormat.allCases) ?? .json
        let given = try reasons(call)
        var result = past.report(try question(call, given))
        result.report.commandFailure = try commandFailure(call)
        result.report.folder = call.daemon.stubFolder
        result.report.session = past.id.text
        result.report.name = past.name.flatMap { $0.isEmpty ? nil : $0 }
        result.report.duration = Int(clamping: (past.endedAt - min(past.createdAt, past.endedAt)) / 1_000_000)
        if format == .github { result.report.move(to: call.query["workspace"]) }
        return answer(call.session, result, format, id: past.id.text, isAsked: given != nil)
    }

    /// The stubs that may count as unused or unmet.
    private enum CountedStubs: String, CaseIterable {
        case own, all
    }

    /// The sessions whose requests count.
    private enum CountedSessions: String, CaseIterable {
        case own, all
    }

    private static func answer(
        _ call: AdminCall, _ session: Session, _ live: LiveSession?
    ) throws(AdminError) -> PlainResponse {
        let format = try call.choice("format", among: ReportFormat.allCases) ?? .json
        let given = try reasons(call)
        var question = try question(call, given)
        if !session.keepsJournal, let reason = question.failOn.reasons.first(where: \.needsJournal) {
            throw refusal(
                "fail", reason.rawValue,
                expected: "no \(reason.rawValue): without a journal nobody knows how answers ended")
        }
        if try call.choice("sessions", among: CountedSessions.allCases) != .own {
            question.childRecords = call.sessions.childRecords(through: session)
        }
        let failure = try commandFailure(call)
        var result = session.report(question)
        result.report.commandFailure = failure
        live?.addParentTraffic(to: &result.report, question)
        result.report.describe(call, live, began: result.began)
        if format == .github { result.report.move(to: call.query["workspace"]) }
        return answer(session, result, format, id: live?.id.text, isAsked: given != nil)
    }

    private static func question(_ call: AdminCall, _ given: FailOn?) throws(AdminError) -> ReportQuestion {
        var question = ReportQuestion()
        question.failOn = given ?? .usual
        if try call.flag("strict") { question.failOn = question.failOn.adding(.unused) }
        question.ignored = try globs(call)
        question.countsInherited = try call.choice("stubs", among: CountedStubs.allCases) == .all
        question.hasCommandEnded = try call.flag("ended")
        return question
    }

    /// - Parameters:
    ///   - id: the session's id; nil for the default one.
    ///   - isAsked: whether the verdict determines the status.
    private static func answer(
        _ session: Session, _ result: SessionReport, _ format: ReportFormat, id: String?, isAsked: Bool
    ) -> PlainResponse {
        var result = result
        var headers = [(name: verdictHeader, value: result.report.verdict)]
        if result.report.pendingWebhooks > 0 {
            headers.append((name: pendingHeader, value: String(result.report.pendingWebhooks)))
        }
        if format == .html {
            // Policies that a page cannot set itself.
            headers += [("Content-Security-Policy", "frame-ancestors 'none'"), ("X-Content-Type-Options", "nosniff")]
        }
        let status = isAsked && !result.report.hasPassed ? 422 : 200
        guard let body = result.report.rendered(as: format) else {
            result.report = result.report.cutForJSON()
            result.report.placeStubs()
            var json: JSONObject = [:]
            if let id {
                json["id"] = .string(id)
                json["name"] = result.report.name.map { .string($0) } ?? .null
            }
            for member in result.json(session.nearest(to: result), session.redaction).members {
                json[member.key] = member.value
            }
            let body = Array(Printable.json(JSONValue.object(json).prettyText).utf8)
            return PlainResponse(status: status, headers: [("Content-Type", format.contentType)] + headers, body: body)
        }
        return PlainResponse(status: status, headers: [("Content-Type", format.contentType)] + headers, body: body)
    }

    /// The pending work that a verdict may wait for.
    private static func pending(_ call: AdminCall) -> PlainResponse { pending(call, of: call.session) }

    private static func pendingOfNamed(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        pending(call, of: try SessionRoutes.named(call).session)
    }

    private static func pending(_ call: AdminCall, of session: Session) -> PlainResponse {
        let pending = call.sessions.pending(of: session)
        return .json(["webhooks": number(pending.webhooks), "answers": number(pending.answers)])
    }

    /// Rejected requests, most of which are not in a journal.
    private static func refusals(_ call: AdminCall) -> PlainResponse {
        let (refusals, count) = call.session.refused
        return .json([
            "refusals": .array(refusals.map { $0.json(in: call.daemon.stubFolder) }), "meta": ["total": number(count)],
        ])
    }

    // MARK: Resetting

    private static func beginOwn(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        if let live = call.sessions.all.first(where: { $0.session === call.session }) {
            live.beginReport(at: call.request.wallTime)
        } else {
            call.session.beginReport(at: call.request.wallTime)
        }
        return .emptyObject
    }

    private static func beginNamed(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try SessionRoutes.named(call).beginReport(at: call.request.wallTime)
        return .emptyObject
    }

    // MARK: Questions

    /// The reasons in `fail`; nil if the parameter is missing.
    private static func reasons(_ call: AdminCall) throws(AdminError) -> FailOn? {
        guard let text = call.query["fail"] else { return nil }
        do throws(FailReasonProblem) {
            return try FailOn(reading: text)
        } catch {
            throw refusal("fail", error.found, expected: error.expected + didYouMean(error.nearest))
        }
    }

    /// Why the run's command failed; nil if it did not.
    private static func commandFailure(_ call: AdminCall) throws(AdminError) -> Report.CommandFailure? {
        guard let text = call.query["command"], !text.isEmpty else { return nil }
        if let failure = Report.CommandFailure(text) { return failure }
        throw refusal("command", text, expected: "an exit status from 1 to 255, or overdue")
    }

    /// The maximum number of patterns, and of bytes in each.
    private static let maxGlobs = 100
    private static let longestGlob = 1_000

    private static func globs(_ call: AdminCall) throws(AdminError) -> [PathGlob] {
        let texts = call.values(of: "ignore")
        guard texts.count <= maxGlobs else {
            throw refusal("ignore", "\(texts.count) patterns", expected: "at most \(maxGlobs) patterns")
        }
        for text in texts where text.isEmpty || text.utf8.count > longestGlob {
            throw refusal(
                "ignore", String(text.prefix(50)),
                expected: "\(IgnoredPath.expected), of at most \(longestGlob) bytes")
        }
        for text in texts {
            guard let meant = IgnoredPath.meant(by: text) else { continue }
            throw refusal("ignore", text, expected: IgnoredPath.expected + didYouMean(meant))
        }
        return texts.map { PathGlob($0) }
    }

    private static func refusal(_ name: String, _ found: String, expected: String) -> AdminError {
        .invalidParameter(name, found: found, expected: expected)
    }
}

extension Report {
    /// Adds facts about the daemon and the session.
    /// - Parameter began: the time of the last reset; nil if there was none.
    fileprivate mutating func describe(_ call: AdminCall, _ live: LiveSession?, began: UInt64?) {
        folder = call.daemon.stubFolder
        let problems = call.daemon.fileProblems
        session = live?.id.text
        name = live?.redactedName.flatMap { $0.isEmpty ? nil : $0 }
        duration =
            (began ?? live?.createdAt).map { began in
                Int(clamping: (call.request.wallTime - min(began, call.request.wallTime)) / 1_000_000)
            } ?? call.daemon.uptimeMilliseconds
        // The files belong to the default session, and to those that inherit from it.
        guard live?.inherits != false else { return }
        fileProblemCount = problems.count
        files = Array(problems.prefix(Report.most))
    }

    /// Rewrites file names relative to another folder, as annotations need them.
    /// - Parameter workspace: that folder; nil for the workspace of the daemon's CI job, if any.
    fileprivate mutating func move(to workspace: String?) {
        guard let workspace = Workspace(workspace) else {
            // Annotations do not work for `./shop.yaml`.
            if folder == "." { folder = nil }
            return
        }
        folder = folder.map(workspace.path).flatMap { $0.isEmpty ? nil : $0 }
        for index in files.indices { files[index].file = workspace.path(files[index].file) }
    }
}

extension FailReason {
    /// Whether the reason needs a journal.
    fileprivate var needsJournal: Bool { self == .aborted || self == .slow }
}

extension AdminError {
    /// The error for an invalid query parameter.
    static func invalidParameter(_ name: String, found: String, expected: String) -> AdminError {
        let title = "Query parameter \(name) value '\(found)' is not valid"
        return AdminError(
            400,
            ErrorDocument([ErrorDocument.Item(code: 10, pointer: name, title: title, detail: "expected \(expected)")])
        )
    }
}

extension AdminCall {
    /// A query parameter with a fixed set of words; nil if missing or empty.
    /// - Throws: 400 for any other word.
    func choice<Choice: RawRepresentable>(
        _ name: String, among choices: [Choice]
    ) throws(AdminError) -> Choice? where Choice.RawValue == String {
        guard let text = query[name], !text.isEmpty else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = choices.map(\.rawValue)
        let nearest = didYouMean(nearestName(to: text, among: names))
        throw .invalidParameter(name, found: text, expected: "one of \(names.joined(separator: ", "))" + nearest)
    }
}
