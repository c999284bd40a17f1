/// The options of `stuntdouble stop`.
public struct StopOptions: Sendable, Equatable {
    /// The daemon to end.
    public var target = ServerTarget.file("")
    /// The maximum time to wait for its end.
    public var timeout = Duration.seconds(30)
    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?

    public init() {}
}

extension CommandLineParser {
    func stop(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> StopOptions {
        var options = StopOptions()
        options.target = try plainTarget(settings, operands, of: .stop)
        options.timeout = settings.timeout ?? options.timeout
        options.adminToken = settings.serve.adminToken
        options.adminBasicAuth = settings.serve.adminBasicAuth
        return options
    }
}
