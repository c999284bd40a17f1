/// The options of `stuntdouble check`.
public struct CheckOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble check` alone.
    static let check: [Option] = []
}

extension CommandLineParser {
    func check(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> CheckOptions {
        var options = settings.check
        options.notices = notices
        return options
    }
}
