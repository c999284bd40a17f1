extension NearestPatterns {
    /// The weighted distance of a pattern whose method or URL does not pass, if no conditions come before them.
    static func distance(passesMethod: Bool, url: Double) -> Double {
        ((passesMethod ? 0 : 3) + 10 * url) / 39
    }

    /// The nearest patterns so far.
    struct Found {
        let count: Int
        private(set) var nearest: [Near] = []
        /// The patterns of which more must be read, with lower bounds of their distances.
        var costly: [Near] = []
        /// The last of the nearest, once there are as many as are wanted.
        private var worst: Near?
        private var limit: Limit?
        /// The largest distance of a URL with which its pattern may still be among the nearest, if the method passes
        /// and if it does not.
        private var mostOfURL = (passing: Double.infinity, failing: Double.infinity)

        /// The largest numbers of edits in URLs of one length with which patterns are among the nearest; -1 if none is.
        private struct Limit {
            let passesMethod: Bool
            /// The length by which the edits are divided.
            let length: Int
            /// For patterns that come before the last of the nearest.
            let before: Int
            /// For patterns that come after it.
            let after: Int

            init(_ worst: Double, passesMethod: Bool, length: Int) {
                func distance(_ edits: Int) -> Double {
                    NearestPatterns.distance(passesMethod: passesMethod, url: Double(edits) / Double(length))
                }
                let estimate = (worst * 39 - (passesMethod ? 0 : 3)) / 10 * Double(length)
                // One more, since it may be rounded.
                var before = min(max(Int(estimate), -1) + 1, length)
                while before >= 0, distance(before) > worst { before -= 1 }
                var after = before
                while after >= 0, distance(after) == worst { after -= 1 }
                self.passesMethod = passesMethod
                self.length = length
                self.before = before
                self.after = after
            }
        }

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

        /// The number that `mostEdits` gives, or a little more, at less cost.
        @inline(__always)
        func roughlyMostEdits(passesMethod: Bool, length: Int) -> Int {
            guard worst != nil else { return .max }
            return Int((passesMethod ? mostOfURL.passing : mostOfURL.failing) * Double(length)) + 1
        }

        /// The largest number of edits in a URL with which its pattern would be one of the nearest; -1 for none.
        /// - Parameter length: the number of units by which the edits are divided.
        @inline(__always)
        mutating func mostEdits(_ index: Int, passesMethod: Bool, length: Int) -> Int {
            guard let worst else { return count > 0 ? .max : -1 }
            if let limit, limit.length == length, limit.passesMethod == passesMethod {
                return index < worst.index ? limit.before : limit.after
            }
            let made = Limit(worst.distance, passesMethod: passesMethod, length: length)
            limit = made
            return index < worst.index ? made.before : made.after
        }

        mutating func add(_ index: Int, _ distance: Double) {
            let place =
                nearest.firstIndex { $0.distance > distance || ($0.distance == distance && $0.index > index) }
                ?? nearest.count
            nearest.insert((index, distance), at: place)
            if nearest.count > count { nearest.removeLast() }
            worst = nearest.count < count ? nil : nearest.last
            limit = nil
            if let worst { mostOfURL = (worst.distance * 39 / 10, (worst.distance * 39 - 3) / 10) }
        }
    }
}
