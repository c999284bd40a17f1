public import SDOpenAPI

/// Why a contract has no answer to a request.
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
        /// No value was found that satisfies a schema.
        case cannotBeMade
        /// Generating the answer takes more work than a request may cause.
        case outOfBudget
    }

    public var reason: Reason
    /// A sentence without a full stop.
    public var message: String
    /// What would be valid.
    public var expected: String?
    /// What was found instead.
    public var found: String?
    /// The location of the reason in the documents.
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

    /// The status of the error response.
    public var status: Int {
        switch reason {
        case .notAcceptable: 406
        case .noSuchStatus, .noSuchExample: 404
        case .brokenOperation, .cannotBeMade, .outOfBudget: 500
        }
    }
}
