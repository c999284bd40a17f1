/// The options of `stuntdouble schema`.
public struct SchemaOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble schema` alone.
    static let schema: [Option] = []
}

extension CommandLineParser {
    func schema(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> SchemaOptions {
        if let operand = operands.first { throw .unexpectedArgument(operand, command: .schema) }
        var options = settings.schema
        options.notices = notices
        return options
    }
}
