import SDBasics
package import SDJSON

extension DelayDistribution {
    /// The maximum of a distribution's centre in milliseconds, as for WireMock's fixed delays: 24 days.
    package static let longest = Double(Int32.max)
    /// The maximum sigma of a log-normal delay: with more, most delays are zero or endless.
    package static let widest = 100.0

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> DelayDistribution? {
        if value.isNull { return nil }
        let home = "com.github.tomakehurst.wiremock.http.DelayDistribution"
        guard case .object(let object) = value, let type = object["type"], !type.isNull else {
            reader.report(
                detail: "Could not resolve subtype of [simple type, class \(home)]: "
                    + "missing type id property 'type' (for POJO property 'delayDistribution')",
                message: "a delay distribution without a type",
                expected: "an object with \"type\": one of \(kinds.joined(separator: ", "))",
                found: value.shortDescription)
            return nil
        }
        let text = type.stringValue ?? type.compactText
        guard kinds.contains(text), type.stringValue != nil else {
            let pointer = reader.pointer
            reader.within("type") { reader in
                reader.anchored(at: pointer) {
                    $0.report(
                        detail: "Could not resolve type id '\(text)' as a subtype of `\(home)`: known type ids = "
                            + "[fixed, lognormal, uniform] (for POJO property 'delayDistribution')",
                        message: "unknown type of delay distribution",
                        expected: "one of \(kinds.joined(separator: ", "))", found: type.shortDescription,
                        suggestion: nearestName(to: text, among: kinds))
                }
            }
            return nil
        }
        return read(object, text, &reader)
    }

    /// Returns the distribution if it can be sampled; otherwise reports why not.
    func checked(_ reader: inout ModelReader) -> DelayDistribution? {
        switch self {
        // WireMock accepts this, and fails when it samples the delay.
        case .uniform(let lower, let upper) where lower > upper:
            reader.report(
                detail: "The upper bound (\(upper)) has to be greater than or equal to the lower bound (\(lower))",
                message: "the bounds are reversed", expected: "lower ≤ upper", found: "\(lower) and \(upper)")
        case .lognormal(let median, let sigma, let maxValue?) where maxValue < median:
            reader.report(
                detail: "The max value (\(maxValue)) has to be greater than or equal to the median (\(median)). "
                    + "Sigma: \(sigma)",
                message: "the maximum is less than the median", expected: "median ≤ maxValue",
                found: "\(median) and \(maxValue)")
        default: return self
        }
        return nil
    }

    static func readMedian(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        read(value, "the median", most: longest, "at most \(Int(longest)) ms", &reader)
    }

    static func readSigma(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        read(value, "the sigma", most: widest, "at most \(Int(widest)), usually less than 1", &reader)
    }

    private static func read(
        _ value: JSONValue, _ what: String, most: Double, _ expected: String, _ reader: inout ModelReader
    ) -> Double? {
        let number = reader.double(value, javaType: "double")
        if let number, number > most {
            reader.report(detail: nil, message: "\(what) is too large", expected: expected, found: "\(number)")
        }
        return number
    }

    static func readMilliseconds(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        reader.accept(
            value.doubleValue.flatMap { 0...longest ~= $0 ? $0 : nil }, of: value, "not a number of milliseconds",
            "a number from 0 to \(Int(longest))")
    }
}

extension DribbleDelay {
    mutating func finish(_ object: JSONObject, _ reader: inout ModelReader) {
        // WireMock accepts fewer members, and fails when it sends the response.
        let isIncomplete = DialectNames.chunkedDribbleDelay.contains { object[$0]?.isNull != false }
        if isIncomplete || totalDuration < 0 {
            reader.report(
                detail: "chunkedDribbleDelay needs numberOfChunks and totalDuration (0 or more)",
                message: "an incomplete dribble", expected: "numberOfChunks, and totalDuration ≥ 0 in milliseconds",
                found: JSONValue.object(object).compactText)
        } else if numberOfChunks <= 0 {
            reader.warn("without chunks the body is sent at once", name: "numberOfChunks")
        }
    }
}
