public import SDJSON
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
}

/// A warning about a stub that is logged when it is read.
public struct StubWarning: Sendable, Hashable {
    /// The path in WireMock's form of the stub.
    public let pointer: JSONPointer
    /// The message, a sentence without a full stop.
    public let message: String
}
