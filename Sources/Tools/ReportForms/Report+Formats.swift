public import SDBasics
public import SDReports
import SDStubModel

extension Report {
    /// The report in a form; nil for JSON, whose document has members that are not the report's.
    public func rendered(as format: ReportFormat) -> [UInt8]? {
        rendered(as: format, most: format == .markdown ? Self.mostMarkdown : Self.mostBytes)
    }

    /// The most bytes of a report in any form.
    public static let mostBytes = 8 << 20
    /// The most bytes of the form for the summary of a job: GitHub refuses one of more than 1 MiB, for all commands of a step.
    static let mostMarkdown = 1_000_000

    /// A report in a form that has no more than so many bytes: with entries left out, if it would have.
    func rendered(as format: ReportFormat, most: Int) -> [UInt8]? {
        // Of some texts a form shows a part only, but the escapes of others are longer.
        var (report, room) = (self, most)
        if report.weight > 2 * most { report.cut(to: 2 * most) }
        while true {
            guard let bytes = report.written(as: format) else { return nil }
            if bytes.count <= most || room < 1_000 { return bytes }
            room /= 2
            report = self
            report.cut(to: room)
        }
    }

    private func written(as format: ReportFormat) -> [UInt8]? {
        switch format {
        case .json: nil
        case .text: ReportText(report: self).bytes
        case .junit: JUnitReport(report: self).bytes
        case .html: HTMLReport(report: self).bytes
        case .github: GitHubReport(report: self).bytes
        case .markdown: MarkdownReport(report: self).bytes
        }
    }

    /// The report as JSON has it, bounded like the other forms.
    public func cutForJSON(_ most: Int = mostBytes) -> Report {
        guard weight > most / 2 else { return self }
        var report = self
        report.cut(to: most / 2)
        return report
    }

    /// What is said of the entries that were left out; nil for none.
    var cutText: String? {
        entriesLeftOut > 0
            ? "\(entriesLeftOut == 1 ? "1 entry is" : "\(entriesLeftOut) entries are") left out, with which the report would be too long"
            : nil
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
