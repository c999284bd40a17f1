import SDBasics
package import SDJSON

extension StreamDefinition {
    private static let expected =
        "a list of events such as {after: 1s, data: text}, or an object with name, events or repeat"
    /// The valid numbers of rounds, far from any overflow.
    private static let roundsRange = 1...1_000_000_000
    static let forever = "forever"

    /// Reads a list of items, or an object.
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
        return reader.elements(elements) { Item.read($0, &$1) }
    }

    /// A list, if there is nothing but items.
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
    package static let keys = DialectNames.event

    /// Reads an item.
    /// - Parameter isPushed: whether it is pushed, so that it can neither wait nor be held.
    fileprivate static func read(
        _ value: JSONValue, isPushed: Bool = false, _ reader: inout ModelReader
    ) -> StreamDefinition.Item? {
        let keys = isPushed ? keys.filter { $0 != "after" && $0 != "hold" } : keys
        let example =
            isPushed
            ? #"an object such as {"event": "tick", "data": "text"}, or a list of them"#
            : "an object such as {after: 1s, event: tick, data: text}"
        guard let object = reader.fields(value, example, "not an event") else { return nil }
        let known = reader.problems.count
        var draft = StreamDraft()
        for member in object.members {
            reader.key(member, of: keys, otherNames: DialectNames.eventAliases) { draft.readMember(member, &$0) }
        }
        guard reader.problems.count == known else { return nil }
        // Null counts as absent, except for data.
        let given = object.members.filter { $0.key != "after" && (!$0.value.isNull || $0.key == "data") }.map(\.key)
        if given.isEmpty { reader.refuse("an event of nothing", expected: "data, or another field", found: nil) }
        if let first = given.first(where: StreamDraft.wholeNames.contains) {
            for other in given where other != first {
                reader.reportName(
                    other, message: "\(quoted(first)) stands alone",
                    expected: isPushed ? "nothing beside it" : "only \"after\" beside it")
            }
        }
        return StreamDefinition.Item(draft.content, after: draft.after)
    }

    var json: JSONValue {
        var object = JSONObject()
        object["after"] = after.map(DurationText.json)
        switch content {
        case .event(let event):
            for member in event.members.members { object[member.key] = member.value }
        case .chunk(let text): object["chunk"] = text.json
        case .base64(let text): object["base64"] = text.json
        case .hold(let hold): object["hold"] = hold.json
        }
        return .object(object)
    }
}

extension StreamDraft {
    fileprivate var content: StreamDefinition.Content {
        if let chunk { return .chunk(chunk) }
        if let base64 { return .base64(base64) }
        if let hold { return .hold(hold) }
        var made = StreamEvent(event: event, id: id, data: data)
        made.comment = comment
        made.retryMilliseconds = retryMilliseconds
        return .event(made)
    }
}

extension StreamDefinition.Content {
    /// Reads a pushed event or chunk.
    package static func readPushed(
        _ value: JSONValue, _ reader: inout ModelReader
    ) -> StreamDefinition.Content? {
        StreamDefinition.Item.read(value, isPushed: true, &reader)?.content
    }
}

extension StreamEvent {
    /// Reads a single-line text.
    static func readLine(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = reader.string(value) else { return nil }
        if text.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d || $0 == 0 }) {
            reader.refuse("not one line", expected: "a text without line ends and NUL", found: value.shortDescription)
        }
        return text
    }

    static func readData(_ value: JSONValue, _ reader: inout ModelReader) -> JSONValue? {
        reader.wantsText(value)
        return value
    }

    static func readRetry(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let number = value.intValue, (0...Int(Int32.max)).contains(number) { return number }
        if let text = value.stringValue, let number = DurationText.milliseconds(text) { return number }
        reader.refuse(
            "not a time", expected: "a number of milliseconds, or a duration such as 3s", found: value.shortDescription)
        return nil
    }
}
