public import SDMatching
import SDPlatform
import SDRegularExpressions

/// Searches patterns for those nearest to a request.
public struct NearestPatterns: Sendable {
    /// A pattern by its index, and its distance.
    public typealias Near = (index: Int, distance: Double)

    private let patterns: [CompiledPattern]

    public init(_ patterns: [CompiledPattern]) {
        self.patterns = patterns
    }

    /// The patterns nearest to a request by `CompiledPattern.distance`, nearest first; ties are in the order of the
    /// patterns. Once the budget of `views` is exhausted, the nearest of those measured before.
    public func nearest(
        to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        let url = ComparedURL(request, views)
        var best = Best(count: count)
        for index in patterns.indices {
            if views.isSpent { break }
            let distance = patterns[index].distance(request, &views, from: url, below: best.bound)
            if let distance, !views.isSpent { best.add(index, distance) }
        }
        return best.nearest
    }

    /// The patterns nearest to a request for a person: an expression that does not match the URL is measured by their
    /// common prefix.
    ///
    /// WireMock gives every expression that does not match the maximum distance: for it, `/todo` is nearer to
    /// `/users/abc` than `/users/([0-9]+)` is.
    /// - Parameter found: the `nearest` by WireMock's measure; as many as wanted, or all.
    public func nearestByBeginning(
        _ found: [Near], to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        guard !views.isSpent, !request.omissions.contains(.url) else { return found }
        var promising = Best(count: count)
        for (index, pattern) in patterns.enumerated() {
            guard let likeness = pattern.distanceByBeginning(views) else { continue }
            let method = pattern.method.passes(request, views.methodBit) ? 0.0 : 3
            promising.add(index, (method + 10 * likeness) / 39)
        }
        var nearest = Best(count: count)
        for near in found where !promising.nearest.contains(where: { $0.index == near.index }) {
            nearest.add(near.index, near.distance)
        }
        for near in promising.nearest {
            let known = found.first { $0.index == near.index }?.distance
            // If the URL matches, the other conditions determine the distance.
            let passes = patterns[near.index].url.passes(&views)
            if views.isSpent { return found }
            if passes {
                if let known { nearest.add(near.index, known) }
            } else {
                nearest.add(near.index, min(known ?? near.distance, near.distance))
            }
        }
        return nearest.nearest
    }

    /// How many of the nearest by other measures `fewestDifferences` chooses from.
    public static let pool = 8

    /// The nearest patterns for a person: among those with a URL similar to the request's, the one with the fewest
    /// failed conditions, whatever WireMock's distance. For WireMock, a stub whose three headers are missing is nearer
    /// than one whose path has one letter too many.
    /// - Parameter found: the candidates, with distances that break ties.
    public func fewestDifferences(
        _ found: [Near], to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        guard found.count > 1, !request.omissions.contains(.url) else { return Array(found.prefix(count)) }
        var ranked: [(near: Near, differences: Int)] = []
        for near in found {
            let pattern = patterns[near.index]
            let differences = pattern.isFar(from: request, &views) ? Int.max : pattern.differences(request, &views)
            if views.isSpent { return Array(found.prefix(count)) }
            ranked.append((near, differences))
        }
        return ranked.enumerated().sorted {
            ($0.element.differences, $0.offset) < ($1.element.differences, $1.offset)
        }.prefix(count).map(\.element.near)
    }

    /// The nearest patterns so far.
    private struct Best {
        let count: Int
        private(set) var nearest: [Near] = []

        init(count: Int) {
            self.count = count
        }

        /// The distance below which a further pattern is one of the nearest.
        var bound: Double { nearest.count < count ? .infinity : nearest.last?.distance ?? 0 }

        mutating func add(_ index: Int, _ distance: Double) {
            let place =
                nearest.firstIndex { $0.distance > distance || ($0.distance == distance && $0.index > index) }
                ?? nearest.count
            nearest.insert((index, distance), at: place)
            if nearest.count > count { nearest.removeLast() }
        }
    }
}

extension CompiledPattern {
    /// Whether the pattern belongs to another route, as opposed to the request's route with a typo: more than a third
    /// of the URL differs, or the method differs too.
    fileprivate func isFar(from request: some MatchableRequest, _ views: inout RequestViews) -> Bool {
        if url.passes(&views) { return false }
        if !method.passes(request, views.methodBit) { return true }
        let distance = min(url.distance(&views), distanceByParts(views) ?? 1)
        return distance > Self.slip && (distanceByBeginning(views) ?? distance) > Self.slip
    }

    private static var slip: Double { 0.34 }

    /// The distance from a path template, ignoring the values of variables; nil for a pattern of another kind.
    fileprivate func distanceByParts(_ views: RequestViews) -> Double? {
        guard case .template(let template) = url else { return nil }
        return RouteDistance.of(views.path, from: Array(template.text.utf8)[...])
    }

    /// The share of the URL after the prefix that it has in common with the expression's matches; nil if that is at
    /// most the first slash, and for a pattern without an expression.
    fileprivate func distanceByBeginning(_ views: RequestViews) -> Double? {
        let (regex, subject): (JavaRegex, ArraySlice<UInt8>)
        switch url {
        case .urlPattern(let expression): (regex, subject) = (expression, views.url)
        case .pathPattern(let expression): (regex, subject) = (expression, views.path)
        case .any, .url, .path, .template: return nil
        }
        if conditions?.all.looksAtOrigin ?? false { return nil }
        let beginning = regex.literalPrefix
        let common = zip(beginning, subject).prefix { $0 == $1 }.count
        return common > 1 ? 1 - Double(common) / Double(max(beginning.count, subject.count)) : nil
    }
}
