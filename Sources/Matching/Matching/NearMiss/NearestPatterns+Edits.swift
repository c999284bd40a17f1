import SDBytes

/// The search among patterns whose distances are numbers of edits.
extension NearestPatterns {
    /// Successive rows of a group that are alike.
    struct Block: Sendable {
        var places: Range<Int>
        /// The number of units with which the texts of all rows end, up to 255; 0 where that is too little to save work.
        private(set) var commonEnd = 255

        /// The shortest end that saves work.
        private static let leastEnd = 8

        init(_ place: Int) {
            places = place..<place + 1
        }

        /// Adds the next row, if it is like the others.
        mutating func add(_ rows: [Row], _ text: [UInt8]) -> Bool {
            let (row, last) = (rows[places.upperBound], rows[places.upperBound - 1])
            guard row.isLike(last) else { return false }
            var end = min(commonEnd, row.count)
            if end > 0 { end = row.commonEnd(with: last, atMost: end, text) }
            if end < Self.leastEnd {
                // Those that end alike are worth a block of their own.
                if places.count > 1, commonEnd > 0 { return false }
                end = 0
            }
            commonEnd = end
            places = places.lowerBound..<places.upperBound + 1
            return true
        }
    }

    /// The way through the rows of a group, which are compared with one text.
    struct EditWalk {
        let blocks: [Block]
        fileprivate let subject: Subject
        fileprivate let length: Int
        fileprivate var trail: EditProbe.Trail
        /// The number of units with which the next row and the one that was compared last begin.
        fileprivate var common = 0
        /// Lower bounds of the numbers of edits, one for each row.
        fileprivate var least: [UInt8] = []
        /// The rows that were compared before the others, the last one first.
        fileprivate var done: [Int] = []
        /// The probe of the reversed text.
        private var reversed: EditProbe?

        /// Makes a walk; nil if the rows, or the text, are compared in another way.
        init?(_ blocks: [Block], of group: Row.Group, _ asked: borrowing Asked) {
            guard let subject = asked.subject(of: group), let probe = subject.probe else { return nil }
            self.blocks = blocks
            self.subject = subject
            length = probe.count
            trail = EditProbe.Trail(of: probe)
        }

        var places: Range<Int> {
            (blocks.first?.places.lowerBound ?? 0)..<(blocks.last?.places.upperBound ?? 0)
        }

        /// Whether a row was compared before. Asked in the order of the rows.
        @inline(__always)
        fileprivate mutating func isDone(_ place: Int) -> Bool {
            while let next = done.last, next <= place {
                done.removeLast()
                if next == place { return true }
            }
            return false
        }

        fileprivate mutating func ending(_ range: Range<Int>, in text: Span<UInt8>) -> EditProbe.Ending? {
            reversed = reversed ?? EditProbe(Array(subject.text.reversed())[...])
            return reversed.map { EditProbe.Ending($0, range, in: text) }
        }
    }

    /// Compares the rows that are most like the text by their sketches.
    func compareMostAlike(
        _ walk: inout EditWalk, _ count: Int, _ asked: borrowing Asked, _ views: inout RequestViews,
        _ found: inout Found
    ) {
        walk.done = mostAlike(&walk, count)
        for place in walk.done where !views.isSpent {
            let row = rows[place]
            walk.common = 0
            let mayPass = row.kind == .template && row.isPrefix(of: walk.subject.text.span, in: text.span)
            if mayPass, decideByTemplate(row, asked, &views, &found) { continue }
            let length = max(row.count, walk.length)
            let most = found.mostEdits(row.index, passesMethod: asked.mayPassMethod(of: row), length: length)
            let edits = walk.trail.edits(to: row.range, in: text.span, common: 0, keeping: 0, atMost: most)
            if edits <= most { add(row, edits: edits, of: length, asked, &found) }
        }
        walk.common = 0
        walk.done.sort(by: >)
    }

    /// The places whose rows have the most similar sketches. Notes the lower bounds of all.
    private func mostAlike(_ walk: inout EditWalk, _ count: Int) -> [Int] {
        let (places, sketch) = (walk.places, walk.subject.sketch)
        let (sketches, weights) = (sketches.span, weights.span)
        let weight = sketch.weight
        var alike: [(place: Int, distance: Int)] = []
        var most = Int.max
        walk.least.reserveCapacity(places.count)
        for place in places {
            let distance = sketches[place].distance(to: sketch)
            let least = PathSketch.leastEdits(distance: distance, weightDifference: Int(weights[place]) &- weight)
            walk.least.append(UInt8(truncatingIfNeeded: least))
            guard distance < most else { continue }
            alike.insert((place, distance), at: alike.firstIndex { $0.distance > distance } ?? alike.count)
            if alike.count > count { alike.removeLast() }
            if alike.count == count { most = alike[count - 1].distance }
        }
        return alike.map(\.place)
    }

    /// Compares the rows that `compareMostAlike` has left out.
    func compareOthers(
        _ walk: inout EditWalk, _ asked: borrowing Asked, _ views: inout RequestViews, _ found: inout Found
    ) {
        let (rows, text) = (rows.span, text.span)
        let (subject, least) = (walk.subject.text, walk.least)
        let before = walk.places.lowerBound
        var beginning = SharedBeginning()
        var ending: EditProbe.Ending?
        for block in walk.blocks {
            let first = rows[block.places.lowerBound]
            let isTemplate = first.kind == .template
            let length = max(first.count, walk.length)
            let passesMethod = asked.mayPassMethod(of: first)
            let difference = abs(first.count - walk.length)
            if ending != nil { ending = nil }
            var place = block.places.lowerBound
            while place < block.places.upperBound {
                let row = rows[place]
                place += 1
                walk.common = min(walk.common, row.common)
                if isTemplate { beginning.advance(to: row, subject.span, in: text) }
                if walk.isDone(place - 1) { continue }
                let mayPass = isTemplate && row.prefixCount <= beginning.count
                if mayPass, decideByTemplate(row, asked, &views, &found) {
                    if views.isSpent { return }
                    continue
                }
                let rough = found.roughlyMostEdits(passesMethod: passesMethod, length: length)
                if max(difference, Int(least[place - 1 - before])) > rough { continue }
                let most = found.mostEdits(row.index, passesMethod: passesMethod, length: length)
                if difference > most { continue }
                ending?.narrow(length: row.count, atMost: most)
                let kept = place < rows.count ? rows[place].common : 0
                let edits = walk.trail.edits(
                    to: row.range, in: text, common: walk.common, keeping: kept, atMost: most, &ending)
                walk.common = .max
                if edits <= most {
                    add(row, edits: edits, of: length, asked, &found)
                } else if let cut = walk.trail.cut {
                    // The next ones that begin alike are too far for the same reason, unless the path may match them.
                    let isReason = !isTemplate || (!mayPass && cut > beginning.count)
                    while isReason, place < block.places.upperBound, rows[place].common >= cut { place += 1 }
                } else if ending == nil, block.commonEnd > 0, block.places.upperBound - place > 4 {
                    ending = walk.ending(row.range.upperBound - block.commonEnd..<row.range.upperBound, in: text)
                }
            }
        }
    }

    /// Decides about a template that the path may match.
    /// - Returns: whether it does, or cannot be one of the nearest.
    private func decideByTemplate(
        _ row: Row, _ asked: borrowing Asked, _ views: inout RequestViews, _ found: inout Found
    ) -> Bool {
        let least = Self.distance(passesMethod: asked.passesMethod(of: row), url: 0)
        guard found.wants(row.index, least) else { return true }
        let passes = patterns[row.index].url.passes(&views)
        views.attribute(to: patterns[row.index])
        if views.isSpent { return true }
        if passes { found.costly.append((row.index, least)) }
        return passes
    }

    /// Adds a row whose URL does not pass, if it is one of the nearest.
    private func add(
        _ row: Row, edits: Int, of length: Int, _ asked: borrowing Asked, _ found: inout Found
    ) {
        let passesMethod = asked.passesMethod(of: row)
        let distance = Self.distance(passesMethod: passesMethod, url: Double(edits) / Double(length))
        guard found.wants(row.index, distance) else { return }
        if edits == 0, passesMethod, !row.isPlain {
            found.costly.append((row.index, distance))
        } else {
            found.add(row.index, distance)
        }
    }
}
