public import SDJournal

/// The result of a verification: the expected requests that a session has received.
public struct VerificationResult: Sendable {
    /// An expectation with the events that match it.
    public struct Item: Sendable {
        public let expectation: Expectation
        /// The sequence numbers of the matching events, ascending.
        public let met: [UInt64]
        /// The sequence numbers of the events that cannot be decided, ascending.
        public let undecided: [UInt64]
        /// The message about the undecided events; nil if there are none.
        public let cannotTell: String?
        /// Whether the number of matching events is as expected.
        public let isOK: Bool
        /// Whether events that might count were evicted before they could be matched.
        public let isEvicted: Bool
        /// The events nearest to it that do not match it, nearest first, if too few match; nil if they were not
        /// searched for.
        public let nearMisses: [MissedRequest]?
    }

    /// How far the events of a chain of expectations follow one another.
    public struct Chain: Sendable {
        /// Indices of expectations.
        public let expectations: [Int]
        /// The event that completed each expectation, as far as the chain was reached.
        public let reached: [(place: Int, sequence: UInt64)]
        /// The first expectation whose events do not come after those of the previous ones; nil if the chain is whole.
        public let missing: Int?
    }

    /// Whether there is a journal; without one, nothing can be verified.
    public let isRecorded: Bool
    public let holds: Bool
    public let expectations: [Item]
    public let chains: [Chain]
    /// The first events that match no expectation, if nothing else may arrive.
    public let unexpected: [ServeEvent]
    public let unexpectedCount: Int
    /// The message about the events that may be unexpected; nil if there are none.
    public let cannotTell: String?
    /// The sequence number of the last event that was matched.
    public let lastSequence: UInt64
}

extension VerificationResult {
    /// The result of a session without a journal.
    package init(unrecorded expected: ExpectedRequests) {
        let items = expected.expectations.map {
            Item(
                expectation: $0, met: [], undecided: [], cannotTell: nil, isOK: false, isEvicted: false, nearMisses: nil
            )
        }
        self.init(
            isRecorded: false, holds: false, expectations: items, chains: [], unexpected: [], unexpectedCount: 0,
            cannotTell: nil, lastSequence: 0)
    }
}
