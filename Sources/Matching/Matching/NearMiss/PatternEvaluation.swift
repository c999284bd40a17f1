/// The result of each condition of a pattern on one request.
public struct PatternEvaluation: Sendable {
    /// A condition, in the order of WireMock's report.
    public struct Condition: Sendable {
        public let attribute: Attribute
        public let passes: Bool
        /// The distance from 0, which passes, to 1.
        public let distance: Double
        /// The values that were tested, as text; empty if there was none.
        public let actual: [String]
        /// The first differences within a document, such as `$.b.c[2]: expected 3, was 4`. Empty if the condition
        /// passes, if the value itself shows the difference, and if differences were not requested.
        public internal(set) var differences: [String] = []

        /// The condition with other texts for the tested values, and for the differences, which quote them.
        package func showing(_ actual: [String], differences: [String] = []) -> Condition {
            var condition = Condition(attribute: attribute, passes: passes, distance: distance, actual: actual)
            condition.differences = differences
            return condition
        }
    }

    /// The results of an evaluation beside verdicts and distances. Each costs about as much as a match.
    public struct Detail: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The `notes`.
        public static let notes = Detail(rawValue: 1)
        /// The `differences` of each condition that fails.
        public static let differences = Detail(rawValue: 2)
    }

    /// The subject of a condition. Numbers are indices in the pattern's lists.
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
        case certificate(Int)
        case customMatcher
    }

    public internal(set) var conditions: [Condition] = []
    /// WireMock's distance of the whole request: the weighted mean of its parts, with weight ten for host, port and
    /// URL, and three for scheme, client and method. If one of these fails, only these count. A custom matcher counts
    /// only if everything else matches.
    public internal(set) var distance = 0.0
    /// The notes of matchers up to the first condition that fails, where a match stops.
    public internal(set) var notes: [MatchNote] = []
    /// Whether the request is a multipart one, so that multipart conditions were evaluated.
    public internal(set) var isMultipart = false
    /// Each part with each multipart pattern.
    public internal(set) var parts: [Part] = []

    /// A part of a multipart request with one pattern.
    public struct Part: Sendable {
        /// The index of the pattern in the request pattern.
        public let pattern: Int
        /// The part's own name; empty if it has none.
        public let name: String
        /// The conditions on headers, one per header of the pattern.
        public let headers: [Condition]
        /// The conditions on the body, one per body pattern.
        public let bodies: [Condition]
    }

    public var matches: Bool { conditions.allSatisfy(\.passes) }

    /// The evaluation with its conditions as given, and without notes, which may quote the tested values.
    /// - Parameter partHeader: called with a part of a multipart body and the index of one of its header conditions.
    package func showing(
        _ condition: (Condition) -> Condition, partHeader: (Part, Int) -> Condition
    ) -> PatternEvaluation {
        var shown = self
        shown.conditions = conditions.map(condition)
        shown.notes = []
        shown.parts = parts.map { part in
            Part(
                pattern: part.pattern, name: part.name, headers: part.headers.indices.map { partHeader(part, $0) },
                bodies: part.bodies)
        }
        return shown
    }
}
