/// The nearest patterns in the eyes of a person.
///
/// WireMock's measure puts every expression that does not match as far away as a URL can be: to it, `/todo` is nearer
/// to `/users/abc` than `/users/([0-9]+)`.
extension NearestPatterns {
    /// The patterns nearest to a request, where an expression that the URL does not match counts by how far the two
    /// begin alike.
    /// - Parameter found: the `nearest` by WireMock's measure, as many as are wanted or all.
    public func nearestByBeginning(
        _ found: [Near], to request: some MatchableRequest, _ views: inout RequestViews, count: Int
    ) -> [Near] {
        guard !views.isSpent, !request.omissions.contains(.url) else { return found }
        var promising = Found(count: count)
        for row in rows where row.isExpression && !row.looksAtOrigin {
            guard let likeness = distanceByBeginning(row, row.isOfURL ? views.url : views.path) else { continue }
            let passesMethod = patterns[row.index].method.passes(request, views.methodBit)
            promising.add(row.index, Self.distance(passesMethod: passesMethod, url: likeness))
        }
        var nearest = Found(count: count)
        for near in found where !promising.nearest.contains(where: { $0.index == near.index }) {
            nearest.add(near.index, near.distance)
        }
        for near in promising.nearest {
            let known = found.first { $0.index == near.index }?.distance
            // What matches the URL is as far away as its other conditions are.
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

    /// The part of a URL with which the expression's matches do not begin; nil if they begin alike by no more than the
    /// first slash.
    private func distanceByBeginning(_ row: Row, _ subject: ArraySlice<UInt8>) -> Double? {
        let common = zip(text[row.range], subject).prefix { $0 == $1 }.count
        guard common > 1 else { return nil }
        return 1 - Double(common) / Double(max(row.count, subject.count))
    }
}
