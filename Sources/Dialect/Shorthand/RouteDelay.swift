import JSON
import StubModel

/// The delays of the route shorthand: `120ms`, `1.5s`, `{uniform: [50ms, 200ms]}`, `{median: 80ms, sigma: 0.4}`, or a
/// template of a duration.
enum RouteDelay {
    /// Reads a delay into the delay fields of `response`.
    static func readDelay(_ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader) {
        guard case .object(let object) = value else {
            if let text = value.stringValue, RouteTemplate.hasExpression(text) {
                response.fixedDelayTemplate = text
                return
            }
            response.fixedDelayMilliseconds = WrittenDuration.read(value, &reader)
            return
        }
        let expected = "\(WrittenDuration.expected), {uniform: [50ms, 200ms]} or {median: 80ms, sigma: 0.4}"
        if object["uniform"] != nil {
            response.delayDistribution = readUniform(object, &reader)
        } else if object["median"] != nil || object["sigma"] != nil {
            response.delayDistribution = readLognormal(object, &reader)
        } else if object.isEmpty {
            reader.report(detail: nil, message: "an empty delay", expected: expected)
        } else {
            for key in object.keys { reader.reportUnknownKey(key, valid: ["uniform", "median", "sigma", "max"]) }
        }
    }

    private static func readUniform(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        for key in object.keys where key != "uniform" { reader.reportUnknownKey(key, valid: ["uniform"]) }
        return reader.within("uniform") { reader in
            guard let bounds = object["uniform"]?.arrayValue, bounds.count == 2 else {
                reader.report(
                    detail: nil, message: "not a range", expected: "the minimum and maximum delay: [50ms, 200ms]",
                    found: object["uniform"]?.shortDescription)
                return nil
            }
            guard let lower = reader.within("0", { WrittenDuration.read(bounds[0], &$0) }),
                let upper = reader.within("1", { WrittenDuration.read(bounds[1], &$0) })
            else { return nil }
            guard lower <= upper else {
                reader.report(
                    detail: nil, message: "the bounds are reversed", expected: "the smaller delay first",
                    found: "\(lower)ms and \(upper)ms")
                return nil
            }
            return .uniform(lower: lower, upper: upper)
        }
    }

    private static func readLognormal(_ object: JSONObject, _ reader: inout ModelReader) -> DelayDistribution? {
        var median: Int?
        var sigma: Double?
        var maximum: Int?
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["median", "sigma", "max"]) { reader in
                switch member.key {
                case "median": median = WrittenDuration.read(member.value, &reader)
                case "max": maximum = WrittenDuration.read(member.value, &reader)
                default:
                    sigma = member.value.doubleValue
                    if sigma.map({ $0 >= 0 && $0.isFinite }) != true {
                        reader.report(
                            detail: nil, message: "not a spread", expected: "a number of at least 0, such as 0.4",
                            found: member.value.shortDescription)
                    }
                }
            }
        }
        guard reader.problems.count == known else { return nil }
        guard let median, let sigma else {
            reader.report(
                detail: nil, message: median == nil ? "the median is missing" : "the sigma is missing",
                expected: "{median: 80ms, sigma: 0.4}")
            return nil
        }
        if let maximum, maximum < median {
            reader.report(
                detail: nil, message: "the maximum is less than the median", expected: "median ≤ max",
                found: "\(median)ms and \(maximum)ms")
            return nil
        }
        return .lognormal(median: Double(median), sigma: sigma, maxValue: maximum.map(Double.init))
    }

    /// Reads `{chunks: 5, over: 1s}`.
    static func readDribble(_ value: JSONValue, _ reader: inout ModelReader) -> DribbleDelay? {
        let expected = "{chunks: 5, over: 1s}"
        guard case .object(let object) = value else {
            reader.report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
            return nil
        }
        var chunks: Int?
        var duration: Int?
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["chunks", "over"]) { reader in
                if member.key == "over" {
                    duration = WrittenDuration.read(member.value, &reader)
                } else {
                    chunks = member.value.intValue
                    if chunks.map({ $0 > 0 && $0 <= Int(Int32.max) }) != true {
                        reader.report(
                            detail: nil, message: "not a number of chunks", expected: "an integer of at least 1",
                            found: member.value.shortDescription)
                    }
                }
            }
        }
        guard reader.problems.count == known else { return nil }
        guard let chunks, let duration else {
            let missing = chunks == nil ? "chunks" : "over"
            reader.report(detail: nil, message: "\"\(missing)\" is missing", expected: expected)
            return nil
        }
        return DribbleDelay(numberOfChunks: chunks, totalDuration: duration)
    }
}
