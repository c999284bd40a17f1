public import SDStubModel

/// The stub that answered a request, as the event and the journal see it.
///
/// An abstract class rather than a protocol, because a reference to it takes only one word in every event.
open class JournaledStub: @unchecked Sendable {
    public init() {}

    open var stubID: StubMapping.ID { preconditionFailure("abstract") }
    open var mapping: StubMapping { preconditionFailure("abstract") }
    open var reference: StubReference { preconditionFailure("abstract") }
    /// The status of its constant answer.
    open var answerStatus: Int { preconditionFailure("abstract") }
    /// The identity of the answer; the journal is charged for the answer once it is no longer served.
    open var answerID: ObjectIdentifier { preconditionFailure("abstract") }
    /// Whether a listener reads the whole bodies of its exchanges.
    open var readsBodies: Bool { preconditionFailure("abstract") }
    open var answer: any JournaledAnswer { preconditionFailure("abstract") }
}

/// A stub's answer, as events show it.
public protocol JournaledAnswer: AnyObject, Sendable {
    var definition: ResponseDefinition { get }
    var fault: Fault? { get }
    /// The response, if the answer is constant.
    var served: ServedResponse { get }
}
