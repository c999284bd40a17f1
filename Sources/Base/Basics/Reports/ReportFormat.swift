/// A form of a report.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For a terminal.
    case text
    case json
    /// JUnit's XML, which CI systems read.
    case junit
    /// A page that stands alone.
    case html
    /// Workflow commands of GitHub, which mark stubs at their lines.
    case github
    /// For the summary of a job.
    case markdown

    /// The type of its content.
    public var contentType: String {
        switch self {
        case .text, .github: "text/plain;charset=UTF-8"
        case .json: "application/json"
        case .junit: "application/xml"
        case .html: "text/html;charset=UTF-8"
        case .markdown: "text/markdown;charset=UTF-8"
        }
    }
}
