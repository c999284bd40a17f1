/// The options of `stuntdouble run`.
public struct RunOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble run` alone.
    static let run: [Option] = []
}

extension CommandLineParser {
    func run(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> RunOptions {
        var options = settings.run
        options.notices = notices
        return options
    }
}
