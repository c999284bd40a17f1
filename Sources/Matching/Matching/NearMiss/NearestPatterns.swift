import SDBytes

/// A search among many patterns for those nearest to a request.
///
/// The distances are those of `CompiledPattern.distance`. The data that decide or bound most of them, the method and the
/// text or the sketch of the URL, are in flat rows, so that of a thousand patterns only the few that can be among the
/// nearest are read.
public struct NearestPatterns: Sendable {
    /// A pattern of `nearest`, by its index, with its distance.
    public typealias Near = (index: Int, distance: Double)

    let patterns: [CompiledPattern]
    /// A row for each pattern, those of a group together, in the order of the patterns.
    let rows: [Row]
    /// The sketch of each row's text.
    let sketches: [PathSketch]
    /// The weights of the sketches.
    let weights: [UInt8]
    /// The texts of all rows.
    let text: [UInt8]
    /// The blocks of the rows of each group.
    private let groups: [(group: Row.Group, blocks: [Block])]

    public init(_ patterns: [CompiledPattern]) {
        var text: [UInt8] = []
        let unordered = patterns.indices.map { Row(patterns[$0], at: $0, &text) }
        var rows: [Row] = []
        rows.reserveCapacity(patterns.count)
        groups = Row.Group.allCases.map { group in
            let first = rows.count
            rows += unordered.lazy.filter { $0.group == group }
            var blocks: [Block] = []
            for place in first..<rows.count {
                if place > first { rows[place].measureCommon(with: rows[place - 1], text) }
                if blocks.isEmpty || !blocks[blocks.count - 1].add(rows, text) { blocks.append(Block(place)) }
            }
            return (group, blocks)
        }
        sketches = rows.map { PathSketch(text[$0.range]) }
        weights = sketches.map { UInt8($0.weight) }
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
        var found = Found(count: count)
        var walks: [EditWalk] = []
        var bounded: [Range<Int>] = []
        for (group, blocks) in groups {
            guard let first = blocks.first, let last = blocks.last else { continue }
            if let walk = EditWalk(blocks, of: group, asked) {
                walks.append(walk)
            } else if group == .expressions, asked.isASCII {
                decideExpressions(blocks, asked, &found)
            } else {
                bounded.append(first.places.lowerBound..<last.places.upperBound)
            }
        }
        if !bounded.isEmpty { decide(bounded, asked, request, &views, &found) }
        // Patterns that are near rule out most of the others before they are compared to the end.
        for index in walks.indices { compareMostAlike(&walks[index], count + 1, asked, &views, &found) }
        readCostly(&found, atMost: count, request, &views)
        for index in walks.indices { compareOthers(&walks[index], asked, &views, &found) }
        readCostly(&found, atMost: .max, request, &views)
        return found.nearest
    }

    /// Whether each pattern accepts the request's method; nil for a method with a bit of its own, which is enough to
    /// tell.
    private func methodsPass(_ request: some MatchableRequest, _ bit: MethodSet) -> [Bool]? {
        bit == .other ? patterns.map { $0.method.passes(request, bit) } : nil
    }

    // MARK: - Patterns that must be read

    /// Reads the first of the costly patterns, the most promising first, and removes them from the list.
    private func readCostly(
        _ found: inout Found, atMost most: Int, _ request: some MatchableRequest, _ views: inout RequestViews
    ) {
        if found.costly.isEmpty { return }
        found.costly.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
        let costly = found.costly.prefix(most)
        found.costly.removeFirst(costly.count)
        for (index, least) in costly where !views.isSpent && found.wants(index, least) {
            add(index, request, &views, &found)
        }
    }

    /// Adds a pattern if it is one of the nearest and the budget lasts until that is known.
    private func add(
        _ index: Int, _ request: some MatchableRequest, _ views: inout RequestViews, _ found: inout Found
    ) {
        let distance = patterns[index].distance(request, &views, below: found.bound(index))
        if let distance, !views.isSpent { found.add(index, distance) }
    }

    // MARK: - Rows with bounds

    /// Adds those rows whose lower bounds are their distances, and the most promising of the others.
    private func decide(
        _ bounded: [Range<Int>], _ asked: borrowing Asked, _ request: some MatchableRequest,
        _ views: inout RequestViews, _ found: inout Found
    ) {
        var least = leastDistances(bounded, asked)
        for place in mostPromising(least, found.count + 3) where found.wants(rows[place].index, least[place]) {
            add(rows[place].index, request, &views, &found)
            if views.isSpent { return }
            least[place] = .infinity
        }
        for place in bounded.joined() where found.wants(rows[place].index, least[place]) {
            let near = Near(rows[place].index, least[place])
            if isDecided(rows[place], asked, near.distance) {
                found.add(near.index, near.distance)
            } else {
                found.costly.append(near)
            }
        }
    }

    /// A lower bound of the distance of each row's pattern, at almost no cost; infinite for rows elsewhere.
    private func leastDistances(_ bounded: [Range<Int>], _ asked: borrowing Asked) -> [Double] {
        var distances = [Double](repeating: .infinity, count: rows.count)
        let rows = rows.span
        let sketches = sketches.span
        let text = text.span
        let (url, path) = (asked.url.text.span, asked.path.text.span)
        let (urlSketch, pathSketch) = (asked.url.sketch, asked.path.sketch)
        let (isURLASCII, isPathASCII) = (asked.url.isASCII, asked.path.isASCII)
        for place in bounded.joined() {
            let row = rows[place]
            let sketch = sketches[place]
            let distance =
                if row.kind == .any {
                    0.0
                } else if asked.lacksURL {
                    1.0
                } else if row.isOfURL {
                    row.leastDistance(sketch, to: url, urlSketch, isASCII: isURLASCII, in: text)
                } else {
                    row.leastDistance(sketch, to: path, pathSketch, isASCII: isPathASCII, in: text)
                }
            distances[place] = Self.distance(passesMethod: asked.passesMethod(of: row), url: distance)
        }
        return distances
    }

    /// The places of the smallest of the lower bounds, the smallest first.
    private func mostPromising(_ least: [Double], _ count: Int) -> [Int] {
        var promising = Found(count: count)
        for place in least.indices where promising.wants(place, least[place]) { promising.add(place, least[place]) }
        return promising.nearest.map(\.index)
    }

    /// Whether the lower bound of a row's distance is the distance.
    private func isDecided(_ row: Row, _ asked: borrowing Asked, _ least: Double) -> Bool {
        if row.looksAtOrigin { return false }
        if row.kind == .any { return row.isPlain || !asked.passesMethod(of: row) }
        // A URL that no expression can match is at the largest distance; any other may pass.
        return asked.lacksURL || (row.isExpression && least >= Self.distance(passesMethod: true, url: 1))
    }

    /// Adds the expressions that cannot match an ASCII URL, which are at the largest distance.
    private func decideExpressions(_ blocks: [Block], _ asked: borrowing Asked, _ found: inout Found) {
        let rows = rows.span
        let text = text.span
        let url = asked.url.text.span
        let pathCount = asked.path.text.count
        var beginning = SharedBeginning()
        for block in blocks {
            // Whether the row before is not one of the nearest because of its text.
            var isTooFar = false
            for place in block.places {
                let row = rows[place]
                if isTooFar, row.common > beginning.count { continue }
                beginning.advance(to: row, url, in: text)
                let mayPass = row.prefixCount <= (row.isOfURL ? beginning.count : min(beginning.count, pathCount))
                let least = Self.distance(passesMethod: asked.passesMethod(of: row), url: mayPass ? 0 : 1)
                let isWanted = found.wants(row.index, least)
                isTooFar = !mayPass && !isWanted && asked.mayPassMethod(of: row) == asked.passesMethod(of: row)
                if isWanted {
                    if mayPass { found.costly.append((row.index, least)) } else { found.add(row.index, least) }
                }
            }
        }
    }
}
