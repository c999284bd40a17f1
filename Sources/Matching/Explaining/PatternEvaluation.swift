public import SDMatching
public import SDStubModel

/// A request compared with a pattern, condition by condition: expected and actual value, verdict, distance, and
/// differences. Explanations of why a stub does not answer are printed from this alone.
public struct PatternEvaluation: Sendable {
    /// A condition, in the order of WireMock's report.
    public struct Condition: Sendable {
        public let attribute: Attribute
        /// The index among the pattern's conditions of this kind.
        public let index: Int
        /// The name of the header, field or custom matcher; the index of a pattern of the body or its parts.
        public let key: String?
        public private(set) var expected: Expected
        public let passes: Bool
        /// The distance, from 0 (passes) to 1.
        public let distance: Double
        /// The tested values as text; empty if there was none.
        public private(set) var actual: [String]
        /// The first differences within a document, such as `$.b.c[2]: expected 3, was 4`. Empty if the condition
        /// passes, if the value itself shows the difference, and if differences were not requested.
        public internal(set) var differences: [String]
        /// Whether the tested values are secret, and `actual` has placeholders.
        public private(set) var isHidden = false

        init(
            _ attribute: Attribute, _ index: Int, of pattern: RequestPattern, passes: Bool, distance: Double,
            actual: [String], differences: [String] = []
        ) {
            self.attribute = attribute
            self.index = index
            (key, expected) = pattern.asked(attribute, index)
            self.passes = passes
            self.distance = distance
            self.actual = actual
            self.differences = differences
        }

        /// The condition with other texts for the tested values and for the differences that quote them.
        package func showing(
            _ actual: [String], differences: [String] = [], isHidden: Bool = false
        ) -> Condition {
            var condition = self
            (condition.actual, condition.differences, condition.isHidden) = (actual, differences, isHidden)
            return condition
        }

        /// The condition as one of another pattern with the same conditions and other texts.
        fileprivate func expecting(_ pattern: RequestPattern) -> Condition {
            var condition = self
            condition.expected = pattern.asked(attribute, index).expected
            return condition
        }
    }

    /// Results of an evaluation besides verdicts and distances. Each costs about as much as a match.
    public struct Detail: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The `notes`.
        public static let notes = Detail(rawValue: 1)
        /// The `differences` of each failed condition.
        public static let differences = Detail(rawValue: 2)
    }

    /// The subject of a condition, named like the pattern's member; for the URL, which has several names, see `member`.
    public enum Attribute: String, Sendable {
        case host, port, scheme, method, url, basicAuth, customMatcher
        case clientIP = "clientIp"
        case header = "headers"
        case pathParameter = "pathParameters"
        case queryParameter = "queryParameters"
        case formParameter = "formParameters"
        case cookie = "cookies"
        case certificate = "clientCertificate"
        case body = "bodyPatterns"
        case multipart = "multipartPatterns"
    }

    /// The pattern with these conditions.
    public internal(set) var pattern = RequestPattern()
    public internal(set) var conditions: [Condition] = []
    /// WireMock's distance of the whole request: the weighted mean of its parts, with weight ten for host, port and
    /// URL, and three for scheme, client and method. If one of these fails, only these count. A custom matcher counts
    /// only if everything else matches.
    public internal(set) var distance = 0.0
    /// The matchers' notes up to the first failed condition, where a match stops.
    public internal(set) var notes: [MatchNote] = []
    /// Whether the request is multipart, so that multipart conditions were evaluated.
    public internal(set) var isMultipart = false
    /// Each part with each multipart pattern.
    public internal(set) var parts: [Part] = []

    /// A part of a multipart request, compared with one pattern.
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

    public var failing: [Condition] { conditions.filter { !$0.passes } }

    /// The evaluation with other texts for what it expected and tested, and without notes, which may quote them.
    /// - Parameters:
    ///   - pattern: the pattern with the same conditions.
    ///   - header: called with the name of a header of a part of a multipart body.
    package func showing(
        _ pattern: RequestPattern, _ condition: (Condition) -> Condition, header: (String, Condition) -> Condition
    ) -> PatternEvaluation {
        var shown = self
        shown.pattern = pattern
        shown.conditions = conditions.map { condition($0).expecting(pattern) }
        shown.notes = []
        shown.parts = parts.map { part in
            let own = RequestPattern(of: pattern.multipartPatterns[part.pattern])
            return Part(
                pattern: part.pattern, name: part.name,
                headers: part.headers.map { header($0.key ?? "", $0).expecting(own) },
                bodies: part.bodies.map { $0.expecting(own) })
        }
        return shown
    }
}
