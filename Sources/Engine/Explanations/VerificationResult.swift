public import SDJournal

/// The result of a verification: the expected requests that a session has received.
public struct VerificationResult: Sendable {
    /// An expectation with what has met it.
    public struct Item: Sendable {
        public let expectation: Expectation
        /// The sequences of the events that meet it, ascending.
        public let met: [UInt64]
        /// The sequences of the events of which cannot be told whether they meet it, ascending.
        public let undecided: [UInt64]
        /// The sentence about the undecided events; nil if there are none.
        public let cannotTell: String?
        /// Whether as many events have met it as are expected.
        public let isOK: Bool
        /// Whether events that might count were evicted before they could be matched.
        public let isEvicted: Bool
        /// The events nearest to it that do not meet it, the nearest first, if too few have; nil if they were not
        /// searched for.
        public let nearMisses: [MissedRequest]?
    }

    /// The extent to which the events of a chain of expectations follow one another.
    public struct Chain: Sendable {
        /// Indices of expectations.
        public let expectations: [Int]
        /// The event with which each expectation that was reached was met.
        public let reached: [(place: Int, sequence: UInt64)]
        /// The first expectation whose events do not come after those of the previous ones; nil if the chain is whole.
        public let missing: Int?
    }

    /// Whether there is a journal; without one, nothing can be verified.
    public let isRecorded: Bool
    public let holds: Bool
    public let expectations: [Item]
    public let chains: [Chain]
    /// The first events that meet no expectation, though nothing else may come.
    public let unexpected: [ServeEvent]
    public let unexpectedCount: Int
    /// The sentence about the events that may be unexpected; nil if there are none.
    public let cannotTell: String?
    /// The sequence of the last event that was matched.
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
