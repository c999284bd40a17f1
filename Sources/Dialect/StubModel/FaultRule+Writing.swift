public import SDJSON

extension FaultRule {
    /// The rule as an object of `fault`. What it says is found in it again; of several changes of one name the last
    /// counts.
    public var json: JSONObject {
        var object = JSONObject()
        if !isAnswerOfLimit { replacement?.write(to: &object) }
        object["delay"] = delay?.json
        for change in changes { change.write(to: &object) }
        object["readSlowly"] = readRate?.json
        if neverReads { object["neverRead"] = true }
        conditions.write(to: &object)
        return object
    }

    /// Whether it only answers as a limit does that says nothing else.
    private var isAnswerOfLimit: Bool {
        guard changes.isEmpty, delay == nil, !isAboutUploads else { return false }
        if conditions.quota != nil { return replacement == .status(429) }
        return conditions.concurrency != nil && replacement == .status(503)
    }
}

extension FaultRule.Replacement {
    fileprivate func write(to object: inout JSONObject) {
        switch self {
        case .nothing: object["neverAnswer"] = true
        case .status(let status): object["status"] = .number(JSONNumber(status))
        case .fault(let fault): object["kind"] = .string(fault.rawValue)
        }
    }
}

extension FaultRule.Change {
    fileprivate func write(to object: inout JSONObject) {
        object[name] =
            switch self {
            case .wrongLength(let difference): .number(JSONNumber(difference))
            case .duplicateHeader(let name, nil): .string(name)
            case .duplicateHeader(let name, let value?): ["name": .string(name), "value": .string(value)]
            case .garbageText(let text): .string(text)
            case .garbage(let count): .number(JSONNumber(count))
            case .corruptByte(let offset): ["byte": .number(JSONNumber(offset))]
            case .corruptRate(let rate): ["rate": rate.json]
            case .dropTrailers: true
            case .cut(let cut, _): cut.json
            case .stall(let after, let milliseconds):
                ["after": .number(JSONNumber(after)), "for": milliseconds.map(duration) ?? "forever"]
            case .slice(let size, let gap): ["size": .number(JSONNumber(size)), "gap": duration(gap)]
            case .bandwidth(let rate): rate.json
            case .slowClose(let milliseconds): duration(milliseconds)
            }
        if case .cut(_, let end) = self { object["then"] = end == .fin ? nil : end.json }
    }
}

extension FaultRule.Cut {
    fileprivate var json: JSONValue {
        switch self {
        case .byte(let count): .number(JSONNumber(count))
        case .share(let share): .string("\(JSONNumber(share * 100)?.text ?? "100")%")
        case .nothing: "nothing"
        case .head: "headers"
        case .chunk(let count): ["chunk": .number(JSONNumber(count))]
        }
    }
}

extension FaultRule.Conditions {
    fileprivate func write(to object: inout JSONObject) {
        object["between"] = between.map { [duration($0.lowerBound), duration($0.upperBound)] }
        object["first"] = first.map { count in
            let count = JSONValue.number(JSONNumber(count))
            return firstPer.map { ["count": count, "perHeader": .string($0)] } ?? count
        }
        object["quota"] = quota?.json
        object["concurrency"] = concurrency.map { .number(JSONNumber($0)) }
        object["probability"] = probability?.json
    }
}

extension ByteRate {
    var json: JSONValue { .string("\(bytesPerSecond)B/s") }
}

private func duration(_ milliseconds: Int) -> JSONValue {
    .string(WrittenDuration.text(milliseconds: milliseconds))
}
