public import SDOpenAPI

/// Why a contract gives no answer to a request.
public struct ContractRefusal: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, CaseIterable {
        /// None of the content types is acceptable.
        case notAcceptable
        /// The operation declares no such status.
        case noSuchStatus
        /// The answer has no example of that name.
        case noSuchExample
        /// The operation is broken in the document.
        case brokenOperation
        /// No value could be found that is valid against a schema.
        case cannotBeMade
        /// Making the answer takes more work than a request may cause.
        case outOfBudget
    }

    public var reason: Reason
    /// A sentence without a full stop.
    public var message: String
    /// What would be valid.
    public var expected: String?
    /// What was found instead.
    public var found: String?
    /// Where in the documents the reason stands.
    public var place: DocumentSet.Place?

    /// Makes a refusal.
    public init(
        _ reason: Reason, message: String, expected: String? = nil, found: String? = nil,
        place: DocumentSet.Place? = nil
    ) {
        self.reason = reason
        self.message = message
        self.expected = expected
        self.found = found
        self.place = place
    }

    /// The status with which a client is told.
    public var status: Int {
        switch reason {
        case .notAcceptable: 406
        case .noSuchStatus, .noSuchExample: 404
        case .brokenOperation, .cannotBeMade, .outOfBudget: 500
        }
    }
}
