public import SDMatching
public import SDStubModel

/// The properties of a stub that the checks look at.
public protocol LintedStub: AnyObject, Sendable {
    var mapping: StubMapping { get }
    var pattern: CompiledPattern { get }
    /// The priority; lower numbers win.
    var priority: Int { get }
    /// The file that the stub was read from, relative to its folder; nil for a stub of the admin API.
    var file: String? { get }
    /// The reference by which its author finds it.
    var reference: StubReference { get }
    /// Whether it is the stub of an operation of an OpenAPI document, over which routes and other documents may stand.
    var isOfContract: Bool { get }
}
