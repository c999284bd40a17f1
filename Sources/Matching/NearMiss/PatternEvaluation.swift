/// What became of each condition of a pattern on one request.
public struct PatternEvaluation: Sendable {
    /// One condition, in the order of WireMock's report.
    public struct Condition: Sendable {
        public let attribute: Attribute
        public let passes: Bool
        /// 0 passes, 1 is as far as can be.
        public let distance: Double
        /// The values that were looked at, as text; none where there was none.
        public let actual: [String]
    }

    /// What a condition looks at. Numbers are places in the pattern's lists.
    public enum Attribute: Sendable, Hashable {
        case host, port, clientIP, scheme, method, url
        case header(Int)
        case basicAuth
        case pathParameter(Int)
        case queryParameter(Int)
        case formParameter(Int)
        case cookie(Int)
        case body(Int)
        case multipart(Int)
        case customMatcher
    }

    public internal(set) var conditions: [Condition] = []
    /// WireMock's distance of the whole: the weighted mean of its parts, host, port and URL ten times, scheme, client and
    /// method three times; where one of these fails, of these alone.
    public internal(set) var distance = 0.0
    /// The request is a multipart one, so that multipart conditions were looked at.
    public internal(set) var isMultipart = false
    /// Each part beside each multipart pattern.
    public internal(set) var parts: [Part] = []

    /// One part of a multipart request beside one pattern.
    public struct Part: Sendable {
        /// The place of the pattern in the request pattern.
        public let pattern: Int
        /// The part's own name; empty where it has none.
        public let name: String
        /// One a header of the pattern.
        public let headers: [Condition]
        /// One a body pattern.
        public let bodies: [Condition]
    }

    public var matches: Bool { conditions.allSatisfy(\.passes) }
}
