public import SDRegularExpressions

/// The options for what templates see of the machine.
public struct TemplateOptions: Sendable {
    /// The name that the helper `hostname` prints.
    public var hostName = "localhost"
    public var environment: [String: String] = [:]
    /// The names that `systemValue` may read, as expressions that match a whole name: `--permitted-system-keys`.
    public var permittedKeys: [JavaRegex] = [try? JavaRegex("wiremock.*", .ignoringCase)].compactMap { $0 }

    public init() {}

    func permits(_ key: String) -> Bool {
        permittedKeys.contains { $0.matches(Array(key.utf8)[...]) }
    }
}
