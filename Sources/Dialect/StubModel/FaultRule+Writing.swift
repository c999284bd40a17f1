public import SDJSON

extension FaultRule {
    /// The rule as an object of `fault`, from which the same rule is read. Of several changes with the same key, only
    /// the last is written.
    public var json: JSONObject {
        var object = JSONObject()
        if !isAnswerOfLimit { replacement?.write(to: &object) }
        object["delay"] = delay?.json
        for change in changes {
            object[change.name] = change.json
            if case .cut(_, let end) = change { object["then"] = end == .fin ? nil : end.json }
        }
        object["readSlowly"] = readRate?.json
        if neverReads { object["neverRead"] = true }
        conditions.write(to: &object)
        return object
    }

    /// Whether the replacement is only the default answer of a limit.
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
    /// The value of a key that has several cases.
    var ownJSON: JSONValue {
        switch self {
        case .duplicateHeader(let name, nil): .string(name)
        case .duplicateHeader(let name, let value?): ["name": .string(name), "value": .string(value)]
        case .garbageText(let text): .string(text)
        case .garbage(let count): count.json
        case .corruptByte(let offset): ["byte": offset.json]
        case .corruptRate(let rate): ["rate": rate.json]
        case .cut(let cut, _): cut.json
        default: .null
        }
    }
}

extension FaultRule.Cut {
    fileprivate var json: JSONValue {
        switch self {
        case .byte(let count): count.json
        case .share(let share): .string("\(JSONNumber(share * 100)?.text ?? "100")%")
        case .nothing: "nothing"
        case .head: "headers"
        case .chunk(let count): ["chunk": count.json]
        }
    }
}

extension FaultRule.Conditions {
    fileprivate func write(to object: inout JSONObject) {
        object["between"] = between.map { .array([$0.lowerBound, $0.upperBound].map(DurationText.json)) }
        object["first"] = first.map { count in
            firstPer.map { ["count": count.json, "perHeader": .string($0)] } ?? count.json
        }
        object["quota"] = quota?.json
        object["concurrency"] = concurrency?.json
        object["probability"] = probability?.json
    }
}

extension ByteRate {
    var json: JSONValue { .string("\(bytesPerSecond)B/s") }
}
