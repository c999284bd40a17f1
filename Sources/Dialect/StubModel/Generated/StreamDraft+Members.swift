// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A server-sent event, a chunk of the body, or a hold, with the gap before it.
package struct StreamDraft: Sendable {
    /// The gap before it, such as `1s`, from the end of the previous item.
    package var after: Int?
    /// A comment, which clients ignore; each line becomes a comment line.
    package var comment: String?
    /// The event type; clients use `message` by default.
    package var event: String?
    /// The id, which a reconnecting client sends as `Last-Event-ID`.
    package var id: String?
    /// The reconnection time for clients: milliseconds, or a duration such as `3s`.
    package var retryMilliseconds: Int?
    /// A text, each line of which becomes a `data:` line; or any other JSON, sent on one line.
    package var data: JSONValue?
    /// A chunk of the body, sent unchanged.
    package var chunk: String?
    /// A chunk of the body, in Base64.
    package var base64: String?
    /// Holds the rest at a gate.
    package var hold: GateHold?

    init() {}
}

extension StreamDraft {
    package static var names: [String] { DialectNames.event }
    package static let wholeNames: [String] = ["chunk", "base64", "hold"]

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.event, otherNames: DialectNames.eventAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: after = DurationText.read(value, &reader)
        case 1: comment = reader.string(value)
        case 2: event = StreamEvent.readLine(value, &reader)
        case 3: id = StreamEvent.readLine(value, &reader)
        case 4: retryMilliseconds = StreamEvent.readRetry(value, &reader)
        case 5: data = StreamEvent.readData(value, &reader)
        case 6: chunk = reader.string(value)
        case 7: base64 = reader.base64(value)
        case 8: hold = GateHold.read(value, isInStream: true, &reader)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.event.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }
}
