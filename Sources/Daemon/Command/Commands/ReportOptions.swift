public import SDBasics

/// The options of `stuntdouble report`.
public struct ReportOptions: Sendable, Equatable {
    /// The daemon, with its credentials.
    public var query = QueryOptions()
    public var verdict = VerdictOptions()
    public var format = ReportFormat.text
    /// The session that is asked for; nil for the one that the server's address names.
    public var session: String?
    /// The file that is written; nil for standard output.
    public var output: String?
    /// Whether the report begins anew once it is told.
    public var resets = false
    public var notices: [String] = []

    /// The daemon that is asked where none is named.
    static let usualServer = "http://127.0.0.1:8080"

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble report` alone.
    static let report: [Option] = [
        .path(
            "session", .text, "ID", \.report.session, .verdict, commands: [.report],
            "The session to report on. By default the one that --url names, or else the daemon itself."),
        .path(
            "output", short: "o", .file, "FILE", \.report.output, .verdict, commands: [.report],
            "Write the report to FILE instead of standard output, and its last line to standard error. What "
                + "$GITHUB_STEP_SUMMARY names is appended to."),
        .flag(
            "all-stubs", \.verdict.countsInherited, .verdict, commands: [.report],
            "Of a session, count also the stubs that it inherits among those that are unused or unmet; what sessions begun through "
                + "it use is used."),
        .flag(
            "reset", \.report.resets, .verdict, commands: [.report],
            "Begin the report anew once it is written: what was seen so far counts no more."),
    ]
}

extension CommandLineParser {
    func report(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> ReportOptions {
        if let operand = operands.first { throw .unexpectedArgument(operand, command: .report) }
        var options = settings.report
        options.query = settings.query
        options.query.server = options.query.server ?? ServerURL(ReportOptions.usualServer)
        options.query.adminToken = settings.serve.adminToken
        options.query.adminBasicAuth = settings.serve.adminBasicAuth
        options.verdict = settings.verdict
        options.format = try format(settings, .text)
        options.notices = notices
        return options
    }
}
