package import SDJSON
package import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A stub: a request pattern and its answers.
///
/// Most tests pass both to `mock.stub` directly. A `Stub` value is useful to add several at once or to replace one:
/// `try await mock.stub([Stub(.get("/a"), .text("a")), Stub(.get("/b"), .text("b"))])`. The types of its parts are
/// nested here, so that they do not clash with names of the program under test.
public struct Stub: Sendable, Hashable {
    /// The id of a stub or a fault.
    public typealias ID = UUID

    /// The stub in the daemon's model.
    package var model: SDStubModel.StubMapping

    package init(_ model: SDStubModel.StubMapping) {
        self.model = model
    }

    /// Parses an id in the server's notation.
    package static func id(text: String) -> ID? { SDStubModel.StubMapping.id(text: text) }

    /// The id; generated unless an answer has set it.
    public var id: ID { model.id }
    /// The name in reports; nil if not set.
    public var name: String? { model.name }
    /// The stub in WireMock's JSON.
    public var json: JSON { JSON(model.json()) }
}

extension Stub {
    /// A request pattern: a method, a path, and further conditions.
    public struct Request: Sendable, Hashable {
        package var model: SDStubModel.RequestPattern

        package init(_ model: SDStubModel.RequestPattern = SDStubModel.RequestPattern()) {
            self.model = model
        }

        package var json: JSONValue { model.json }
    }

    /// A condition on a value: a header, a parameter, a body.
    public struct Match: Sendable, Hashable {
        package var model: SDStubModel.ValueMatcher

        package init(_ model: SDStubModel.ValueMatcher) {
            self.model = model
        }
    }

    /// A condition on a part of a multipart body.
    public struct Part: Sendable, Hashable {
        package var model: SDStubModel.MultipartPattern
    }

    /// A fault that breaks an answer; its conditions say when it applies.
    public struct Fault: Sendable, Hashable {
        package var model = SDStubModel.FaultRule()
    }

    /// A delay that is sampled for each answer.
    public struct Delay: Sendable, Hashable {
        package var model: SDStubModel.DelayDistribution
    }

    /// A rate in bytes per second.
    public struct Rate: Sendable, Hashable {
        package var model: SDStubModel.ByteRate
    }

    /// An event or a chunk of a stream.
    public struct Piece: Sendable, Hashable {
        package var model: SDStubModel.StreamDefinition.Item
    }
}
