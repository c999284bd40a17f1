public import SDBasics
public import SDReports
import SDStubModel

extension Report {
    /// The report in a format; nil for JSON, whose document has further members.
    public func rendered(as format: ReportFormat) -> [UInt8]? {
        rendered(as: format, most: format == .markdown ? Self.maxMarkdown : Self.maxBytes)
    }

    /// The maximum size of a report in bytes, in any format.
    public static let maxBytes = 8 << 20
    /// The maximum size of a job summary in bytes: GitHub rejects more than 1 MiB for all commands of a step.
    static let maxMarkdown = 1_000_000

    /// The report in a format, within `most` bytes: entries are left out as needed.
    func rendered(as format: ReportFormat, most: Int) -> [UInt8]? {
        // Formats cut some texts, but escaping makes others longer.
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

    /// The report for JSON, within the same bounds.
    public func cutForJSON(_ most: Int = maxBytes) -> Report {
        guard weight > most / 2 else { return self }
        var report = self
        report.cut(to: most / 2)
        return report
    }

    /// A note about the entries left out; nil for none.
    var cutText: String? {
        entriesLeftOut > 0
            ? "\(entriesLeftOut == 1 ? "1 entry is" : "\(entriesLeftOut) entries are") left out, with which the report would be too long"
            : nil
    }
}

/// Writes a report in one format.
protocol ReportWriter {
    var report: Report { get }
    /// The text so far.
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

    /// A stub by its name or key, and its location.
    func name(_ stub: StubReference) -> String { stub.text(in: report.folder) }
}
