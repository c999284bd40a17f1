import SDJSON

extension MockServer {
    /// How often a request is expected.
    public struct Count: Sendable, Hashable, CustomStringConvertible {
        /// The minimum; nil for no bound.
        public var least: Int?
        /// The maximum; nil for no bound.
        public var most: Int?

        /// Exactly `count` requests.
        public static func exactly(_ count: Int) -> MockServer.Count { MockServer.Count(least: count, most: count) }
        /// `count` requests or more.
        public static func atLeast(_ count: Int) -> MockServer.Count { MockServer.Count(least: count) }
        /// `count` requests or fewer.
        public static func atMost(_ count: Int) -> MockServer.Count { MockServer.Count(most: count) }
        /// A number of requests within a range, such as `.between(1...3)`.
        public static func between(_ range: ClosedRange<Int>) -> MockServer.Count {
            MockServer.Count(least: range.lowerBound, most: range.upperBound)
        }
        /// No request.
        public static let never = MockServer.Count.exactly(0)
        /// Exactly one request.
        public static let once = MockServer.Count.exactly(1)

        /// The count as text, such as `at least 2`.
        public var description: String {
            switch (least, most) {
            case (let least?, let most?): least == most ? "exactly \(least)" : "\(least) to \(most)"
            case (let least?, nil): "at least \(least)"
            case (nil, let most?): "at most \(most)"
            case (nil, nil): "any number"
            }
        }

        /// The count in the admin API's JSON.
        var json: JSONValue {
            var json = JSONObject()
            if let least, least == most {
                json["exactly"] = .number(JSONNumber(least))
            } else {
                json["atLeast"] = least.map { .number(JSONNumber($0)) }
                json["atMost"] = most.map { .number(JSONNumber($0)) }
            }
            if json.isEmpty { json["atLeast"] = 0 }
            return .object(json)
        }
    }
}
