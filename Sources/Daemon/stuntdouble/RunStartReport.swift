import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDReportForms
import SDReports

/// The reports of a run without a verdict: its folder or command is invalid, or its mock server could not be started or
/// asked.
struct RunStartReport {
    private let options: RunOptions
    private let problem: RunProblem

    init(_ problem: RunProblem, _ options: RunOptions) {
        self.problem = problem
        self.options = options
    }

    /// Writes the requested reports. A failed write is reported, and changes nothing else.
    func write() {
        for wanted in options.reports {
            do throws(AdminClientProblem) {
                try RunVerdict.write(FetchedReport(body: body(wanted.format), verdict: "failed"), wanted)
            } catch {
                Console.error(error.message, fix: error.fix)
            }
        }
    }

    private func body(_ format: ReportFormat) -> [UInt8] {
        var report = Report()
        report.failOn = FailOn([.error])
        // Errors in files are reported at their lines.
        report.noVerdict = problem.files.isEmpty ? problem.message : "the mock server could not be started"
        report.fileProblemCount = problem.files.count
        report.files = problem.files
        if format == .github, let workspace = Workspace() {
            for index in report.files.indices { report.files[index].file = workspace.path(report.files[index].file) }
        }
        return report.rendered(as: format) ?? Array(Printable.json(JSONValue.object(report.json).prettyText).utf8)
    }
}
