/// An entry of a report that stands for all of its kind.
public protocol CountedKind: Hashable, Sendable {
    var test: Report.Test? { get set }
    var count: Int { get set }
    /// The URL of a request, which is kept up to a length; nil for what has none.
    var shownURL: String? { get set }
}

extension CountedKind {
    public var shownURL: String? {
        get { nil }
        set {}
    }
}

/// What came, by kind, in a bounded memory: the first kinds, and the number of all.
public struct KindTally<Entry: CountedKind>: Sendable {
    /// The place in the order of the first of each.
    private var places: [Key: Int] = [:]
    private var entries: [(entry: Entry, path: [UInt8]?)] = []
    /// The number of those for whose kinds there was no room.
    private var rest = 0

    /// The most kinds with a path, beyond which paths are not told apart that are not in the entry, and the most of all.
    private static var mostPaths: Int { 100 }
    private static var most: Int { 200 }
    /// The longest part of a URL, and of a path, that is kept.
    private static var longest: Int { 300 }

    private struct Key: Hashable {
        /// Without its count.
        let kind: Entry
        var path: [UInt8]?
    }

    public init() {}

    /// Adds an entry as often as it says.
    /// - Parameter path: that of the request; nil for what has none, or where it does not matter.
    public mutating func add(_ entry: Entry, path: [UInt8]? = nil) {
        var entry = entry
        if let url = entry.shownURL, url.utf8.count > Self.longest, url.last != "…" {
            entry.shownURL = url.prefix(Self.longest) + "…"
        }
        let path = path.map { Array($0.prefix(Self.longest)) }
        var kind = entry
        kind.count = 0
        var key = Key(kind: kind, path: path)
        // A path that the entry's URL has is told apart by that.
        if entry.shownURL == nil, places[key] == nil, entries.count >= Self.mostPaths { key.path = nil }
        if let place = places[key] {
            entries[place].entry.count += entry.count
        } else if entries.count < Self.most {
            places[key] = entries.count
            entries.append((entry, key.path))
        } else {
            rest += entry.count
        }
    }

    /// Adds those of another one.
    /// - Parameter test: whose they are, unless they say so themselves.
    public mutating func add(_ other: KindTally, of test: Report.Test?) {
        for (entry, path) in other.entries {
            var entry = entry
            entry.test = entry.test ?? test
            add(entry, path: path)
        }
        rest += other.rest
    }

    /// The entries by kind, in the order of the first of each, and how many there are.
    /// - Parameter isIgnored: whether requests for a path do not count.
    public func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> (kinds: [Entry], count: Int) {
        // Without their paths, some are the same.
        var all = KindTally()
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
