/// The options of `stuntdouble report`.
public struct ReportOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble report` alone.
    static let report: [Option] = []
}

extension CommandLineParser {
    func report(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> ReportOptions {
        var options = settings.report
        options.notices = notices
        return options
    }
}
