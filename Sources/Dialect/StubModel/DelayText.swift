package import SDJSON

/// Parses a delay in short notation: `120ms`, `{uniform: [50ms, 200ms]}`, `{median: 80ms, sigma: 0.4}`,
/// `{gaussian: [200ms, 50ms]}`, `{exponential: 100ms}`. WireMock's notation with a `type` is accepted as well.
package enum DelayText {
    package static let expected =
        "\(DurationText.expected), {uniform: [50ms, 200ms]}, {median: 80ms, sigma: 0.4}, {gaussian: [200ms, 50ms]} "
        + "or {exponential: 100ms}"

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> DelayDistribution? {
        if reportRange(value, &reader) { return nil }
        guard case .object(let object) = value else {
            return DurationText.read(value, &reader).map { .fixed(milliseconds: $0) }
        }
        return object["type"] == nil ? read(object, &reader) : DelayDistribution.read(value, &reader)
    }

    /// Reports a list in place of a delay; two durations are suggested as the bounds of a uniform one.
    /// - Returns: whether it is a list.
    package static func reportRange(_ value: JSONValue, _ reader: inout ModelReader) -> Bool {
        guard case .array(let elements) = value else { return false }
        let bounds = elements.compactMap { element in
            element.stringValue.flatMap { DurationText.milliseconds($0) == nil ? nil : $0 }
                ?? DurationText.meant(by: element)
        }
        let isPair = elements.count == 2 && bounds.count == 2
        reader.report(
            detail: nil, message: "a list is no delay", expected: expected, found: value.shortDescription,
            suggestion: isPair ? "{uniform: [\(bounds[0]), \(bounds[1])]}" : nil)
        return true
    }

    /// Reads a distribution in short notation.
    package static func read(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        if object["uniform"] != nil { return readUniform(object, &reader) }
        let value = JSONValue.object(object)
        if object["median"] != nil || object["sigma"] != nil {
            return LognormalDelay.read(value, &reader)?.distribution(&reader)
        }
        if object["gaussian"] != nil { return GaussianDelay.read(value, &reader)?.distribution }
        if object["exponential"] != nil { return ExponentialDelay.read(value, &reader)?.distribution }
        if object.isEmpty {
            reader.report(detail: nil, message: "an empty delay", expected: expected)
        } else if let meant = meant(by: object) {
            reader.report(
                detail: nil, message: "no delay has the keys \(object.keys.joined(separator: " and "))",
                expected: expected, suggestion: meant)
        } else {
            for key in object.keys where key != "max" || object.count == 1 {
                reader.reportUnknownKey(
                    key, valid: ["uniform", "median", "sigma", "gaussian", "exponential", "max"],
                    suggestion: ["normal": "gaussian", "mean": "gaussian", "lognormal": "median"][key])
            }
        }
        return nil
    }

    private static func readUniform(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        for key in object.keys where key != "uniform" { reader.reportUnknownKey(key, valid: ["uniform"]) }
        return reader.within("uniform") { reader in
            let expected = "the minimum and maximum delay: [50ms, 200ms]"
            guard let (lower, upper) = readPair(object["uniform"], "not a range", expected, &reader) else { return nil }
            guard lower <= upper else {
                reader.report(
                    detail: nil, message: "the bounds are reversed", expected: "the smaller delay first",
                    found: "\(lower)ms and \(upper)ms")
                return nil
            }
            return .uniform(lower: lower, upper: upper)
        }
    }

    fileprivate static func readPair(
        _ value: JSONValue?, _ message: String, _ expected: String, _ reader: inout ModelReader
    ) -> (Int, Int)? {
        guard let pair = value?.arrayValue, pair.count == 2 else {
            reader.report(detail: nil, message: message, expected: expected, found: value?.shortDescription)
            return nil
        }
        guard let first = reader.within("0", { DurationText.read(pair[0], &$0) }),
            let second = reader.within("1", { DurationText.read(pair[1], &$0) })
        else { return nil }
        return (first, second)
    }
}

extension LognormalDelay {
    static func readSigma(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        reader.accept(
            value.doubleValue.flatMap { 0...DelayDistribution.widest ~= $0 ? $0 : nil }, of: value, "not a spread",
            "a number from 0 to \(Int(DelayDistribution.widest)), such as 0.4")
    }

    fileprivate func distribution(_ reader: inout ModelReader) -> DelayDistribution? {
        guard let median, let sigma else { return nil }
        if let max, max < median {
            reader.report(
                detail: nil, message: "the maximum is less than the median", expected: "median ≤ max",
                found: "\(median)ms and \(max)ms")
            return nil
        }
        return .lognormal(median: Double(median), sigma: sigma, maxValue: max.map(Double.init))
    }
}

extension GaussianDelay {
    static func readPair(_ value: JSONValue, _ reader: inout ModelReader) -> (mean: Int, deviation: Int)? {
        DelayText.readPair(
            value, "not a mean and a deviation", "the mean and the standard deviation: [200ms, 50ms]", &reader)
    }

    fileprivate var distribution: DelayDistribution? {
        gaussian.map {
            .gaussian(mean: Double($0.mean), standardDeviation: Double($0.deviation), maxValue: max.map(Double.init))
        }
    }
}

extension ExponentialDelay {
    fileprivate var distribution: DelayDistribution? {
        exponential.map { .exponential(mean: Double($0), maxValue: max.map(Double.init)) }
    }
}
