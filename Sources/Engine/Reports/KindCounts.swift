/// An entry of a report that stands for all of its kind.
public protocol CountedKind: Hashable, Sendable {
    var test: Report.Test? { get set }
    var count: Int { get set }
    /// The URL of a request, cut to a limit; nil for an entry without one.
    var shownURL: String? { get set }
}

extension CountedKind {
    public var shownURL: String? {
        get { nil }
        set {}
    }
}

/// Counts by kind, in bounded memory: the first kinds, and the total.
public struct KindCounts<Entry: CountedKind>: Sendable {
    /// The index of each kind in `entries`.
    private var places: [Key: Int] = [:]
    private var entries: [(entry: Entry, path: [UInt8]?)] = []
    /// The number of entries of kinds past the limit.
    private var rest = 0

    /// The largest number of kinds with distinct paths, unless the entry has a URL; and the largest number of kinds.
    private static var maxPaths: Int { 100 }
    private static var most: Int { 200 }
    /// The longest stored part of a URL and of a path.
    private static var longest: Int { 300 }

    private struct Key: Hashable {
        /// The entry without its count.
        let kind: Entry
        var path: [UInt8]?
    }

    public init() {}

    /// Adds an entry with its count.
    /// - Parameter path: the path of the request; nil if there is none, or it does not matter.
    public mutating func add(_ entry: Entry, path: [UInt8]? = nil) {
        var entry = entry
        if let url = entry.shownURL, url.utf8.count > Self.longest, url.last != "…" {
            entry.shownURL = url.prefix(Self.longest) + "…"
        }
        let path = path.map { Array($0.prefix(Self.longest)) }
        var kind = entry
        kind.count = 0
        var key = Key(kind: kind, path: path)
        // If the entry has a URL, that distinguishes its path.
        if entry.shownURL == nil, places[key] == nil, entries.count >= Self.maxPaths { key.path = nil }
        if let place = places[key] {
            entries[place].entry.count += entry.count
        } else if entries.count < Self.most {
            places[key] = entries.count
            entries.append((entry, key.path))
        } else {
            rest += entry.count
        }
    }

    /// Adds the counts of another tally.
    /// - Parameter test: the session of its entries, unless they name one.
    public mutating func add(_ other: KindCounts, of test: Report.Test?) {
        for (entry, path) in other.entries {
            var entry = entry
            entry.test = entry.test ?? test
            add(entry, path: path)
        }
        rest += other.rest
    }

    /// The entries by kind, ordered by first occurrence, and the total.
    /// - Parameter isIgnored: whether requests for a path are excluded.
    public func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> (kinds: [Entry], count: Int) {
        // Without their paths, some kinds are equal.
        var all = KindCounts()
        for (entry, path) in entries where !(path.map(isIgnored) ?? false) { all.add(entry) }
        let kinds = all.entries.map(\.entry)
        return (kinds, kinds.reduce(all.rest + rest) { $0 + $1.count })
    }
}

extension Report.Aborted: CountedKind {
    public var shownURL: String? {
        get { url }
        set { url = newValue ?? url }
    }
}

extension Report.Open: CountedKind {
    public var shownURL: String? {
        get { url }
        set { url = newValue ?? url }
    }
}

extension Report.ActedFault: CountedKind {}
