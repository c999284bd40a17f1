// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A server-sent event, a piece of a body, or a wait, with the wait before it.
package struct StreamDraft: Sendable {
    /// The wait before it, such as `1s`, from the end of what was sent before.
    package var after: Int?
    /// A text that clients skip, a line for each of its lines.
    package var comment: String?
    /// The type; clients take none as `message`.
    package var event: String?
    /// The id, which a client that comes back sends as `Last-Event-ID`.
    package var id: String?
    /// The time after which a client that was cut off comes back: milliseconds, or a duration such as `3s`.
    package var retryMilliseconds: Int?
    /// A text, of which each line becomes a `data:` line; or any other JSON, sent in one line.
    package var data: JSONValue?
    /// A piece of the body, sent as it is.
    package var chunk: String?
    /// A piece of the body, in Base64.
    package var base64: String?
    /// Waits at a gate with the rest.
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
        case 0: after = WrittenDuration.read(value, &reader)
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
