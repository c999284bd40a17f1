import SDBytes

/// A search among many patterns for those nearest to a request.
///
/// The distances are those of `CompiledPattern.distance`. The data that decide or bound most of them, the method and the
/// text or the sketch of the URL, are in flat rows, so that of a thousand patterns only the few that can be among the
/// nearest are read.
public struct NearestPatterns: Sendable {
    /// A pattern of `nearest`, by its index, with its distance.
    public typealias Near = (index: Int, distance: Double)

    private let patterns: [CompiledPattern]
    /// A row for each pattern, those of a group together, in the order of the patterns.
    private let rows: [Row]
    /// The texts of all rows.
    private let text: [UInt8]
    /// The places of the rows of each group.
    private let groups: [(group: Row.Group, places: Range<Int>)]

    public init(_ patterns: [CompiledPattern]) {
        var text: [UInt8] = []
        let unordered = patterns.indices.map { Row(patterns[$0], at: $0, &text) }
        var rows: [Row] = []
        rows.reserveCapacity(patterns.count)
        groups = Row.Group.allCases.map { group in
            let first = rows.count
            rows += unordered.lazy.filter { $0.group == group }
            for place in rows.indices.dropFirst(first + 1) { rows[place].measureCommon(with: rows[place - 1], text) }
            return (group, first..<rows.count)
        }
        self.patterns = patterns
        self.rows = rows
        self.text = text
    }

    /// The patterns nearest to a request, the nearest first; of two with the same distance, the one that comes first
    /// here. Once the budget of `views` is spent, the nearest of those compared before.
    public func nearest(
        to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        if views.isSpent { return [] }
        let asked = Asked(request, views, methodsPass: methodsPass(request, views.methodBit))
        var least = leastDistances(asked)
        var found = Found(count: count)
        // Those that promise most rule out most of the others.
        for place in mostPromising(least, count + 3) where found.wants(rows[place].index, least[place]) {
            add(rows[place].index, request, &views, &found)
            if views.isSpent { return found.nearest }
            least[place] = .infinity
        }
        var costly: [Near] = []
        for (group, places) in groups where !views.isSpent {
            if !asked.lacksURL, let probe = asked.probe(of: group) {
                compare(places, probe, asked, least, &views, &found, &costly)
            } else {
                decide(places, asked, least, &found, &costly)
            }
        }
        costly.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
        for (index, least) in costly where !views.isSpent && found.wants(index, least) {
            add(index, request, &views, &found)
        }
        return found.nearest
    }

    /// Adds a pattern if it is one of the nearest and the budget lasts until that is known.
    private func add(
        _ index: Int, _ request: some MatchableRequest, _ views: inout RequestViews, _ found: inout Found
    ) {
        let distance = patterns[index].distance(request, &views, below: found.bound(index))
        if let distance, !views.isSpent { found.add(index, distance) }
    }

    /// Whether each pattern accepts the request's method; nil for a method with a bit of its own, which is enough to
    /// tell.
    private func methodsPass(_ request: some MatchableRequest, _ bit: MethodSet) -> [Bool]? {
        bit == .other ? patterns.map { $0.method.passes(request, bit) } : nil
    }

    // MARK: - Distances

    /// The weighted distance of a pattern whose method or URL does not pass, if no conditions come before them.
    private static func distance(passesMethod: Bool, url: Double) -> Double {
        ((passesMethod ? 0 : 3) + 10 * url) / 39
    }

    /// A lower bound of the distance of each row's pattern, at almost no cost.
    private func leastDistances(_ asked: borrowing Asked) -> [Double] {
        var distances: [Double] = []
        distances.reserveCapacity(rows.count)
        let rows = rows.span
        let text = text.span
        let (url, path) = (asked.url.text.span, asked.path.text.span)
        let (urlSketch, pathSketch) = (asked.url.sketch, asked.path.sketch)
        let (isURLASCII, isPathASCII) = (asked.url.isASCII, asked.path.isASCII)
        for place in rows.indices {
            let row = rows[place]
            let distance =
                if row.kind == .any {
                    0.0
                } else if asked.lacksURL {
                    1.0
                } else if row.isOfURL {
                    row.leastDistance(to: url, urlSketch, isASCII: isURLASCII, in: text)
                } else {
                    row.leastDistance(to: path, pathSketch, isASCII: isPathASCII, in: text)
                }
            distances.append(Self.distance(passesMethod: asked.passesMethod(of: row), url: distance))
        }
        return distances
    }

    /// The places of the smallest of the lower bounds, the smallest first.
    private func mostPromising(_ least: [Double], _ count: Int) -> [Int] {
        var promising = Found(count: count)
        for place in least.indices where promising.wants(place, least[place]) { promising.add(place, least[place]) }
        return promising.nearest.map(\.index)
    }

    /// Compares the rows of a group whose distances are numbers of edits.
    /// - Parameter costly: receives the patterns of which more must be read, with lower bounds of their distances.
    private func compare(
        _ places: Range<Int>, _ probe: EditProbe, _ asked: borrowing Asked, _ least: [Double],
        _ views: inout RequestViews, _ found: inout Found, _ costly: inout [Near]
    ) {
        let rows = rows.span
        let text = text.span
        let least = least.span
        var trail = EditProbe.Trail(of: probe)
        // The number of units that the row has in common with the one that was compared last.
        var common = 0
        for place in places {
            let row = rows[place]
            common = min(common, row.common)
            guard found.wants(row.index, least[place]) else { continue }
            if row.kind == .template, row.isPrefix(of: asked.path.text.span, in: text) {
                let passes = patterns[row.index].url.passes(&views)
                views.attribute(to: patterns[row.index])
                if views.isSpent { return }
                if passes {
                    costly.append((row.index, least[place]))
                    continue
                }
            }
            let passesMethod = asked.passesMethod(of: row)
            let longer = row.longer(probe)
            let most = found.mostEdits(passesMethod: passesMethod, length: longer)
            let edits = trail.edits(to: row.range, in: text, common: common, atMost: most)
            common = .max
            if edits > most { continue }
            if edits == 0, passesMethod, !row.isPlain {
                costly.append((row.index, least[place]))
                continue
            }
            let distance = Self.distance(passesMethod: passesMethod, url: Double(edits) / longer)
            if found.wants(row.index, distance) { found.add(row.index, distance) }
        }
    }

    /// Adds those rows whose lower bounds are their distances.
    /// - Parameter costly: receives the patterns of which more must be read, with lower bounds of their distances.
    private func decide(
        _ places: Range<Int>, _ asked: borrowing Asked, _ least: [Double], _ found: inout Found,
        _ costly: inout [Near]
    ) {
        for place in places where found.wants(rows[place].index, least[place]) {
            let near = Near(rows[place].index, least[place])
            if isDecided(rows[place], asked, near.distance) {
                found.add(near.index, near.distance)
            } else {
                costly.append(near)
            }
        }
    }

    /// Whether the lower bound of a row's distance is the distance.
    private func isDecided(_ row: Row, _ asked: borrowing Asked, _ least: Double) -> Bool {
        if row.looksAtOrigin { return false }
        if row.kind == .any { return row.isPlain || !asked.passesMethod(of: row) }
        // A URL that no expression can match is at the largest distance; any other may pass.
        return asked.lacksURL || (row.isExpression && least >= Self.distance(passesMethod: true, url: 1))
    }

    // MARK: - Searching

    /// The data of the request that each pattern is compared with.
    private struct Asked {
        private let methodBit: MethodSet
        private let methodsPass: [Bool]?
        /// Whether nothing is known of the request's URL.
        let lacksURL: Bool
        let url: Subject
        let path: Subject

        init(_ request: some MatchableRequest, _ views: RequestViews, methodsPass: [Bool]?) {
            methodBit = views.methodBit
            self.methodsPass = methodsPass
            lacksURL = request.omissions.contains(.url)
            url = Subject(views.url)
            path = views.hasQuery ? Subject(views.path) : url
        }

        func passesMethod(of row: Row) -> Bool {
            row.methods.contains(methodBit) && (methodsPass?[row.index] ?? true)
        }

        /// The probe that all rows of a group are compared with; nil for rows that are compared in different ways, and
        /// for a text that has none.
        func probe(of group: Row.Group) -> EditProbe? {
            switch group {
            case .urls: url.probe
            case .paths, .templates: path.probe
            case .others: nil
            }
        }
    }

    /// The URL or the path of a request.
    private struct Subject {
        let text: ArraySlice<UInt8>
        let isASCII: Bool
        let sketch: PathSketch
        /// The probe; nil for a text that is long or not ASCII.
        let probe: EditProbe?

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            isASCII = text.isASCII
            sketch = PathSketch(text)
            probe = EditProbe(text)
        }
    }

    /// The nearest patterns so far.
    private struct Found {
        private let count: Int
        private(set) var nearest: [Near] = []
        /// The last of the nearest, once there are as many as are wanted.
        private var worst: Near?
        /// The largest distance of a URL with which its pattern may still be among the nearest, if the method passes
        /// and if it does not.
        private var mostOfURL = (passing: Double.infinity, failing: Double.infinity)

        init(count: Int) {
            self.count = count
        }

        /// Whether a pattern at this distance would be one of the nearest; none at an infinite one is.
        func wants(_ index: Int, _ distance: Double) -> Bool {
            guard let worst else { return count > 0 && distance < .infinity }
            return distance < worst.distance || (distance == worst.distance && index < worst.index)
        }

        /// The distance that a pattern must be below.
        func bound(_ index: Int) -> Double {
            guard let worst else { return .infinity }
            return index < worst.index ? worst.distance.nextUp : worst.distance
        }

        /// The number of edits in a URL with which its pattern is still among the nearest, or a little more.
        func mostEdits(passesMethod: Bool, length: Double) -> Int {
            guard worst != nil else { return .max }
            return Int((passesMethod ? mostOfURL.passing : mostOfURL.failing) * length) + 1
        }

        mutating func add(_ index: Int, _ distance: Double) {
            let place =
                nearest.firstIndex { $0.distance > distance || ($0.distance == distance && $0.index > index) }
                ?? nearest.count
            nearest.insert((index, distance), at: place)
            if nearest.count > count { nearest.removeLast() }
            worst = nearest.count < count ? nil : nearest.last
            if let worst { mostOfURL = (worst.distance * 39 / 10, (worst.distance * 39 - 3) / 10) }
        }
    }
}
