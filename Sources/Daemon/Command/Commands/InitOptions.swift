/// The options of `stuntdouble init`.
public struct InitOptions: Sendable, Equatable {
    /// The folder that is written to.
    public var folder = StubRoot.usual.path
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
        if operands.count > 1 { throw .unexpectedArgument(operands[1], command: .initialize) }
        var options = settings.initialize
        if let folder = operands.first { options.folder = folder }
        if !folderExists(options.folder), fileExists(options.folder) { throw .fileForFolder(options.folder) }
        options.notices = notices
        return options
    }
}
