import SDStubModel

/// The expectations that an event matches, as indices.
package struct MetExpectations {
    package var places: [Int] = []
    /// The expectations that cannot be decided, because only the beginning of the body is stored.
    package var undecided: [Int] = []
}

/// The events that have matched each expectation so far.
package struct ExpectationCounts {
    package let expected: ExpectedRequests
    /// For each expectation, the sequence numbers of the matching events, ascending.
    package private(set) var met: [[UInt64]]
    /// For each expectation, the sequence numbers of the undecided events, ascending.
    package private(set) var undecided: [[UInt64]]
    /// The sequence numbers of unexpected events, which match no expectation, ascending.
    package private(set) var unexpected: [UInt64] = []
    /// The sequence numbers of events that may be unexpected, ascending.
    package private(set) var perhapsUnexpected: [UInt64] = []

    /// The arrivals of events whose sequence numbers differ.
    private var arrivals: [UInt64: UInt64] = [:]

    package init(_ expected: ExpectedRequests) {
        self.expected = expected
        met = expected.expectations.map { _ in [] }
        undecided = met
    }

    /// Adds an event.
    package mutating func add(_ event: ServeEvent, meeting expectations: MetExpectations) {
        let sequence = event.sequence
        if event.arrival != sequence { arrivals[sequence] = event.arrival }
        if sequence > expected.since {
            for place in expectations.places { met[place].insert(ascending: sequence) }
            for place in expectations.undecided { undecided[place].insert(ascending: sequence) }
        }
        guard expectations.places.isEmpty, let since = expected.nothingElseSince, sequence > since else { return }
        if expectations.undecided.isEmpty {
            unexpected.insert(ascending: sequence)
        } else {
            perhapsUnexpected.insert(ascending: sequence)
        }
    }

    /// The first sequence number whose event must be matched.
    static func firstOfInterest(_ expected: ExpectedRequests) -> UInt64 {
        min(expected.since, expected.nothingElseSince ?? .max)
    }

    package mutating func remove(_ forgotten: RemovedEvents) {
        func keep(_ sequence: UInt64) -> Bool {
            switch forgotten {
            case .through(let last): (arrivals[sequence] ?? sequence) > last
            case .these(let gone, _): !gone.contains(sequence)
            }
        }
        for place in met.indices {
            met[place] = met[place].filter(keep)
            undecided[place] = undecided[place].filter(keep)
        }
        unexpected = unexpected.filter(keep)
        perhapsUnexpected = perhapsUnexpected.filter(keep)
    }

    // MARK: Verdict

    /// Whether the number of matching events is as expected, however the undecided ones turn out.
    package func isMet(_ place: Int) -> Bool {
        let (count, sure) = (expected.expectations[place].count, met[place].count)
        return count.contains(sure) && count.contains(sure + undecided[place].count)
    }

    package var holds: Bool {
        met.indices.allSatisfy(isMet) && unexpected.isEmpty && perhapsUnexpected.isEmpty
            && expected.chains.allSatisfy { walk($0).isWhole }
    }

    /// How far the events of a chain follow one another.
    package struct Walk {
        /// The event that completed each expectation of the chain, as far as it was reached.
        package var reached: [(place: Int, sequence: UInt64)] = []
        /// The first expectation whose events do not come after those of the previous ones.
        package var missing: Int?

        package var isWhole: Bool { missing == nil }
    }

    /// Takes for each expectation the first events after those of the previous one, as many as it needs; no other
    /// choice reaches further. An expectation that needs none is skipped.
    package func walk(_ chain: [Int]) -> Walk {
        var walk = Walk()
        var last: UInt64 = 0
        for place in chain {
            let needed = expected.expectations[place].count.least
            guard needed > 0 else { continue }
            let sequences = met[place]
            let index = sequences.firstIndex(above: last) + needed - 1
            guard index < sequences.count else {
                walk.missing = place
                return walk
            }
            last = sequences[index]
            walk.reached.append((place, last))
        }
        return walk
    }

}
