import SDBasics
package import SDJSON

extension StreamDefinition {
    private static let expected =
        "a list of events such as {after: 1s, data: text}, or an object with name, events or repeat"
    /// The most rounds that can be stated, far from any overflow.
    private static let roundsRange = 1...1_000_000_000
    static let forever = "forever"

    /// Reads a list of events, or an object.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> StreamDefinition? {
        switch value {
        case .null: return nil
        case .array(let elements): return StreamDefinition(readItems(elements, &reader))
        case .object(let object): return read(object, &reader)
        default:
            reader.refuse("not a stream", expected: expected, found: value.shortDescription)
            return nil
        }
    }

    private static func read(_ object: JSONObject, _ reader: inout ModelReader) -> StreamDefinition {
        var stream = StreamDefinition()
        let known = reader.problems.count
        stream.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return stream }
        if object["name"] == nil, object["events"] == nil {
            reader.refuse("a stream of nothing", expected: "events, or a name under which they are pushed", found: nil)
        }
        if stream.name != nil, stream.rounds == .forever {
            reader.within("repeat") {
                $0.refuse(
                    "a stream with a name goes on with what is pushed once its own events are sent",
                    expected: "a number of rounds", found: forever)
            }
        }
        return stream
    }

    mutating func readEvents(_ value: JSONValue, _ reader: inout ModelReader) {
        guard case .array(let elements) = value else {
            return reader.refuse("not a list", expected: "a list of events", found: value.shortDescription)
        }
        items = Self.readItems(elements, &reader)
    }

    static func readRounds(_ value: JSONValue, _ reader: inout ModelReader) -> Rounds? {
        if value.stringValue == forever { return .forever }
        if let count = value.intValue, roundsRange.contains(count) { return .times(count) }
        let isMisspelt = value.stringValue.map { $0.lowercased().contains(text: "ever") || $0.lowercased() == "always" }
        reader.refuse(
            "not a number of rounds", expected: "a whole number of at least 1, or \(forever)",
            found: value.shortDescription, suggestion: isMisspelt == true ? forever : nil)
        return nil
    }

    private static func readItems(_ elements: [JSONValue], _ reader: inout ModelReader) -> [Item] {
        if elements.isEmpty { reader.refuse("no events", expected: "at least one event", found: "an empty list") }
        var items: [Item] = []
        items.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() where !reader.isFull {
            reader.within(String(index)) { reader in
                if let item = Item.read(element, &reader) { items.append(item) }
            }
        }
        return items
    }

    /// A list, if it has nothing but events.
    package var json: JSONValue {
        name == nil && rounds == nil ? .array(items.map(\.json)) : .object(members)
    }
}

extension StreamDefinition.Rounds {
    var json: JSONValue {
        switch self {
        case .times(let count): count.json
        case .forever: StreamDefinition.forever.json
        }
    }
}

extension StreamDefinition.Item {
    private static let wholes = ["chunk", "base64", "hold"]
    package static let keys = ["after"] + StreamEvent.keys + wholes
    private static let pushedWholes = ["chunk", "base64"]
    private static let pushedKeys = StreamEvent.keys + pushedWholes
    private static let otherNames = DialectNames.eventAliases

    /// Reads an item.
    /// - Parameter isPushed: whether it is sent at once, so that it can neither wait nor be held.
    fileprivate static func read(
        _ value: JSONValue, isPushed: Bool = false, _ reader: inout ModelReader
    ) -> StreamDefinition.Item? {
        let (keys, wholes) = isPushed ? (Self.pushedKeys, Self.pushedWholes) : (Self.keys, Self.wholes)
        guard case .object(let object) = value else {
            reader.refuse(
                "not an event",
                expected: isPushed
                    ? #"an object such as {"event": "tick", "data": "text"}, or a list of them"#
                    : "an object such as {after: 1s, event: tick, data: text}",
                found: value.shortDescription)
            return nil
        }
        let known = reader.problems.count
        var after: Int?
        var event = StreamEvent()
        var whole: StreamDefinition.Content?
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { reader in
                switch member.key {
                case "after": after = WrittenDuration.read(member.value, &reader)
                // Null takes nothing away from what stands before it.
                case _ where member.value.isNull && wholes.contains(member.key): break
                case "chunk": whole = reader.string(member.value).map { .chunk($0) }
                case "base64": whole = reader.base64(member.value).map { .base64($0) }
                case "hold": whole = GateHold.read(member.value, isInStream: true, &reader).map { .hold($0) }
                default: event.read(member, &reader)
                }
            }
        }
        guard reader.problems.count == known else { return nil }
        // Null stands for nothing, but as data.
        let given = object.members.filter { !$0.value.isNull || $0.key == "data" }.map(\.key).filter {
            wholes.contains($0) || StreamEvent.keys.contains($0)
        }
        guard let first = given.first(where: wholes.contains) else {
            if given.isEmpty { reader.refuse("an event of nothing", expected: "data, or another field", found: nil) }
            return StreamDefinition.Item(.event(event), after: after)
        }
        for other in given where other != first {
            reader.reportName(
                other, message: "\(quoted(first)) stands alone",
                expected: isPushed ? "nothing beside it" : "only \"after\" beside it")
        }
        return whole.map { StreamDefinition.Item($0, after: after) }
    }

    var json: JSONValue {
        var object = JSONObject()
        object["after"] = after.map { .string(WrittenDuration.text(milliseconds: $0)) }
        switch content {
        case .event(let event): event.write(to: &object)
        case .chunk(let text): object["chunk"] = .string(text)
        case .base64(let text): object["base64"] = .string(text)
        case .hold(let hold): object["hold"] = hold.json
        }
        return .object(object)
    }
}

extension StreamDefinition.Content {
    /// Reads an event or a piece that is sent at once.
    package static func readPushed(
        _ value: JSONValue, _ reader: inout ModelReader
    ) -> StreamDefinition.Content? {
        StreamDefinition.Item.read(value, isPushed: true, &reader)?.content
    }
}

extension StreamEvent {
    package static let keys = ["comment", "event", "id", "retry", "data"]
    package static let otherNames = ["type": "event", "name": "event", "json": "data", "body": "data", "text": "data"]

    /// Reads one of the `keys`.
    package mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        switch member.key {
        case "comment": comment = reader.string(member.value)
        case "event": event = Self.line(member.value, &reader)
        case "id": id = Self.line(member.value, &reader)
        case "retry": retryMilliseconds = Self.retry(member.value, &reader)
        default:
            reader.wantsText(member.value)
            data = member.value
        }
    }

    /// Reads a text of one line.
    private static func line(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = reader.string(value) else { return nil }
        if text.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d || $0 == 0 }) {
            reader.refuse("not one line", expected: "a text without line ends and NUL", found: value.shortDescription)
        }
        return text
    }

    private static func retry(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let number = value.intValue, (0...Int(Int32.max)).contains(number) { return number }
        if let text = value.stringValue, let number = WrittenDuration.milliseconds(text) { return number }
        reader.refuse(
            "not a time", expected: "a number of milliseconds, or a duration such as 3s", found: value.shortDescription)
        return nil
    }

    fileprivate func write(to object: inout JSONObject) {
        object["comment"] = comment.map { .string($0) }
        object["event"] = event.map { .string($0) }
        object["id"] = id.map { .string($0) }
        object["retry"] = retryMilliseconds.map { .number(JSONNumber($0)) }
        object["data"] = data
    }
}
