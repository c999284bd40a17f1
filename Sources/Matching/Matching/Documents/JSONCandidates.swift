import SDJSON

/// The actual elements that an expected object may match: those that share its rarest exact member.
///
/// Without it, a thousand objects that differ in their `id` would need a million comparisons.
struct JSONCandidates {
    private var places: PlaceLists
    private let options: JSONEquality.Options

    /// Indexes the members that are neither array nor object: those are compared by fingerprint alone.
    init(_ actual: [JSONValue], _ digest: JSONDigest?, _ free: [Int], _ options: JSONEquality.Options) {
        self.options = options
        places = PlaceLists(count: free.count)
        for place in free.reversed() {
            guard case .object(let object) = actual[place], let children = digest?.children[place].children else {
                continue
            }
            for (member, child) in zip(object.members, children) where member.value.isScalar {
                places.prepend(place, to: JSONDigest.member(member.key, child.value))
            }
        }
    }

    /// The indices of the candidates; nil if any element is one.
    func places(for expected: JSONExpectation) -> [Int]? {
        guard case .object(let members) = expected.kind else { return nil }
        var best: PlaceLists.List?
        for member in members.list {
            guard !member.value.isContainer, let digest = member.value.digest,
                !member.value.allowsMissing(nullsEqualMissing: options.nullsEqualMissing)
            else { continue }
            guard let found = places.list(of: JSONDigest.member(member.key, digest)) else { return [] }
            if found.count < best?.count ?? .max { best = found }
        }
        return best.map(places.places)
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}

/// Lists of indices by fingerprint, in a single array: most lists have one index, and separate arrays would cost more
/// than the rest of the comparison.
struct PlaceLists {
    struct List {
        fileprivate var first: Int
        fileprivate(set) var count: Int
    }

    private var lists: [Int: List] = [:]
    private var entries: [(place: Int, next: Int)] = []

    init(count: Int) {
        lists.reserveCapacity(count)
        entries.reserveCapacity(count)
    }

    mutating func prepend(_ place: Int, to key: Int) {
        let former = lists[key]
        entries.append((place, former?.first ?? -1))
        lists[key] = List(first: entries.count - 1, count: (former?.count ?? 0) + 1)
    }

    mutating func removeFirst(of key: Int) -> Int? {
        guard let list = lists[key], list.count > 0 else { return nil }
        let entry = entries[list.first]
        lists[key] = List(first: entry.next, count: list.count - 1)
        return entry.place
    }

    /// The list of a fingerprint; nil if it is empty.
    func list(of key: Int) -> List? {
        lists[key].flatMap { $0.count > 0 ? $0 : nil }
    }

    func places(_ list: List) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(list.count)
        var index = list.first
        while index >= 0 {
            places.append(entries[index].place)
            index = entries[index].next
        }
        return places
    }
}
