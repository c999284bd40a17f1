public import SDRegularExpressions
package import SDStubModel

/// The properties of the machine that templates can read.
public struct TemplateOptions: Sendable {
    /// The name that the helper `hostname` prints.
    public var hostName = "localhost"
    /// The value of an environment variable, for `systemValue`; nil if it is not set.
    public var environmentVariable: @Sendable (String) -> String? = { _ in nil }
    /// The names that `systemValue` may read, as expressions that match a whole name: `--permitted-system-keys`. Nil
    /// for the defaults.
    public var permittedKeys: [JavaRegex]?

    private static let usualKeys = [try? JavaRegex("wiremock.*", .ignoringCase)].compactMap { $0 }

    public init() {}

    func permits(_ key: String) -> Bool {
        (permittedKeys ?? Self.usualKeys).contains { $0.matches(Array(key.utf8)[...]) }
    }
}

/// Which responses are templates: WireMock's `--global-response-templating` and `--disable-response-templating`. A
/// response's own setting takes precedence over the first.
public enum TemplatingMode: Sendable {
    /// The responses that name the transformer `response-template`.
    case local
    case global
    case off

    package func applies(to definition: borrowing ResponseDefinition) -> Bool {
        switch self {
        case .local: definition.template ?? definition.transformers.contains("response-template")
        case .global: definition.template ?? true
        case .off: false
        }
    }
}
