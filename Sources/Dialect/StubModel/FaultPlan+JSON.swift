import SDBasics
package import SDJSON

extension FaultPlan {
    /// Reads a plan: an object, or a list of objects. Nil if it is invalid.
    /// - Parameter isOfStub: whether it belongs to a stub, which is chosen only once the request is read.
    package static func read(
        _ value: JSONValue, isOfStub: Bool = true, _ reader: inout ModelReader
    ) -> FaultPlan? {
        let names = isOfStub ? DialectNames.fault : DialectNames.fault + FaultDraft.uploadNames
        let known = reader.problems.count
        var rules: [FaultRule] = []
        switch value {
        case .object(let object): rules = [FaultRule.read(object, names, &reader)]
        case .array(let elements):
            if elements.isEmpty { reader.report(detail: nil, message: "no faults", expected: FaultRule.example) }
            rules = reader.elements(elements) { element, reader in
                reader.fields(element, FaultRule.example).map { FaultRule.read($0, names, &reader) }
            }
        default: _ = reader.fields(value, FaultRule.example)
        }
        return reader.problems.count == known ? FaultPlan(rules: rules, json: value) : nil
    }
}

extension FaultRule {
    static let example = "a fault, such as {cutAfter: 10, then: rst}"

    /// The keys that change an answer.
    package static let actionNames = FaultDraft.actionNames
    /// The keys that affect how requests are read.
    package static let uploadNames = FaultDraft.uploadNames
    package static let conditionNames = FaultDraft.conditionNames

    /// Reads a rule; `names` are the valid keys.
    fileprivate static func read(
        _ object: JSONObject, _ names: [String], _ reader: inout ModelReader
    ) -> FaultRule {
        var draft = FaultDraft()
        let known = reader.problems.count
        draft.read(object, names, &reader)
        // A rule with a misspelt key is not reported as empty.
        return draft.rule(object, mayDoNothing: reader.problems.count > known, &reader)
    }
}

extension FaultDraft {
    /// Reads an object; `names` are the valid keys.
    mutating func read(_ object: JSONObject, _ names: [String], _ reader: inout ModelReader) {
        let isOfStub = !Self.uploadNames.contains(where: names.contains)
        let otherNames = DialectNames.sessionFaultAliases.filter { names.contains($0.value) }
        for member in object.members {
            if isOfStub, Self.uploadNames.contains(member.key) {
                reader.reportName(
                    member.key, message: "a stub is chosen when its request has been read",
                    expected: "\(member.key) in a fault of the session, whose pattern looks at the head")
                continue
            }
            if isOfStub, Self.earlyNames.contains(member.key) {
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
            reader.key(member, of: names, otherNames: otherNames) { readMember(member, &$0) }
        }
    }

    /// Builds the rule from the members read so far.
    /// - Parameter mayDoNothing: whether a rule without an action is allowed.
    func rule(_ object: JSONObject, mayDoNothing: Bool, _ reader: inout ModelReader) -> FaultRule {
        if object["then"] != nil, object["cutAfter"] == nil {
            reader.reportName("then", message: "\"then\" without \"cutAfter\"", expected: "cutAfter beside it")
        }
        let replacements = ["status", "kind", "neverAnswer"].filter { object[$0].map { !$0.isNull } ?? false }
        if replacements.count > 1 {
            reader.reportName(
                replacements[1], message: "two answers: \"\(replacements[0])\" and \"\(replacements[1])\"",
                expected: "one of \(replacements.joined(separator: " and "))")
        }
        var rule = FaultRule()
        rule.replacement = status.map { .status($0) } ?? kind.map { .fault($0) } ?? (neverAnswer ? .nothing : nil)
        rule.changes = changes
        rule.delay = delay
        rule.readRate = readSlowly
        rule.neverReads = neverRead
        rule.conditions.probability = probability
        rule.conditions.first = first?.count
        rule.conditions.firstPer = first?.perHeader
        rule.conditions.between = between
        rule.conditions.quota = quota
        rule.conditions.concurrency = concurrency
        guard !rule.changesAnswers, !rule.isAboutUploads, !Self.actionNames.contains(where: { object[$0] != nil })
        else { return rule }
        // A limit without an action answers with the usual status.
        if object["quota"] != nil {
            rule.replacement = .status(429)
        } else if object["concurrency"] != nil {
            rule.replacement = .status(503)
        } else if !mayDoNothing {
            reader.report(
                detail: nil, message: "a fault that does nothing",
                expected: "one of \(Self.actionNames.joined(separator: ", "))")
        }
        return rule
    }

    static func readID(_ value: JSONValue, _ reader: inout ModelReader) -> StubMapping.ID? {
        reader.accept(value.stringValue.flatMap { StubMapping.id(text: $0) }, of: value, "not a UUID", "a UUID")
    }

    static func readListener(_ value: JSONValue, _ reader: inout ModelReader) -> SessionFault.PortFault? {
        reader.choice(value, ["down", "acceptAndStall"]).map { $0 == "down" ? .down : .acceptAndStall }
    }

    static func readCorruption(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Change? {
        guard let read = FaultCorruption.read(value, &reader) else { return nil }
        let found = [read.byte.map { FaultRule.Change.corruptByte($0) }, read.rate.map { .corruptRate($0) }]
            .compactMap(\.self)
        return reader.accept(
            found.count == 1 ? found[0] : nil, of: value, "not a corruption", "{byte: 10} or {rate: 0.01}")
    }

    static func readLength(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        let text = value.stringValue.map { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
        let difference = value.intValue ?? text.flatMap { Int($0) }
        guard let difference, difference != 0, difference.magnitude <= UInt(Int32.max) else {
            reader.report(
                detail: nil, message: "not a difference", expected: "a number of bytes, such as +5 or -1",
                found: value.shortDescription)
            return nil
        }
        return difference
    }

    static func readHeader(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Change? {
        var header = DuplicatedHeader()
        if case .object(let object) = value {
            header.readMembers(of: object, &reader)
        } else {
            header.name = value.stringValue
        }
        return reader.accept(
            header.name.flatMap { HTTPToken.isToken($0) ? .duplicateHeader(name: $0, value: header.value) : nil },
            of: value, "not a header", "the name of a header, or {name: Content-Length, value: \"5\"}")
    }

    static func readGarbage(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Change? {
        if let text = value.stringValue, !text.isEmpty, text.utf8.count <= 65_536 { return .garbageText(text) }
        return reader.whole(value, 1...65_536, "a text, or a number of random bytes from 1 to 65536")
            .map { .garbage(count: $0) }
    }

    static func readFirst(_ value: JSONValue, _ reader: inout ModelReader) -> FirstRequests? {
        if case .object = value { return FirstRequests.read(value, &reader) }
        let expected = "a number of requests, or {count: 2, perHeader: Idempotency-Key}"
        guard let count = reader.whole(value, 1...Int(Int32.max), expected) else { return nil }
        var first = FirstRequests()
        first.count = count
        return first
    }

    static func readBetween(_ value: JSONValue, _ reader: inout ModelReader) -> Range<Int>? {
        let expected = "two times since the session began or was last reset, such as [5s, 10s]"
        guard let bounds = value.arrayValue, bounds.count == 2 else {
            reader.report(detail: nil, message: "not a range", expected: expected, found: value.shortDescription)
            return nil
        }
        guard let begin = reader.within("0", { DurationText.read(bounds[0], &$0) }),
            let end = reader.within("1", { DurationText.read(bounds[1], &$0) })
        else { return nil }
        guard begin < end else {
            reader.report(
                detail: nil, message: "the times are reversed", expected: "the earlier time first",
                found: value.compactText)
            return nil
        }
        return begin..<end
    }
}

extension FaultRule.Cut {
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Cut? {
        let expected = "a number of bytes, a part such as \"50%\", nothing, headers, or {chunk: 2}"
        if let place = simple(value) { return place }
        if case .object(let object) = value {
            var count: Int?
            let known = reader.problems.count
            for member in object.members {
                reader.key(member, of: DialectNames.chunkOfCut) {
                    count = $0.whole(member.value, 0...Int(Int32.max), "a number of chunks")
                }
            }
            if let count { return .chunk(count) }
            if reader.problems.count > known { return nil }
        }
        reader.report(
            detail: nil, message: "not a place", expected: expected, found: value.shortDescription,
            suggestion: value.stringValue.flatMap { nearestName(to: $0, among: ["nothing", "headers"]) })
        return nil
    }

    /// The cut for a string or a number; nil for other values.
    static func simple(_ value: JSONValue) -> FaultRule.Cut? {
        guard let text = value.stringValue else {
            return value.intValue.flatMap { $0 >= 0 ? .byte($0) : nil }
        }
        if text == "headers" { return .head }
        if text == "nothing" { return .nothing }
        guard text.hasSuffix("%"), let number = JSONNumber(text: String(text.dropLast()))?.doubleValue,
            (0...100).contains(number)
        else { return nil }
        return .share(number / 100)
    }
}

extension FaultStall {
    /// Reads a duration; nil for `forever`.
    static func readTime(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        value.stringValue == "forever" ? nil : DurationText.read(value, &reader)
    }
}

extension FaultRule.Quota {
    static func readPeriod(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let text = value.stringValue, SequenceKey(text: text) != nil {
            reader.report(
                detail: nil, message: "a quota is that of all requests together",
                expected: "a duration, such as 1m; for a quota of each value, a sequence: {per: \(text), …}",
                found: value.shortDescription)
            return nil
        }
        let period = DurationText.read(value, unit: "s", &reader)
        if period == 0 {
            reader.report(
                detail: nil, message: "an empty period", expected: "a period such as 1s or 1m",
                found: value.shortDescription)
        }
        return period
    }
}

extension ModelReader {
    /// Reads an integer within a range.
    package mutating func whole(_ value: JSONValue, _ range: ClosedRange<Int>, _ expected: String) -> Int? {
        accept(value.intValue.flatMap { range.contains($0) ? $0 : nil }, of: value, "not valid here", expected)
    }

    /// Reads a number from 0 to 1, or a percentage.
    mutating func probability(_ value: JSONValue) -> Double? {
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

    mutating func flag(_ value: JSONValue) -> Bool {
        if case .bool(let isOn) = value { return isOn }
        report(detail: nil, message: "wrong type", expected: "true", found: value.shortDescription)
        return false
    }

    /// Reads a case of a string enum.
    /// - Parameter otherNames: names from other tools, with their case.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ otherNames: [String: String] = [:]
    ) -> Word? {
        choice(value, Word.allCases.map(\.rawValue), otherNames: otherNames).flatMap(Word.init)
    }

    /// Reads one of several strings.
    /// - Parameter otherNames: names from other tools, with their string.
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
}
