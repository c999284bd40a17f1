public import SDBasics

extension Report {
    /// The report in a form; nil for JSON, whose document has members that are not the report's.
    public func rendered(as format: ReportFormat) -> [UInt8]? {
        switch format {
        case .json: nil
        case .text: Array(ReportText.text(self).utf8)
        case .junit: Array(JUnitReport.text(self).utf8)
        case .html: Array(HTMLReport.text(self).utf8)
        case .github: Array(GitHubReport.text(self).utf8)
        case .markdown: Array(MarkdownReport.text(self).utf8)
        }
    }
}
