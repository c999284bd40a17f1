import SDBasics
import SDCommand
import SDJSON
import SDJournal
import SDPlatform

/// A run's verdict, to print and to write to files.
struct RunVerdict {
    private let options: RunOptions
    private let mock: RunMock
    private let report: JSONValue
    let hasPassed: Bool

    /// Whether there was no request, including in child sessions of the command.
    var isOfNothing: Bool { report["served"]?.intValue ?? 0 == 0 && report["begunAnew"] != true }

    /// Fetches the verdict, and writes the requested reports.
    /// - Parameter pause: waits for some milliseconds; false ends the wait for pending work.
    /// - Throws: the reason why that failed.
    init(
        _ options: RunOptions, _ mock: RunMock, _ outcome: RunningCommand.Outcome, pause: (Int32) -> Bool
    ) throws(RunProblem) {
        self.options = options
        var verdict = options.verdict
        // Without named reasons, nothing fails the run.
        verdict.failOn = verdict.failOn ?? FailOn.none
        if outcome.status != 0 { verdict.commandFailure = outcome.isOverdue ? "overdue" : String(outcome.status) }
        self.mock = mock
        var isTold = false
        do throws(AdminClientProblem) {
            try mock.client.settle(verdict, session: mock.session, pause: pause)
            let fetched = try mock.client.report(verdict, as: .json, session: mock.session)
            report = (try? JSONValue(parsing: fetched.body)) ?? .null
            hasPassed = fetched.hasPassed
            isTold = true
            for wanted in options.reports {
                try Self.write(
                    try mock.client.report(verdict, as: wanted.format, session: mock.session), wanted)
            }
        } catch {
            var problem = RunProblem(
                message:
                    "\(isTold ? "the verdict is not written" : "the mock server tells no verdict"): \(error.message)",
                fix: error.fix)
            problem.hasReports = isTold
            throw problem
        }
    }

    static func write(
        _ report: FetchedReport, _ wanted: RunOptions.ReportFile
    ) throws(AdminClientProblem) {
        do throws(SystemError) {
            try report.write(to: wanted.path)
        } catch {
            throw AdminClientProblem(
                "cannot write the report \(Redaction().text(wanted.path)): \(error.reason)",
                fix: "give --report another file")
        }
    }

    /// Prints the verdict on standard error.
    /// - Parameter status: the exit status of the run.
    func printVerdict(of outcome: RunningCommand.Outcome, status: Int32) {
        if Console.wantsJSON {
            try? SystemCalls.writeAll((Printable.json(json(outcome, status).compactText) + "\n").utf8, to: 2)
        } else {
            let text = RunVerdictText(report, address: mock.shownURL, failOn: options.verdict.failOn).text
            try? SystemCalls.writeAll(text.utf8, to: 2)
        }
    }

    private func json(_ outcome: RunningCommand.Outcome, _ status: Int32) -> JSONValue {
        var run: JSONObject = [
            "command": .array(options.command.map { .string($0) }), "status": .number(JSONNumber(Int(status))),
            "timedOut": .bool(outcome.isOverdue), "url": .string(mock.shownURL),
        ]
        switch outcome.ending {
        case .exited(let status): run["exited"] = .number(JSONNumber(Int(status)))
        case .signalled(let number): run["signal"] = .number(JSONNumber(Int(number)))
        }
        run["session"] = mock.session.map { .string($0) } ?? .null
        return ["run": .object(run), "verdict": .string(hasPassed ? "passed" : "failed"), "report": report]
    }
}
