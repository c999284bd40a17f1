/// The options of `stuntdouble init`.
public struct InitOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble init` alone.
    static let initialize: [Option] = []
}

extension CommandLineParser {
    func initialize(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> InitOptions {
        var options = settings.initialize
        options.notices = notices
        return options
    }
}
