/// The maximum cost of one of PCRE2's steps, as far as the expression tells.
///
/// PCRE2 counts backtracking points, not the work between them: a repetition or backreference walks along the subject,
/// alternatives are tried without being counted, and a search restarts at each position.
struct RegexCost: Sendable, Equatable {
    /// Whether a single step may walk along the whole subject.
    private let walks: Bool
    private let comparesGroups: Bool
    private let isAnywhere: Bool
    /// The number of combinations of all groups' alternatives.
    private let ways: Int

    /// The maximum number of bytes walked in a limited match: some milliseconds.
    private static let maxBytes = 10_000_000
    private static let maxSteps = 5_000_000
    /// The steps within which most matches end, in some microseconds.
    static let fewSteps = 1_000
    /// The minimum limit for which a match is worthwhile.
    static let minSteps = 100

    /// The costs of an expression without backreferences.
    init(walks: Bool, ways: Int, isAnywhere: Bool) {
        self.walks = walks
        self.ways = ways
        self.isAnywhere = isAnywhere
        comparesGroups = false
    }

    init(_ tokens: [RegexToken], isAnywhere: Bool) {
        self.isAnywhere = isAnywhere
        var walks = false
        comparesGroups = tokens.contains(where: \.isBackreference)
        var ways = 1
        // The number of alternatives of each open group.
        var open = [1]
        for token in tokens {
            switch token.kind {
            case .quantifier: walks = true
            case .open: open.append(1)
            case .alternation: open[open.count - 1] += 1
            case .close:
                let (product, overflows) = ways.multipliedReportingOverflow(by: open.removeLast())
                ways = overflows ? .max : product
            default: break
            }
        }
        self.walks = walks || comparesGroups
        self.ways = max(ways, open[0])
    }

    /// The time of a walk along a subject of `count` bytes, in nanoseconds: a repeated backreference compares its group
    /// at each byte.
    func nanosecondsOfWalk(along count: Int) -> Int { comparesGroups ? 6 * count : count + count / 2 }

    /// The step limit with which a match on a subject of `count` bytes ends soon.
    func stepLimit(for count: Int) -> Int {
        let length = max(count, 1)
        var steps = Self.maxBytes / ways
        if walks { steps /= length }
        if isAnywhere { steps /= length }
        return min(steps, Self.maxSteps)
    }
}
