public import SDBasics
import SDStubModel

extension Report {
    /// The report in a form; nil for JSON, whose document has members that are not the report's.
    public func rendered(as format: ReportFormat) -> [UInt8]? {
        switch format {
        case .json: nil
        case .text: ReportText(report: self).bytes
        case .junit: JUnitReport(report: self).bytes
        case .html: HTMLReport(report: self).bytes
        case .github: GitHubReport(report: self).bytes
        case .markdown: MarkdownReport(report: self).bytes
        }
    }
}

/// Writes a report in one form.
protocol ReportWriter {
    var report: Report { get }
    /// What is written so far.
    var text: String { get }

    /// Writes the whole report.
    mutating func write()
}

extension ReportWriter {
    /// The whole report.
    fileprivate var bytes: [UInt8] {
        var writer = self
        writer.write()
        return Array(writer.text.utf8)
    }

    /// A stub by its name or key, and its place.
    func name(_ stub: StubReference) -> String { stub.text(in: report.folder) }
}
