import SDBasics
package import SDJSON

extension FaultPlan {
    /// Reads a plan: an object, or a list of them. Nil for one with a problem.
    /// - Parameter isOfStub: whether it belongs to a stub, which is chosen when the request is there.
    package static func read(
        _ value: JSONValue, isOfStub: Bool = true, _ reader: inout ModelReader
    ) -> FaultPlan? {
        let known = reader.problems.count
        var rules: [FaultRule] = []
        switch value {
        case .object(let object): rules = [FaultRule.read(object, isOfStub: isOfStub, besides: [], &reader)]
        case .array(let elements):
            if elements.isEmpty { reader.report(detail: nil, message: "no faults", expected: FaultRule.example) }
            for (index, element) in elements.enumerated() {
                reader.within(String(index)) { reader in
                    if case .object(let object) = element {
                        rules.append(FaultRule.read(object, isOfStub: isOfStub, besides: [], &reader))
                    } else {
                        reader.report(
                            detail: nil, message: "wrong type", expected: FaultRule.example,
                            found: element.shortDescription)
                    }
                }
            }
        default:
            reader.report(
                detail: nil, message: "wrong type", expected: FaultRule.example, found: value.shortDescription)
        }
        return reader.problems.count == known ? FaultPlan(rules: rules, json: value) : nil
    }
}

extension FaultRule {
    static let example = "a fault, such as {cutAfter: 10, then: rst}"

    /// The keys that say what happens to an answer.
    package static let actionNames = [
        "status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader",
        "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose",
    ]
    /// The keys about the reading of requests.
    package static let uploadNames = ["readSlowly", "neverRead"]
    package static let conditionNames = ["probability", "first", "between", "quota", "concurrency"]
    package static let stubNames = DialectNames.fault

    /// Names from other tools.
    private static let otherNames = DialectNames.sessionFaultAliases

    /// Reads a rule.
    /// - Parameter others: keys that the caller reads.
    package static func read(
        _ object: JSONObject, isOfStub: Bool, besides others: [String], _ reader: inout ModelReader
    ) -> FaultRule {
        var draft = FaultDraft()
        let known = reader.problems.count
        let names = stubNames + (isOfStub ? [] : uploadNames) + others
        let otherNames = otherNames.filter { names.contains($0.value) }
        for member in object.members where !others.contains(member.key) {
            if isOfStub, uploadNames.contains(member.key) {
                reader.reportName(
                    member.key, message: "a stub is chosen when its request has been read",
                    expected: "\(member.key) in a fault of the session, whose pattern looks at the head")
                continue
            }
            if isOfStub, SessionFault.earlyNames.contains(member.key) {
                reader.reportName(
                    member.key, message: "a stub is chosen when there is a request, and the connection was made before",
                    expected: "\(member.key) in a fault of the session")
                continue
            }
            var otherNames = otherNames
            if ["type", "fault", "name"].contains(member.key), !names.contains(member.key) {
                otherNames[member.key] = MeantFault.members(meantBy: member.value) ?? otherNames[member.key]
            } else if member.key == "timeout", member.value.boolValue != false {
                otherNames[member.key] = "neverAnswer: true"
            }
            reader.key(member, of: names, otherNames: otherNames) { draft.read(member.key, member.value, &$0) }
        }
        // What a misspelt key would have done is not known.
        let mayDoNothing = reader.problems.count > known || SessionFault.earlyNames.contains { object[$0] != nil }
        return draft.finish(object, mayDoNothing: mayDoNothing, &reader)
    }
}

/// A rule as far as it is read.
private struct FaultDraft {
    private var rule = FaultRule()
    private var cut: FaultRule.Cut?
    private var end = FaultRule.End.fin
    private var length: FaultRule.Change?
    private var header: FaultRule.Change?
    private var garbage: FaultRule.Change?
    private var corruption: FaultRule.Change?
    private var trailers: FaultRule.Change?
    private var stall: FaultRule.Change?
    private var slice: FaultRule.Change?
    private var bandwidth: FaultRule.Change?
    private var slowClose: FaultRule.Change?

    init() {}

    mutating func read(_ key: String, _ value: JSONValue, _ reader: inout ModelReader) {
        switch key {
        case "status": rule.replacement = reader.whole(value, 100...999, "a status from 100 to 999").map { .status($0) }
        case "kind": rule.replacement = reader.fault(value, isAlone: false).map { .fault($0) }
        case "neverAnswer": if reader.flag(value) { rule.replacement = .nothing }
        case "delay": rule.delay = WrittenDelay.read(value, &reader)
        case "cutAfter": cut = readCut(value, &reader)
        case "then": end = FaultRule.End.read(value, &reader) ?? .fin
        case "corrupt": corruption = readCorruption(value, &reader)
        case "wrongLength": readLength(value, &reader)
        case "duplicateHeader": readHeader(value, &reader)
        case "garbagePrefix": readGarbage(value, &reader)
        case "dropTrailers": if reader.flag(value) { trailers = .dropTrailers }
        case "bandwidth": bandwidth = WrittenAmount.readRate(value, &reader).map { .bandwidth($0) }
        case "slice": readSlice(value, &reader)
        case "stall": readStall(value, &reader)
        case "slowClose": slowClose = WrittenDuration.read(value, &reader).map { .slowClose($0) }
        case "readSlowly": rule.readRate = WrittenAmount.readRate(value, &reader)
        case "neverRead": rule.neverReads = reader.flag(value)
        case "probability": rule.conditions.probability = reader.probability(value)
        case "first": readFirst(value, &reader)
        case "between": readBetween(value, &reader)
        case "quota": readQuota(value, &reader)
        case "concurrency":
            rule.conditions.concurrency = reader.whole(value, 0...1_000_000, "a number of answers at a time")
        default: break
        }
    }

    /// The rule, its changes in their order.
    mutating func finish(
        _ object: JSONObject, mayDoNothing: Bool, _ reader: inout ModelReader
    ) -> FaultRule {
        if object["then"] != nil, object["cutAfter"] == nil {
            reader.reportName("then", message: "\"then\" without \"cutAfter\"", expected: "cutAfter beside it")
        }
        let replacements = ["status", "kind", "neverAnswer"].filter { object[$0].map { !$0.isNull } ?? false }
        if replacements.count > 1 {
            reader.reportName(
                replacements[1], message: "two answers: \"\(replacements[0])\" and \"\(replacements[1])\"",
                expected: "one of \(replacements.joined(separator: " and "))")
        }
        let cut = cut.map { FaultRule.Change.cut($0, then: end) }
        rule.changes = [length, header, garbage, corruption, trailers, cut, stall, slice, bandwidth, slowClose]
            .compactMap(\.self)
        guard !rule.changesAnswers, !rule.isAboutUploads,
            !FaultRule.actionNames.contains(where: { object[$0] != nil })
        else { return rule }
        // A limit without an action of its own answers as servers do.
        if object["quota"] != nil {
            rule.replacement = .status(429)
        } else if object["concurrency"] != nil {
            rule.replacement = .status(503)
        } else if !mayDoNothing {
            reader.report(
                detail: nil, message: "a fault that does nothing",
                expected: "one of \(FaultRule.actionNames.joined(separator: ", "))")
        }
        return rule
    }

    // MARK: Actions

    private func readCut(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Cut? {
        let expected = "a number of bytes, a part such as \"50%\", nothing, headers, or {chunk: 2}"
        if let text = value.stringValue {
            if text == "headers" { return .head }
            if text == "nothing" { return .nothing }
            if text.hasSuffix("%"), let number = JSONNumber(text: String(text.dropLast()))?.doubleValue,
                (0...100).contains(number)
            {
                return .share(number / 100)
            }
        }
        if case .object(let object) = value {
            var count: Int?
            let known = reader.problems.count
            for member in object.members {
                reader.key(member, of: ["chunk"]) {
                    count = $0.whole(member.value, 0...Int(Int32.max), "a number of chunks")
                }
            }
            if let count { return .chunk(count) }
            if reader.problems.count > known { return nil }
        } else if let count = value.intValue, count >= 0 {
            return .byte(count)
        }
        reader.report(
            detail: nil, message: "not a place", expected: expected, found: value.shortDescription,
            suggestion: value.stringValue.flatMap { nearestName(to: $0, among: ["nothing", "headers"]) })
        return nil
    }

    private func readCorruption(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Change? {
        guard let object = reader.fields(value, "{byte: 10} or {rate: 0.01}") else { return nil }
        var found: [FaultRule.Change] = []
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["byte", "rate"]) { reader in
                if member.key == "byte" {
                    let offset = reader.whole(member.value, 0...Int(Int32.max), "an offset from 0")
                    if let offset { found.append(.corruptByte(offset)) }
                } else if let rate = reader.probability(member.value) {
                    found.append(.corruptRate(rate))
                }
            }
        }
        if found.count != 1, reader.problems.count == known {
            reader.report(
                detail: nil, message: "not a corruption", expected: "{byte: 10} or {rate: 0.01}",
                found: value.compactText)
        }
        return found.first
    }

    private mutating func readLength(_ value: JSONValue, _ reader: inout ModelReader) {
        let text = value.stringValue.map { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
        let difference = value.intValue ?? text.flatMap { Int($0) }
        guard let difference, difference != 0, difference.magnitude <= UInt(Int32.max) else {
            reader.report(
                detail: nil, message: "not a difference", expected: "a number of bytes, such as +5 or -1",
                found: value.shortDescription)
            return
        }
        length = .wrongLength(difference)
    }

    private mutating func readHeader(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "the name of a header, or {name: Content-Length, value: \"5\"}"
        var name: String?
        var second: String?
        if case .object(let object) = value {
            for member in object.members {
                reader.key(member, of: ["name", "value"]) { reader in
                    let text = reader.string(member.value)
                    if member.key == "name" { name = text } else { second = text }
                }
            }
        } else {
            name = value.stringValue
        }
        guard let name, HTTPToken.isToken(name) else {
            reader.report(detail: nil, message: "not a header", expected: expected, found: value.shortDescription)
            return
        }
        header = .duplicateHeader(name: name, value: second)
    }

    private mutating func readGarbage(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = value.stringValue, !text.isEmpty, text.utf8.count <= 65_536 {
            garbage = .garbageText(text)
        } else {
            let count = reader.whole(value, 1...65_536, "a text, or a number of random bytes from 1 to 65536")
            garbage = count.map { .garbage(count: $0) }
        }
    }

    private mutating func readSlice(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "{size: 100, gap: 20ms}"
        guard let object = reader.fields(value, expected) else { return }
        var size: Int?
        var gap: Int?
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["size", "gap"]) { reader in
                if member.key == "size" {
                    size = WrittenAmount.readSize(member.value, atLeast: 1, &reader)
                } else {
                    gap = WrittenDuration.read(member.value, &reader)
                }
            }
        }
        guard let size, let gap else {
            guard reader.problems.count == known else { return }
            let missing = size == nil ? "size" : "gap"
            reader.report(detail: nil, message: "\"\(missing)\" is missing", expected: expected)
            return
        }
        slice = .slice(size: size, gap: gap)
    }

    private mutating func readStall(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "{after: 100, for: 10s} or {after: 100, for: forever}"
        guard let object = reader.fields(value, expected) else { return }
        var after: Int? = 0
        var milliseconds: Int?
        var isEndless = false
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["after", "for"]) { reader in
                if member.key == "after" {
                    after = WrittenAmount.readSize(member.value, atLeast: 0, &reader)
                } else if member.value.stringValue == "forever" {
                    isEndless = true
                } else {
                    milliseconds = WrittenDuration.read(member.value, &reader)
                }
            }
        }
        guard reader.problems.count == known, let after else { return }
        guard isEndless || milliseconds != nil else {
            reader.report(detail: nil, message: "\"for\" is missing", expected: expected)
            return
        }
        stall = .stall(after: after, milliseconds: milliseconds)
    }

    // MARK: Conditions

    private mutating func readFirst(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "a number of requests, or {count: 2, perHeader: Idempotency-Key}"
        guard case .object(let object) = value else {
            rule.conditions.first = reader.whole(value, 1...Int(Int32.max), expected)
            return
        }
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["count", "perHeader"], otherNames: ["per": "perHeader", "header": "perHeader"]) {
                if member.key == "count" {
                    rule.conditions.first = $0.whole(member.value, 1...Int(Int32.max), "a number of requests")
                } else {
                    rule.conditions.firstPer = $0.string(member.value)
                }
            }
        }
        if rule.conditions.first == nil, reader.problems.count == known {
            reader.report(detail: nil, message: "\"count\" is missing", expected: expected)
        }
    }

    private mutating func readBetween(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "two times since the session began or was last reset, such as [5s, 10s]"
        guard let bounds = value.arrayValue, bounds.count == 2 else {
            reader.report(detail: nil, message: "not a range", expected: expected, found: value.shortDescription)
            return
        }
        guard let begin = reader.within("0", { WrittenDuration.read(bounds[0], &$0) }),
            let end = reader.within("1", { WrittenDuration.read(bounds[1], &$0) })
        else { return }
        guard begin < end else {
            reader.report(
                detail: nil, message: "the times are reversed", expected: "the earlier time first",
                found: value.compactText)
            return
        }
        rule.conditions.between = begin..<end
    }

    private mutating func readQuota(_ value: JSONValue, _ reader: inout ModelReader) {
        let expected = "{limit: 10, per: 1m}"
        guard let object = reader.fields(value, expected) else { return }
        var limit: Int?
        var period: Int?
        let known = reader.problems.count
        for member in object.members {
            let otherNames = [
                "requests": "limit", "max": "limit", "count": "limit", "window": "per", "period": "per",
            ]
            reader.key(member, of: ["limit", "per"], otherNames: otherNames) { reader in
                if let text = member.value.stringValue, member.key == "per", SequenceKey(text: text) != nil {
                    reader.report(
                        detail: nil, message: "a quota is that of all requests together",
                        expected: "a duration, such as 1m; for a quota of each value, a sequence: {per: \(text), …}",
                        found: member.value.shortDescription)
                } else if member.key == "limit" {
                    limit = reader.whole(member.value, 0...Int(Int32.max), "a number of requests")
                } else {
                    period = WrittenDuration.read(member.value, unit: "s", &reader)
                    if period == 0 {
                        reader.report(
                            detail: nil, message: "an empty period", expected: "a period such as 1s or 1m",
                            found: member.value.shortDescription)
                    }
                }
            }
        }
        guard reader.problems.count == known else { return }
        guard let limit, let period else {
            let missing = limit == nil ? "limit" : "per"
            reader.report(detail: nil, message: "\"\(missing)\" is missing", expected: expected)
            return
        }
        rule.conditions.quota = FaultRule.Quota(limit: limit, period: period)
    }
}

extension ModelReader {
    /// Reads a whole number within a range.
    fileprivate mutating func whole(_ value: JSONValue, _ range: ClosedRange<Int>, _ expected: String) -> Int? {
        if let number = value.intValue, range.contains(number) { return number }
        report(detail: nil, message: "not valid here", expected: expected, found: value.shortDescription)
        return nil
    }

    /// Reads a number from 0 to 1, or a percentage.
    fileprivate mutating func probability(_ value: JSONValue) -> Double? {
        if let number = value.doubleValue, (0...1).contains(number) { return number }
        if let text = value.stringValue, text.hasSuffix("%"),
            let number = JSONNumber(text: String(text.dropLast()))?.doubleValue, (0...100).contains(number)
        {
            return number / 100
        }
        report(
            detail: nil, message: "not a probability", expected: "a number from 0 to 1, or a percentage such as \"5%\"",
            found: value.shortDescription)
        return nil
    }

    fileprivate mutating func flag(_ value: JSONValue) -> Bool {
        if case .bool(let isOn) = value { return isOn }
        report(detail: nil, message: "wrong type", expected: "true", found: value.shortDescription)
        return false
    }

    /// Reads one of several words.
    /// - Parameter otherNames: what each is called elsewhere.
    package mutating func choice(
        _ value: JSONValue, _ words: [String], otherNames: [String: String] = [:]
    ) -> String? {
        if let text = value.stringValue, words.contains(text) { return text }
        report(
            detail: nil, message: "unknown value", expected: "one of \(words.joined(separator: ", "))",
            found: value.shortDescription,
            suggestion: value.stringValue.flatMap { otherNames[$0] ?? meantName(by: $0, among: words) })
        return nil
    }

    fileprivate mutating func fields(_ value: JSONValue, _ expected: String) -> JSONObject? {
        if case .object(let object) = value { return object }
        report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
        return nil
    }
}
