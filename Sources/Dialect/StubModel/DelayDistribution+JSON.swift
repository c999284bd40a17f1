import SDBasics
package import SDJSON

extension DelayDistribution {
    /// The values of `type`.
    package static let kinds = ["fixed", "uniform", "lognormal", "gaussian", "exponential"]

    /// The largest middle of a random delay in milliseconds, that of a fixed one in WireMock: 24 days.
    package static let longest = Double(Int32.max)
    /// The largest sigma of a log-normal delay: with more, most delays are none or without end.
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
        switch type.stringValue {
        case "fixed": return fixed(object, &reader)
        case "uniform": return uniform(object, &reader)
        case "lognormal": return lognormal(object, &reader)
        case "gaussian": return gaussian(object, &reader)
        case "exponential": return exponential(object, &reader)
        case let name:
            let text = name ?? type.compactText
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
    }

    private static func fixed(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var milliseconds = 0
        for member in object.members {
            reader.member(member, class: .delayDistribution("FixedDelayDistribution"), of: ["type", "milliseconds"]) {
                if member.key == "milliseconds" { milliseconds = $0.integer(member.value, .long) ?? 0 }
            }
        }
        return .fixed(milliseconds: milliseconds)
    }

    private static func uniform(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var lower = 0
        var upper = 0
        for member in object.members {
            reader.member(member, class: .delayDistribution("UniformDistribution"), of: ["type", "lower", "upper"]) {
                switch member.key {
                case "lower": lower = $0.integer(member.value, .int) ?? 0
                case "upper": upper = $0.integer(member.value, .int) ?? 0
                default: break
                }
            }
        }
        // WireMock accepts this, and fails when it draws the delay.
        guard lower <= upper else {
            reader.report(
                detail: "The upper bound (\(upper)) has to be greater than or equal to the lower bound (\(lower))",
                message: "the bounds are reversed", expected: "lower ≤ upper", found: "\(lower) and \(upper)")
            return nil
        }
        return .uniform(lower: lower, upper: upper)
    }

    private static func lognormal(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var median = 0.0
        var sigma = 0.0
        var maxValue: Double?
        let names = ["type", "median", "sigma", "maxValue"]
        for member in object.members {
            reader.member(member, class: .delayDistribution("LogNormal"), of: names) {
                switch member.key {
                case "median":
                    median = $0.double(member.value, javaType: "double") ?? 0
                    $0.check(median, "the median", most: longest, "at most \(Int(longest)) ms")
                case "sigma":
                    sigma = $0.double(member.value, javaType: "double") ?? 0
                    $0.check(sigma, "the sigma", most: widest, "at most \(Int(widest)), usually less than 1")
                case "maxValue": maxValue = $0.double(member.value, javaType: "java.lang.Double")
                default: break
                }
            }
        }
        if let maxValue, maxValue < median {
            reader.report(
                detail: "The max value (\(maxValue)) has to be greater than or equal to the median (\(median)). "
                    + "Sigma: \(sigma)",
                message: "the maximum is less than the median", expected: "median ≤ maxValue",
                found: "\(median) and \(maxValue)")
            return nil
        }
        return .lognormal(median: median, sigma: sigma, maxValue: maxValue)
    }

    private static func gaussian(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var values: [String: Double] = [:]
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["type", "mean", "standardDeviation", "maxValue"]) {
                if member.key != "type" { values[member.key] = $0.milliseconds(member.value) }
            }
        }
        guard reader.problems.count == known, isComplete(values, ["mean", "standardDeviation"], &reader) else {
            return nil
        }
        return .gaussian(
            mean: values["mean"] ?? 0, standardDeviation: values["standardDeviation"] ?? 0,
            maxValue: values["maxValue"])
    }

    private static func exponential(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var values: [String: Double] = [:]
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["type", "mean", "maxValue"]) {
                if member.key != "type" { values[member.key] = $0.milliseconds(member.value) }
            }
        }
        guard reader.problems.count == known, isComplete(values, ["mean"], &reader) else { return nil }
        return .exponential(mean: values["mean"] ?? 0, maxValue: values["maxValue"])
    }

    private static func isComplete(_ values: [String: Double], _ names: [String], _ reader: inout ModelReader) -> Bool {
        guard let missing = names.first(where: { values[$0] == nil }) else { return true }
        reader.report(
            detail: nil, message: "\"\(missing)\" is missing",
            expected: "\(names.joined(separator: " and ")) in milliseconds")
        return false
    }

    var json: JSONValue {
        switch self {
        case .fixed(let milliseconds):
            return ["type": "fixed", "milliseconds": .number(JSONNumber(milliseconds))]
        case .uniform(let lower, let upper):
            return ["type": "uniform", "lower": .number(JSONNumber(lower)), "upper": .number(JSONNumber(upper))]
        case .lognormal(let median, let sigma, let maxValue):
            var object: JSONObject = ["type": "lognormal"]
            object["median"] = JSONNumber(median).map(JSONValue.number)
            object["sigma"] = JSONNumber(sigma).map(JSONValue.number)
            object["maxValue"] = maxValue.flatMap { JSONNumber($0) }.map(JSONValue.number)
            return .object(object)
        case .gaussian(let mean, let standardDeviation, let maxValue):
            var object: JSONObject = ["type": "gaussian"]
            object["mean"] = JSONNumber(mean).map(JSONValue.number)
            object["standardDeviation"] = JSONNumber(standardDeviation).map(JSONValue.number)
            object["maxValue"] = maxValue.flatMap { JSONNumber($0) }.map(JSONValue.number)
            return .object(object)
        case .exponential(let mean, let maxValue):
            var object: JSONObject = ["type": "exponential"]
            object["mean"] = JSONNumber(mean).map(JSONValue.number)
            object["maxValue"] = maxValue.flatMap { JSONNumber($0) }.map(JSONValue.number)
            return .object(object)
        }
    }
}

extension ModelReader {
    /// Reads a number of milliseconds from 0.
    fileprivate mutating func milliseconds(_ value: JSONValue) -> Double? {
        if let number = value.doubleValue, 0...DelayDistribution.longest ~= number { return number }
        report(
            detail: nil, message: "not a number of milliseconds",
            expected: "a number from 0 to \(Int(DelayDistribution.longest))", found: value.shortDescription)
        return nil
    }

    /// Reports a number that is larger than a delay can be.
    fileprivate mutating func check(_ number: Double, _ what: String, most: Double, _ expected: String) {
        guard number > most else { return }
        report(detail: nil, message: "\(what) is too large", expected: expected, found: "\(number)")
    }
}

extension DribbleDelay {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> DribbleDelay? {
        guard let object = reader.object(value, .dribbleDelay) else { return nil }
        var numberOfChunks: Int?
        var totalDuration: Int?
        let known = reader.problems.count
        for member in object.members {
            reader.member(member, class: .dribbleDelay, of: ["numberOfChunks", "totalDuration"]) {
                if member.key == "numberOfChunks" { numberOfChunks = $0.integer(member.value, .boxedInt) }
                if member.key == "totalDuration" { totalDuration = $0.integer(member.value, .boxedInt) }
            }
        }
        guard reader.problems.count == known else { return nil }
        // WireMock accepts less, and fails when it sends the response.
        guard let numberOfChunks, let totalDuration, totalDuration >= 0 else {
            reader.report(
                detail: "chunkedDribbleDelay needs numberOfChunks and totalDuration (0 or more)",
                message: "an incomplete dribble", expected: "numberOfChunks, and totalDuration ≥ 0 in milliseconds",
                found: JSONValue.object(object).compactText)
            return nil
        }
        if numberOfChunks <= 0 { reader.warn("without chunks the body is sent at once", name: "numberOfChunks") }
        return DribbleDelay(numberOfChunks: numberOfChunks, totalDuration: totalDuration)
    }

    var json: JSONValue {
        [
            "numberOfChunks": .number(JSONNumber(numberOfChunks)),
            "totalDuration": .number(JSONNumber(totalDuration)),
        ]
    }
}
