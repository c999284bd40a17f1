/// The options of `stuntdouble top`.
public struct TopOptions: Sendable, Equatable {
    /// When colours are written.
    public enum Colours: String, Sendable, CaseIterable {
        /// On a terminal that has them, unless `NO_COLOR` is set.
        case auto
        case always
        case never
    }

    /// The daemon, with its credentials.
    public var query = QueryOptions()
    /// The file with the daemon's port, in place of its address.
    public var portFile: String?
    /// Whether a summary is told once, in place of what comes.
    public var isOnce = false
    public var colours = Colours.auto
    public var wantsJSON = false
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble top` alone.
    static let top: [Option] = [
        .flag(
            "once", \.top.isOnce, .questions, commands: [.top],
            "Print a summary and end: counts, stubs by hits, what is held."),
        .choice(
            "color", "WHEN", \.top.colours, .questions, commands: [.top],
            "Write colours. With auto on a terminal that has them, unless $NO_COLOR is set; without them bold and reverse remain."
        ),
    ]
}

extension CommandLineParser {
    func top(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> TopOptions {
        var options = settings.top
        options.query = settings.query
        switch try target(settings, operands, of: .top, scanner) {
        case .url(let server): options.query.server = server
        case .file(let path):
            if folderExists(path) { throw .unexpectedArgument(path, command: .top) }
            options.portFile = path
        case .secured:
            throw .invalidValue(
                .argument("top"), found: operands.first ?? "",
                expected: "the address of the daemon's HTTP port, as this command speaks no TLS")
        }
        options.query.adminToken = settings.serve.adminToken
        options.query.adminBasicAuth = settings.serve.adminBasicAuth
        options.wantsJSON = settings.wantsJSON
        options.notices = notices
        return options
    }
}
