import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDReports

/// The reports of a run whose mock server could not be started: what is wrong, at the file and line where it is known.
struct RunStartReport {
    private let options: RunOptions
    private let problems: [Report.FileProblem]

    init(_ problem: RunProblem, _ options: RunOptions) {
        self.options = options
        let texts = problem.errors.isEmpty ? [problem.message] : problem.errors
        problems = texts.map { Report.FileProblem(logged: $0, folder: options.serve.root.name) }
    }

    /// Writes the reports that were asked for; a file that cannot be written is told of, and changes nothing else.
    func write() {
        for wanted in options.reports {
            do throws(AdminClientProblem) {
                let report = FetchedReport(body: body(wanted.format), verdict: "failed", pendingWebhooks: 0)
                try RunVerdict.write(report, wanted)
            } catch {
                Console.complain(error.message, fix: error.fix)
            }
        }
    }

    private func body(_ format: ReportFormat) -> [UInt8] {
        var report = Report()
        report.failOn = FailOn([.error])
        report.fileProblemCount = problems.count
        report.files = problems
        if format == .github, let workspace = Workspace() {
            for index in report.files.indices { report.files[index].file = workspace.path(report.files[index].file) }
        }
        return report.rendered(as: format) ?? Array(JSONValue.object(report.json).prettyText.utf8)
    }
}

extension Report.FileProblem {
    /// A problem as a log has it, `mocks/a.yaml:3:7: error: unknown key "jsn"`.
    /// - Parameter folder: what a problem without a place is about.
    init(logged text: String, folder: String) {
        let mark = ": error: "
        guard let range = text.firstRange(ofText: mark) else {
            self.init(file: folder, line: nil, column: nil, message: text)
            return
        }
        let place = text[..<range.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = place.suffix(2).compactMap { Int($0) }
        let count =
            place.count > 2 && numbers.count == 2 ? 2 : place.count > 1 && Int(place[place.count - 1]) != nil ? 1 : 0
        let file = place.dropLast(count).joined(separator: ":")
        self.init(
            file: file, line: count == 0 ? nil : count == 2 ? numbers[0] : Int(place[place.count - 1]),
            column: count == 2 ? numbers[1] : nil, message: String(text[range.upperBound...]))
    }
}
