public import SDStubModel

/// The stub that answered a request, as its event and the journal know it.
///
/// An abstract class rather than a protocol: a reference to it takes one word of every event.
open class JournaledStub: @unchecked Sendable {
    public init() {}

    open var stubID: StubMapping.ID { preconditionFailure("abstract") }
    open var mapping: StubMapping { preconditionFailure("abstract") }
    open var reference: StubReference { preconditionFailure("abstract") }
    /// The status of its constant answer.
    open var answerStatus: Int { preconditionFailure("abstract") }
    /// The identity of its answer, which the journal is charged for once it is served no more.
    open var answerID: ObjectIdentifier { preconditionFailure("abstract") }
    /// Whether a listener reads the whole bodies of its exchanges.
    open var readsBodies: Bool { preconditionFailure("abstract") }
    open var answer: any JournaledAnswer { preconditionFailure("abstract") }
}

/// A stub's answer, as events show it.
public protocol JournaledAnswer: AnyObject, Sendable {
    var definition: ResponseDefinition { get }
    var fault: Fault? { get }
    /// What is sent where the answer is constant.
    var served: ServedResponse { get }
}
