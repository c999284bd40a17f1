/// The options of `stuntdouble top`.
public struct TopOptions: Sendable, Equatable {
    /// When output is coloured.
    public enum Colours: String, Sendable, CaseIterable {
        /// On a terminal with colours, unless `NO_COLOR` is set.
        case auto
        case always
        case never
    }

    /// The daemon and its credentials.
    public var query = QueryOptions()
    /// Whether to print one summary and exit.
    public var isOnce = false
    public var colours = Colours.auto
    public var wantsJSON = false

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble top` has.
    static let top: [Option] = [
        .flag(
            "once", \.top.isOnce, .questions, commands: [.top],
            "Print a summary and exit: counts, stubs by hits, held requests."),
        .choice(
            "color", "WHEN", \.top.colours, .questions, commands: [.top],
            "When to use colours. With auto on a terminal that supports them, unless $NO_COLOR is set; bold and "
                + "reverse are always used."
        ),
    ]
}

extension CommandLineParser {
    func top(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> TopOptions {
        var options = settings.top
        options.query = try askedDaemon(settings, operands, of: .top)
        options.wantsJSON = settings.wantsJSON
        return options
    }
}
