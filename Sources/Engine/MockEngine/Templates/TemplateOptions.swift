public import SDRegularExpressions

/// The options for what templates see of the machine.
public struct TemplateOptions: Sendable {
    /// The name that the helper `hostname` prints.
    public var hostName = "localhost"
    /// The value of an environment variable, for `systemValue`; nil if it is not set.
    public var environmentVariable: @Sendable (String) -> String? = { _ in nil }
    /// The names that `systemValue` may read, as expressions that match a whole name: `--permitted-system-keys`. Nil for
    /// the usual ones.
    public var permittedKeys: [JavaRegex]?

    private static let usualKeys = [try? JavaRegex("wiremock.*", .ignoringCase)].compactMap { $0 }

    public init() {}

    func permits(_ key: String) -> Bool {
        (permittedKeys ?? Self.usualKeys).contains { $0.matches(Array(key.utf8)[...]) }
    }
}
