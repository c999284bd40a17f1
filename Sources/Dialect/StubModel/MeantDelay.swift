import SDJSON

/// Suggests our notation for delays of other tools.
extension DelayText {
    /// The delay that an invalid object probably means: `{min: 100, max: 500}` is `{uniform: [100ms, 500ms]}`. Nil if
    /// unknown.
    static func meant(by object: JSONObject) -> String? {
        func value(_ names: String...) -> JSONValue? {
            object.members.first { member in names.contains(plain(member.key)) }?.value
        }
        if let low = value("min", "minimum", "from", "lower", "start", "low", "least").flatMap(duration),
            let high = value("max", "maximum", "to", "upper", "end", "high", "most").flatMap(duration)
        {
            return "{uniform: [\(low), \(high)]}"
        }
        for range in [value("random", "range", "between", "uniform", "minmax")] {
            guard let bounds = range?.arrayValue?.compactMap(duration), bounds.count == 2 else { continue }
            return "{uniform: [\(bounds[0]), \(bounds[1])]}"
        }
        if let mean = value("mean", "average", "avg").flatMap(duration) {
            guard let deviation = value("standarddeviation", "stddev", "sd", "deviation", "sigma", "jitter") else {
                return "{exponential: \(mean)}"
            }
            return duration(deviation).map { "{gaussian: [\(mean), \($0)]}" }
        }
        let fixed = ["fixed", "duration", "value", "milliseconds", "ms", "time", "delay", "latency"]
        for member in object.members
        where fixed.contains(plain(member.key)) && (object.count == 1 || plain(member.key) == "milliseconds") {
            return duration(member.value)
        }
        for member in object.members where object.count == 1 {
            // {seconds: 2}
            guard let number = member.value.numberValue,
                let meant = DurationText.meant(by: .string(number.text + member.key.lowercased()))
            else { continue }
            return meant
        }
        return nil
    }

    /// A duration as text; a missing unit is added.
    private static func duration(_ value: JSONValue) -> String? {
        if let text = value.stringValue, DurationText.milliseconds(text) != nil { return text }
        return DurationText.meant(by: value)
    }

    private static func plain(_ name: String) -> String { String(name.lowercased().filter { !"-_".contains($0) }) }
}

/// Suggests our notation for faults of other tools.
enum MeantFault {
    private static let words: [(names: Set<String>, meant: String)] = [
        (
            [
                "timeout", "timedout", "hang", "never", "neveranswer", "noresponse", "noanswer", "stall", "blackhole",
                "freeze", "infinite", "etimedout",
            ], "{neverAnswer: true}"
        ),
        (
            [
                "reset", "rst", "resetpeer", "connectionreset", "peerreset", "econnreset", "connectionresetbypeer",
                "resetbypeer", "tcpreset",
            ], "CONNECTION_RESET_BY_PEER"
        ),
        (
            [
                "close", "closed", "drop", "disconnect", "empty", "emptyresponse", "abort", "hangup", "connectionclose",
                "connectionclosed", "networkerror", "network", "networkfailure", "down", "closeconnection",
                "dropconnection",
            ], "EMPTY_RESPONSE"
        ),
        (["garbage", "random", "randomdata", "randomdatathenclose", "corrupt"], "RANDOM_DATA_THEN_CLOSE"),
        (["malformed", "malformedchunk", "badchunk", "malformedresponsechunk", "chunk"], "MALFORMED_RESPONSE_CHUNK"),
        (["slow", "slowresponse", "throttle", "bandwidth"], "{bandwidth: 1KB/s}"),
        (["truncate", "truncated", "cut", "partial", "incomplete"], "{cutAfter: 50%}"),
        (["error", "servererror", "internalservererror", "http500"], "{status: 500}"),
    ]

    /// The value of `fault` that an unknown word or a status probably means.
    static func meant(by value: JSONValue) -> String? {
        if let status = value.intValue ?? value.stringValue.flatMap({ Int($0) }), (100...999).contains(status) {
            return "{status: \(status)}"
        }
        guard let text = value.stringValue else { return nil }
        let word = String(text.lowercased().filter { !"-_ ".contains($0) })
        return words.first { $0.names.contains(word) }?.meant
    }

    /// The members of a fault that an unknown value of `type` or `kind` probably means.
    static func members(meantBy value: JSONValue) -> String? {
        guard let meant = meant(by: value) else { return nil }
        return meant.hasPrefix("{") ? String(meant.dropFirst().dropLast()) : "kind: \(meant)"
    }
}
