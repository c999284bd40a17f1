// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

import SDJSON

/// A random delay for each response: a constant, or a distribution, in milliseconds.
public enum DelayDistribution: Sendable, Hashable {
    /// A constant delay, in milliseconds.
    case fixed(milliseconds: Int)
    /// A uniformly distributed delay between two bounds, in milliseconds.
    case uniform(lower: Int, upper: Int)
    /// A log-normally distributed delay, as of real servers: many near the median, a few much longer. In milliseconds.
    case lognormal(median: Double, sigma: Double, maxValue: Double?)
    /// A normally distributed delay, never below 0, in milliseconds. An addition to WireMock's distributions.
    case gaussian(mean: Double, standardDeviation: Double, maxValue: Double?)
    /// An exponentially distributed delay: many short ones, few long ones. In milliseconds. An addition to WireMock's
    /// distributions.
    case exponential(mean: Double, maxValue: Double?)
}

extension DelayDistribution {
    /// The values of `type`.
    package static let kinds = ["fixed", "uniform", "lognormal", "gaussian", "exponential"]

    /// Reads an object of a kind; nil for one with a problem.
    static func read(_ object: JSONObject, _ kind: String, _ reader: inout ModelReader) -> DelayDistribution? {
        let known = reader.problems.count
        switch kind {
        case "fixed":
            var milliseconds: Int = 0
            for member in object.members {
                guard let index = reader.index(of: member, class: .delayDistribution("FixedDelayDistribution"), in: DialectNames.fixed) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: milliseconds = reader.integer(value, .long) ?? 0
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.fixed(milliseconds: milliseconds).checked(&reader)
        case "uniform":
            var lower: Int = 0
            var upper: Int = 0
            for member in object.members {
                guard let index = reader.index(of: member, class: .delayDistribution("UniformDistribution"), in: DialectNames.typedUniform) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: lower = reader.integer(value, .int) ?? 0
                    case 2: upper = reader.integer(value, .int) ?? 0
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.uniform(lower: lower, upper: upper).checked(&reader)
        case "lognormal":
            var median: Double = 0
            var sigma: Double = 0
            var maxValue: Double?
            for member in object.members {
                guard let index = reader.index(of: member, class: .delayDistribution("LogNormal"), in: DialectNames.typedLognormal) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: median = Self.readMedian(value, &reader) ?? 0
                    case 2: sigma = Self.readSigma(value, &reader) ?? 0
                    case 3: maxValue = reader.double(value, javaType: "java.lang.Double")
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.lognormal(median: median, sigma: sigma, maxValue: maxValue).checked(&reader)
        case "gaussian":
            var mean: Double = 0
            var standardDeviation: Double = 0
            var maxValue: Double?
            for member in object.members {
                guard let index = reader.index(of: member, in: DialectNames.typedGaussian) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: mean = Self.readMilliseconds(value, &reader) ?? 0
                    case 2: standardDeviation = Self.readMilliseconds(value, &reader) ?? 0
                    case 3: maxValue = Self.readMilliseconds(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known, reader.has(["mean", "standardDeviation"], in: object, "mean and standardDeviation in milliseconds") else { return nil }
            return Self.gaussian(mean: mean, standardDeviation: standardDeviation, maxValue: maxValue).checked(&reader)
        case "exponential":
            var mean: Double = 0
            var maxValue: Double?
            for member in object.members {
                guard let index = reader.index(of: member, in: DialectNames.typedExponential) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: mean = Self.readMilliseconds(value, &reader) ?? 0
                    case 2: maxValue = Self.readMilliseconds(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known, reader.has(["mean"], in: object, "mean in milliseconds") else { return nil }
            return Self.exponential(mean: mean, maxValue: maxValue).checked(&reader)
        default: return nil
        }
    }

    /// The document that it is read from.
    var json: JSONValue {
        var object = JSONObject()
        switch self {
        case .fixed(let milliseconds):
            object["type"] = "fixed"
            object["milliseconds"] = milliseconds.json
        case .uniform(let lower, let upper):
            object["type"] = "uniform"
            object["lower"] = lower.json
            object["upper"] = upper.json
        case .lognormal(let median, let sigma, let maxValue):
            object["type"] = "lognormal"
            object["median"] = median.json
            object["sigma"] = sigma.json
            object["maxValue"] = maxValue?.json
        case .gaussian(let mean, let standardDeviation, let maxValue):
            object["type"] = "gaussian"
            object["mean"] = mean.json
            object["standardDeviation"] = standardDeviation.json
            object["maxValue"] = maxValue?.json
        case .exponential(let mean, let maxValue):
            object["type"] = "exponential"
            object["mean"] = mean.json
            object["maxValue"] = maxValue?.json
        }
        return .object(object)
    }
}
