/// The options of `stuntdouble stop`.
public struct StopOptions: Sendable, Equatable {
    /// The daemon to end.
    public var target = ServerTarget.file("")
    /// How long to wait for its end.
    public var timeout = Duration.seconds(30)
    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?
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
        var options = StopOptions()
        options.target = try target(settings, operands, of: .stop, scanner)
        if case .secured = options.target, let operand = operands.first {
            throw .invalidValue(
                .argument("stop"), found: operand,
                expected: "the address of the daemon's HTTP port, as this command speaks no TLS")
        }
        options.timeout = settings.timeout ?? options.timeout
        options.adminToken = settings.serve.adminToken
        options.adminBasicAuth = settings.serve.adminBasicAuth
        options.notices = notices
        return options
    }
}
