import SDStubModel

/// The expectations that an event meets, as indices.
package struct MetExpectations {
    package var places: [Int] = []
    /// Those of which cannot be told whether it meets them, since only the beginning of its body was kept.
    package var undecided: [Int] = []
}

/// The events that have met each expectation so far.
package struct VerificationTally {
    package let expected: ExpectedRequests
    /// The sequences of the events that meet each expectation, ascending.
    package private(set) var met: [[UInt64]]
    /// The sequences of the events of which cannot be told whether they meet each expectation, ascending.
    package private(set) var undecided: [[UInt64]]
    /// The sequences of unexpected events, which meet no expectation, ascending.
    package private(set) var unexpected: [UInt64] = []
    /// The sequences of the events of which cannot be told whether they are unexpected, ascending.
    package private(set) var perhapsUnexpected: [UInt64] = []

    /// The arrivals of events that differ from their sequences.
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

    /// The first sequence whose event must be matched.
    static func firstOfInterest(_ expected: ExpectedRequests) -> UInt64 {
        min(expected.since, expected.nothingElseSince ?? .max)
    }

    package mutating func forget(_ forgotten: ForgottenEvents) {
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

    /// Whether as many events meet an expectation as are expected, whichever of the undecided ones do.
    package func isMet(_ place: Int) -> Bool {
        let (count, sure) = (expected.expectations[place].count, met[place].count)
        return count.contains(sure) && count.contains(sure + undecided[place].count)
    }

    package var holds: Bool {
        met.indices.allSatisfy(isMet) && unexpected.isEmpty && perhapsUnexpected.isEmpty
            && expected.chains.allSatisfy { walk($0).isWhole }
    }

    /// The extent to which the events of a chain follow one another.
    package struct Walk {
        /// The event with which each expectation of the chain that was reached was met.
        package var reached: [(place: Int, sequence: UInt64)] = []
        /// The first expectation whose events do not come after those of the previous ones.
        package var missing: Int?

        package var isWhole: Bool { missing == nil }
    }

    /// Takes for each expectation the first events after those of the previous one, as many as it needs; no other
    /// choice reaches further. An expectation that needs none has no place in an order.
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
