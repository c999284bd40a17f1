package import SDJSON

extension DelayText {
    /// The shortest JSON of a delay.
    static func json(_ distribution: DelayDistribution) -> JSONValue {
        if case .fixed(let milliseconds) = distribution { return DurationText.json(milliseconds) }
        return short(distribution) ?? distribution.json
    }

    /// The short notation of a distribution, such as `{"uniform": ["50ms", "200ms"]}`; nil if it has none.
    package static func short(_ distribution: DelayDistribution) -> JSONValue? {
        switch distribution {
        case .fixed: return nil
        case .uniform(let lower, let upper): return ["uniform": [duration(lower), duration(upper)]]
        case .lognormal(let median, let sigma, let most):
            guard let median = duration(median), let sigma = JSONNumber(sigma) else { return nil }
            return limited(["median": median, "sigma": .number(sigma)], most)
        case .gaussian(let mean, let deviation, let most):
            guard let mean = duration(mean), let deviation = duration(deviation) else { return nil }
            return limited(["gaussian": [mean, deviation]], most)
        case .exponential(let mean, let most):
            return duration(mean).flatMap { limited(["exponential": $0], most) }
        }
    }

    private static func limited(_ object: JSONObject, _ most: Double?) -> JSONValue? {
        guard let most else { return .object(object) }
        guard let most = duration(most) else { return nil }
        var object = object
        object["max"] = most
        return .object(object)
    }

    private static func duration(_ milliseconds: Double) -> JSONValue? {
        Int(exactly: milliseconds).map { duration($0) }
    }

    private static func duration(_ milliseconds: Int) -> JSONValue {
        .string(DurationText.text(milliseconds: milliseconds))
    }
}
