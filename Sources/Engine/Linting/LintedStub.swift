public import SDMatching
public import SDStubModel

/// The properties of a stub that the checks use.
public protocol LintedStub: AnyObject, Sendable {
    var mapping: StubMapping { get }
    var pattern: CompiledPattern { get }
    /// The priority; lower numbers win.
    var priority: Int { get }
    /// The file that the stub was read from, relative to its folder; nil for a stub of the admin API.
    var file: String? { get }
    /// The reference by which its author finds it.
    var reference: StubReference { get }
    /// Whether it was generated from an OpenAPI document; routes and other documents may override it.
    var isOfContract: Bool { get }
}
