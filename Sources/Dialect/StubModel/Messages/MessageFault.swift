import SDBasics
import SDJSON

extension MessageFault {
    /// The point in a message after which its connection ends.
    public enum Cut: Sendable, Hashable {
        /// Before the message.
        case nothing
        /// After that many bytes of it, within a longer frame.
        case byte(Int)
        /// After a share of it, from 0 to 1, within a longer frame.
        case share(Double)
        /// After that many bytes of it, in a complete frame that is not the last of the message.
        case fragment(Int)
    }

    /// The conditions in the form shared by all faults.
    package var conditions: FaultRule.Conditions {
        var conditions = FaultRule.Conditions()
        conditions.probability = probability
        conditions.first = first
        conditions.between = between
        return conditions
    }

    /// The name of its effect, for counters.
    package var label: String {
        Self.actionNames.first { json.objectValue?[$0].map { $0 != .bool(false) } == true } ?? "message"
    }

    /// Reports a fault without an effect, and effects that exclude each other.
    mutating func finish(_ object: JSONObject, _ reader: inout ModelReader) {
        let does = Self.actionNames.filter { name in
            guard let value = object[name] else { return false }
            return value != .bool(false) && !value.isNull
        }
        if does.isEmpty {
            reader.report(
                detail: nil, message: "a fault that does nothing",
                expected: "one of \(Self.actionNames.joined(separator: ", "))")
        }
        let alone = [
            ["drop", "invalidFrame", "cutAfter", "corrupt"], ["drop", "invalidFrame", "cutAfter", "duplicate"],
            ["drop", "reorder"], ["noCloseFrame", "reset", "hang"],
        ]
        for names in alone.map({ $0.filter(does.contains) }) where names.count > 1 {
            // A message may be corrupted and then cut.
            if names == ["cutAfter", "corrupt"] { continue }
            reader.reportName(
                names[1], message: "\"\(names[0])\" and \"\(names[1])\" cannot both happen to a message",
                expected: "one of \(names.joined(separator: " and "))")
            return
        }
    }

    /// Reads a fault, or a list of faults.
    static func readList(_ value: JSONValue, _ reader: inout ModelReader) -> [MessageFault] {
        guard case .array(let elements) = value else { return read(value, &reader).map { [$0] } ?? [] }
        if elements.isEmpty {
            reader.report(
                detail: nil, message: "no faults",
                expected: "a fault of messages, such as {drop: true, probability: 10%}")
        }
        return reader.elements(elements) { read($0, &$1) }
    }

    /// The JSON from which the faults are read; nil for none.
    static func json(_ faults: [MessageFault]) -> JSONValue? {
        faults.count > 1 ? .array(faults.map(\.json)) : faults.first?.json
    }

    /// Reads how long to wait for the next message, in milliseconds.
    static func readPatience(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if case .bool(let isOn) = value { return isOn ? 1_000 : nil }
        if value.stringValue != nil { return DurationText.read(value, &reader) }
        reader.report(
            detail: nil, message: "wrong type", expected: "true, or how long it waits for the next message, such as 1s",
            found: value.shortDescription)
        return nil
    }

    static func readCorruption(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.Change? {
        FaultDraft.readCorruption(value, &reader)
    }
}

extension MessageFault.Cut {
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageFault.Cut? {
        switch value {
        case .object(let object):
            var count: Int?
            let known = reader.problems.count
            for member in object.members {
                reader.key(member, of: DialectNames.fragmentOfCut, otherNames: ["chunk": "fragment"]) {
                    count = $0.whole(member.value, 0...Int(Int32.max), "a number of bytes")
                }
            }
            if let count { return .fragment(count) }
            if reader.problems.count > known { return nil }
        default:
            switch FaultRule.Cut.simple(value) {
            case .nothing?: return .nothing
            case .byte(let count)?: return .byte(count)
            case .share(let share)?: return .share(share)
            case .head?: return .byte(0)
            default: break
            }
        }
        reader.report(
            detail: nil, message: "not a place",
            expected: "a number of bytes, a part such as \"50%\", nothing, headers, or {fragment: 10}",
            found: value.shortDescription,
            suggestion: value.stringValue.flatMap { nearestName(to: $0, among: ["nothing", "headers"]) })
        return nil
    }
}
