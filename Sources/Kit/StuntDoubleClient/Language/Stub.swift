package import SDJSON
package import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A stub: a request, and the answers to it.
///
/// Most tests write both as arguments of `mock.stub`. A value is of use where several stubs are added or one is replaced:
/// `try await mock.stub([Stub(.get("/a"), .text("a")), Stub(.get("/b"), .text("b"))])`. The types of which stubs are made
/// are nested here, so that they take no name of the program under test.
public struct Stub: Sendable, Hashable {
    /// The id of a stub, or of a fault.
    public typealias ID = UUID

    /// The stub as the daemon reads it.
    package var model: SDStubModel.StubMapping

    package init(_ model: SDStubModel.StubMapping) {
        self.model = model
    }

    /// Reads an id as the server writes it.
    package static func id(text: String) -> ID? { SDStubModel.StubMapping.id(text: text) }

    /// The id; a new one unless an answer has said it.
    public var id: ID { model.id }
    /// The name in reports; nil if it has none.
    public var name: String? { model.name }
    /// The stub in WireMock's JSON.
    public var json: JSON { JSON(model.json()) }
}

extension Stub {
    /// A pattern of requests: a method, a path, and further conditions.
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

    /// A fault that breaks an answer; its conditions say when it acts.
    public struct Fault: Sendable, Hashable {
        package var model = SDStubModel.FaultRule()
    }

    /// A delay that is drawn for each answer.
    public struct Delay: Sendable, Hashable {
        package var model: SDStubModel.DelayDistribution
    }

    /// A number of bytes each second.
    public struct Rate: Sendable, Hashable {
        package var model: SDStubModel.ByteRate
    }

    /// An event or a piece of a stream.
    public struct Piece: Sendable, Hashable {
        package var model: SDStubModel.StreamDefinition.Item
    }
}
