package import SDJSON

extension WrittenDelay {
    /// A distribution in short, such as `{"uniform": ["50ms", "200ms"]}`; nil for one that has no short form.
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
        .string(WrittenDuration.text(milliseconds: milliseconds))
    }
}
