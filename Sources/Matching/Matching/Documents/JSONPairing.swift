import SDJSON

/// Pairs the expected elements of an array with distinct actual ones, in any order.
///
/// Exact equals are paired by fingerprint. The rest is a maximum matching in a bipartite graph, found along augmenting
/// paths (breadth first, so that long arrays need no deep stack). An edge is computed once, when it is first needed.
struct JSONPairing {
    private let expected: [JSONExpectation]
    private let actual: [JSONValue]
    private let digest: JSONDigest?
    /// The index of the actual element of each expected one.
    private var partner: [Int?]
    /// The index of the expected element of each actual one.
    private var owner: [Int?]
    private var edges: [Edges] = []
    /// The actual elements that are not paired by fingerprint.
    private var free: [Int] = []
    private var candidates: JSONCandidates?

    /// The actual elements that an expected one is known to accept.
    private struct Edges {
        var accepted: [Int] = []
        var candidates: [Int]?
        var nextCandidate = 0
    }

    init(_ expected: [JSONExpectation], _ actual: [JSONValue], _ digest: JSONDigest?) {
        self.expected = expected
        self.actual = actual
        self.digest = digest
        partner = Array(repeating: nil, count: expected.count)
        owner = Array(repeating: nil, count: actual.count)
    }

    /// The expected elements without a partner after the pairing.
    var missing: [Int] { partner.indices.filter { partner[$0] == nil } }

    /// The actual elements without a partner.
    var extra: [Int] { owner.indices.filter { owner[$0] == nil } }

    /// Whether each expected element finds a partner. Stops at the first that cannot.
    mutating func pairAll(_ comparison: inout JSONComparison) -> Bool {
        pairExactEquals(&comparison)
        for index in expected.indices where partner[index] == nil {
            guard pair(index, &comparison) else { return false }
        }
        return true
    }

    /// Makes as many pairs as possible.
    mutating func pairMost(_ comparison: inout JSONComparison) {
        pairExactEquals(&comparison)
        for index in expected.indices where partner[index] == nil { _ = pair(index, &comparison) }
    }

    private mutating func pairExactEquals(_ comparison: inout JSONComparison) {
        guard comparison.options.exactPairsAreSafe, let digest else { return }
        // Tries the same index first, because most arrays are in the expected order.
        var isInOrder = true
        for index in expected.indices.prefix(actual.count) {
            if let value = expected[index].digest, value == digest.children[index].value,
                comparison.accepts(expected[index], actual[index], digest.children[index])
            {
                join(index, index)
            } else {
                isInOrder = false
            }
        }
        if isInOrder { return }
        var places = PlaceLists(count: actual.count)
        for (index, child) in digest.children.enumerated().reversed() where owner[index] == nil {
            places.prepend(index, to: child.value)
        }
        for index in expected.indices where partner[index] == nil {
            guard let value = expected[index].digest, let place = places.removeFirst(of: value) else { continue }
            if comparison.accepts(expected[index], actual[place], digest.children[place]) { join(index, place) }
        }
    }

    private mutating func join(_ expected: Int, _ actual: Int) {
        partner[expected] = actual
        owner[actual] = expected
    }

    /// Finds a partner for `start`, if necessary by moving others to another partner.
    private mutating func pair(_ start: Int, _ comparison: inout JSONComparison) -> Bool {
        if edges.isEmpty {
            edges = Array(repeating: Edges(), count: expected.count)
            free = extra
            candidates = JSONCandidates(actual, digest, free, comparison.options)
        }
        var queue = [start]
        var cameFrom: [Int: Int] = [:]
        var position = 0
        while position < queue.count {
            let current = queue[position]
            position += 1
            var next = 0
            while let place = edge(next, of: current, &comparison) {
                guard comparison.spend(1) else { return false }
                next += 1
                if cameFrom[place] != nil { continue }
                cameFrom[place] = current
                guard let other = owner[place] else {
                    augment(from: place, start, cameFrom)
                    return true
                }
                queue.append(other)
            }
        }
        return false
    }

    private mutating func augment(from free: Int, _ start: Int, _ cameFrom: [Int: Int]) {
        var place = free
        while let current = cameFrom[place] {
            let former = partner[current]
            join(current, place)
            guard current != start, let former else { return }
            place = former
        }
    }

    /// The actual element at the end of edge `number` of an expected one; nil after the last.
    private mutating func edge(_ number: Int, of index: Int, _ comparison: inout JSONComparison) -> Int? {
        if number < edges[index].accepted.count { return edges[index].accepted[number] }
        let places: [Int]?
        if let known = edges[index].candidates {
            places = known
        } else {
            places = candidates?.places(for: expected[index])
            edges[index].candidates = places
        }
        let count = places?.count ?? free.count
        while edges[index].nextCandidate < count {
            let turn = edges[index].nextCandidate
            edges[index].nextCandidate += 1
            // If all are candidates, each element starts at a different index, so that they do not all try the same
            // ones first.
            let place = places?[turn] ?? free[(index + turn) % count]
            if comparison.accepts(expected[index], actual[place], digest?.children[place]) {
                edges[index].accepted.append(place)
                return place
            }
            if comparison.isExhausted { return nil }
        }
        return nil
    }
}
