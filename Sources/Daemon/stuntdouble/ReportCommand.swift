import SDBasics
import SDCommand
import SDJSON
import SDPlatform

/// `stuntdouble report`: a running daemon's report and verdict.
enum ReportCommand {
    /// Runs the command.
    /// - Returns: the exit status: 0 if the verdict passed, 1 if it failed, 2 if the question is invalid, 3 if no
    ///   daemon answers.
    static func run(_ options: ReportOptions) -> Int32 {
        guard let client = AdminClient(ofRunning: options.query) else { return 3 }
        do throws(AdminClientProblem) {
            try client.settle(options.verdict, session: options.session) { milliseconds in
                _ = SystemCalls.waitReadable(anyOf: [], milliseconds: milliseconds)
                return true
            }
            let report = try client.report(options.verdict, as: options.format, session: options.session)
            do throws(SystemError) {
                try report.write(to: options.output)
            } catch {
                throw AdminClientProblem("the report cannot be written: \(error)", fix: "give --output another file")
            }
            if options.resets { try client.beginReport(options.session) }
            if options.output != nil { Console.info("the verdict is \(report.verdict)") }
            return report.hasPassed ? 0 : 1
        } catch {
            let status = error.report()
            return error.isUnreachable ? 3 : status
        }
    }
}

/// A report in the form that the daemon sent.
struct FetchedReport {
    let body: [UInt8]
    /// `passed` or `failed`.
    let verdict: String
    var hasPassed: Bool { verdict == "passed" }

    /// Writes it to a file (folders are created), or to standard output for `-` or nil. The summary of a GitHub job is
    /// appended to, since the commands of a step write one after another. Other files are replaced, following links.
    /// Devices and pipes are written to.
    func write(to path: String?) throws(SystemError) {
        let body = body.last == UInt8(ascii: "\n") ? body : body + [UInt8(ascii: "\n")]
        guard let path, path != "-" else { return try SystemCalls.writeAll(body, to: 1) }
        try SystemCalls.makeFolders(SystemCalls.parent(of: path))
        func resolved(_ path: String) -> String { (try? SystemCalls.resolve(path)) ?? path }
        let summary = SystemCalls.environmentVariable("GITHUB_STEP_SUMMARY")
        if let summary, resolved(path) == resolved(summary) {
            try SystemCalls.writeAll(body, to: SystemCalls.open(path, .append), path: path)
        } else {
            // Follow a dangling link, too.
            let kind = (try? SystemCalls.status(of: path)) ?? (try? SystemCalls.status(of: path, followingLinks: false))
            if let kind = kind?.kind, kind != .file {
                try SystemCalls.writeAll(body, to: SystemCalls.open(path, .append), path: path)
            } else {
                try SystemCalls.replaceFile(resolved(path), with: body)
            }
        }
    }
}

extension AdminClient {
    /// Fetches a report.
    /// - Parameter session: the id of a session; nil for the session in the server's address, or the default one.
    /// - Throws: the reason why it is not available.
    func report(
        _ verdict: VerdictOptions, as format: ReportFormat, session: String? = nil
    ) throws(AdminClientProblem) -> FetchedReport {
        let workspace = format == .github ? SystemCalls.environmentVariable("GITHUB_WORKSPACE") : nil
        let query = verdict.query(format, workspace: workspace.map { (try? SystemCalls.resolve($0)) ?? $0 })
        let answer = try ask("GET", "\(Self.path(session))?\(query)", accepting: [422])
        guard let told = answer.fields["x-stuntdouble-verdict"] else {
            throw AdminClientProblem(
                "\(server.text) has no reports: it is not Stunt Double, or an older version",
                fix: Self.anotherServer)
        }
        return FetchedReport(body: answer.body, verdict: told)
    }

    /// Waits for pending webhooks, if they count, and after a command's end for its disconnects to be seen; each up to
    /// its limit.
    /// - Parameter pause: waits for some milliseconds; false ends the wait.
    func settle(
        _ verdict: VerdictOptions, session: String?, pause: (Int32) -> Bool
    ) throws(AdminClientProblem) {
        let begin = SystemCalls.monotonicMilliseconds()
        let forWebhooks = verdict.failOn?.contains(.webhook) == true ? VerdictOptions.longestWaitForWebhooks : 0
        let forAnswers = verdict.hasCommandEnded ? VerdictOptions.longestWaitForAnswers : 0
        while forWebhooks + forAnswers > 0 {
            let pending = try call("GET", Self.path(session) + "/pending")
            let time = SystemCalls.monotonicMilliseconds() - begin
            guard
                (pending["webhooks"]?.intValue ?? 0) > 0 && time < forWebhooks
                    || (pending["answers"]?.intValue ?? 0) > 0 && time < forAnswers
            else { return }
            guard pause(50) else { return }
        }
    }

    /// Resets a report.
    func beginReport(_ session: String?) throws(AdminClientProblem) {
        _ = try ask("DELETE", Self.path(session))
    }

    private static func path(_ session: String?) -> String { session.map { "/sessions/\($0)/report" } ?? "/report" }
}
