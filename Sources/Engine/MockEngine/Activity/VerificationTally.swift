import StubModel

/// What has come of the expectations of a document so far: which events meet which of them.
struct VerificationTally {
    let document: VerificationDocument
    /// Of each expectation, the sequences of the events that meet it, going up.
    private(set) var met: [[UInt64]]
    /// Those that meet none and should not be there, going up.
    private(set) var unexpected: [UInt64] = []

    init(_ document: VerificationDocument) {
        self.document = document
        met = document.expectations.map { _ in [] }
    }

    /// - Parameter places: the expectations that the event meets.
    mutating func add(_ sequence: UInt64, meeting places: [Int]) {
        if sequence > document.since {
            for place in places { met[place].append(sequence) }
        }
        if places.isEmpty, let since = document.nothingElseSince, sequence > since { unexpected.append(sequence) }
    }

    /// From which sequence on events are looked at at all.
    static func firstOfInterest(_ document: VerificationDocument) -> UInt64 {
        min(document.since, document.nothingElseSince ?? .max)
    }

    mutating func forget(_ forgotten: ForgottenEvents) {
        func keep(_ sequence: UInt64) -> Bool {
            switch forgotten {
            case .through(let last): sequence > last
            case .these(let gone): !gone.contains(sequence)
            }
        }
        for place in met.indices { met[place] = met[place].filter(keep) }
        unexpected = unexpected.filter(keep)
    }

    // MARK: Verdict

    func isMet(_ place: Int) -> Bool {
        document.expectations[place].count.contains(met[place].count)
    }

    var holds: Bool {
        met.indices.allSatisfy(isMet) && unexpected.isEmpty && document.chains.allSatisfy { walk($0).isWhole }
    }

    /// How far the events of a chain come one after the other.
    struct Walk {
        /// For each expectation of the chain that was reached, the event with which it was met.
        var reached: [(place: Int, sequence: UInt64)] = []
        /// The first expectation whose events do not come behind those before it.
        var missing: Int?

        var isWhole: Bool { missing == nil }
    }

    /// Takes for each expectation the first events behind those of the one before it, as many as it needs; no other choice
    /// reaches further. An expectation that needs none has no place in an order.
    func walk(_ chain: [Int]) -> Walk {
        var walk = Walk()
        var last: UInt64 = 0
        for place in chain {
            let needed = document.expectations[place].count.least
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

extension [UInt64] {
    /// Of a list that goes up, where the first element above `bound` stands; behind the end where none is.
    func firstIndex(above bound: UInt64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > bound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
