/// The options of `stuntdouble stop`.
public struct StopOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble stop` alone.
    static let stop: [Option] = []
}

extension CommandLineParser {
    func stop(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> StopOptions {
        var options = settings.stop
        options.notices = notices
        return options
    }
}
