/// A report format.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For a terminal.
    case text
    case json
    /// JUnit XML, for CI systems.
    case junit
    /// A self-contained HTML page.
    case html
    /// GitHub workflow commands, which annotate stubs at their lines.
    case github
    /// For a job summary on GitHub.
    case markdown

    /// Its media type.
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
