public import SDStubModel

/// The expected number of requests: a lower bound, an upper bound, or both.
public struct CountRange: Sendable, Hashable {
    public var least: Int
    /// The upper bound; nil if there is none.
    public var most: Int?

    public init(least: Int = 1, most: Int? = nil) {
        self.least = least
        self.most = most
    }

    public func contains(_ count: Int) -> Bool {
        count >= least && count <= most ?? .max
    }
}

extension CountRange: CustomStringConvertible {
    /// The count in words: `at least 2`, `exactly 1`, `at most 3`, `2 to 5`.
    public var description: String {
        guard let most else { return "at least \(least)" }
        if most == least { return "exactly \(most)" }
        return least == 0 ? "at most \(most)" : "\(least) to \(most)"
    }
}

/// Expected requests: a pattern and a count.
public struct Expectation: Sendable, Hashable {
    /// The name in the answer.
    public var name: String?
    public var pattern: RequestPattern
    public var count: CountRange

    public init(name: String? = nil, pattern: RequestPattern, count: CountRange = CountRange()) {
        self.name = name
        self.pattern = pattern
        self.count = count
    }
}

/// The requests that a session is expected to have received.
public struct ExpectedRequests: Sendable, Hashable {
    public var expectations: [Expectation]
    /// Lists of indices in `expectations` whose requests must follow one another.
    public var chains: [[Int]] = []
    /// Requests with a higher sequence number must each match an expectation; nil allows any.
    public var nothingElseSince: UInt64?
    /// The sequence number above which requests count.
    public var since: UInt64 = 0

    public init(_ expectations: [Expectation]) {
        self.expectations = expectations
    }
}
