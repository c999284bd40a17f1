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
        /// What differs inside of a document, such as `$.b.c[2]: expected 3, was 4`, the first ones; none where the condition
        /// passes, where the value itself says it, and where it was not asked for.
        public internal(set) var differences: [String] = []
    }

    /// What an evaluation tells beside verdicts and distances. Each costs about as much as a match.
    public struct Detail: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `notes`.
        public static let notes = Detail(rawValue: 1)
        /// The `differences` of each condition that fails.
        public static let differences = Detail(rawValue: 2)
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
    /// method three times; where one of these fails, of these alone. A custom matcher counts only where all else matches.
    public internal(set) var distance = 0.0
    /// What matchers noted up to the first condition that fails: a match stops there.
    public internal(set) var notes: [MatchNote] = []
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
