/// The options of `stuntdouble wait`.
public struct WaitOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble wait` alone.
    static let wait: [Option] = []
}

extension CommandLineParser {
    func wait(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> WaitOptions {
        var options = settings.wait
        options.notices = notices
        return options
    }
}
