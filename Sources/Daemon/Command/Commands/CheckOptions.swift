/// The options of `stuntdouble check`.
public struct CheckOptions: Sendable, Equatable {
    /// The folder of the stubs.
    public var root = StubRoot.fallback
    /// The options of the server that the stubs are for.
    public var serve = ServeOptions()
    /// The base URL of the real service.
    public var target = ""
    /// Headers sent with every request.
    public var headers: [RequestHeader] = []
    /// Values for parameters without an example, by name.
    public var values: [String: String] = [:]
    /// Whether unsafe methods (POST, PUT and so on) are sent.
    public var isUnsafe = false
    /// Whether untrusted certificates are accepted.
    public var isInsecure = false
    /// The timeout of each request.
    public var timeout = Duration.seconds(30)
    var givenValues: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble check` has.
    static let check: [Option] = [
        .list(
            "param", .text, "NAME=VALUE", \.check.givenValues, .questions, commands: [.check],
            "The value for a path variable, parameter, header, cookie or field without an example; repeatable."
        ),
        .flag(
            "unsafe", \.check.isUnsafe, .questions, commands: [.check],
            "Also send the requests of POST, PUT, PATCH, DELETE and the like to the real service."),
        .flag(
            "insecure", \.check.isInsecure, .questions, commands: [.check],
            "Do not verify the certificate of the real service."),
    ]
}

extension CommandLineParser {
    func check(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> CheckOptions {
        var options = settings.check
        guard let target = operands.first else { throw .missingArgument(command: .check) }
        do throws(ValueExpectation) {
            _ = try ValueKind.targetURL.parse(target)
        } catch {
            throw .invalidValue(.argument("URL"), found: target, expected: error.expected, nearest: error.nearest)
        }
        options.target = target
        options.root = try root(settings, Array(operands.dropFirst()), of: .check)
        for text in options.givenValues {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .invalidValue(.option("--param"), found: text, expected: "NAME=VALUE, such as id=7")
            }
            options.values[parts[0]] = parts[1]
        }
        options.givenValues = []
        options.headers = settings.query.headers
        options.serve = settings.servedBy
        options.timeout = settings.timeout ?? options.timeout
        return options
    }
}
