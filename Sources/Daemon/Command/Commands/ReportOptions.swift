public import SDBasics

/// The options of `stuntdouble report`.
public struct ReportOptions: Sendable, Equatable {
    /// The daemon and its credentials.
    public var query = QueryOptions()
    public var verdict = VerdictOptions()
    public var format = ReportFormat.text
    /// The session to report on; nil for the one in the server's address.
    public var session: String?
    /// The output file; nil for standard output.
    public var output: String?
    /// Whether the report is reset after it is written.
    public var resets = false

    /// The daemon used if none is named.
    static let usualServer = "http://127.0.0.1:8080"

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble report` has.
    static let report: [Option] = [
        .path(
            "session", .text, "ID", \.report.session, .verdict, commands: [.report],
            "The session to report on; by default the one in --url, or the default session."),
        .path(
            "output", short: "o", .file, "FILE", \.report.output, .verdict, commands: [.report],
            "Write the report to FILE instead of standard output, and its last line to standard error. The file "
                + "named by $GITHUB_STEP_SUMMARY is appended to."),
        .flag(
            "all-stubs", \.verdict.countsInherited, .verdict, commands: [.report],
            "Also count a session's inherited stubs as unused or unmet; uses by its child sessions count as uses."),
        .flag(
            "reset", \.report.resets, .verdict, commands: [.report],
            "Reset the report after writing it: later reports count only new requests."),
    ]
}

extension CommandLineParser {
    func report(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> ReportOptions {
        var options = settings.report
        options.query = try askedDaemon(settings, operands, of: .report)
        options.verdict = settings.verdict
        options.format = try format(settings, .text)
        return options
    }
}
