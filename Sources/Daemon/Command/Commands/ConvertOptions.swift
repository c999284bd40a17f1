/// The options of `stuntdouble convert`.
public struct ConvertOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble convert` alone.
    static let convert: [Option] = []
}

extension CommandLineParser {
    func convert(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> ConvertOptions {
        var options = settings.convert
        options.notices = notices
        return options
    }
}
