// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A stream in place of a body: events, optionally with a name under which tests push more, or in several rounds. An
/// addition to WireMock's responses.
public struct StreamDefinition: Sendable, Hashable {
    /// The name under which a test pushes further events; the stream then stays open after its own.
    public var name: String?
    /// The events, chunks and holds, in order.
    public var items: [Item] = []
    /// How often they are sent: a number, or `forever`; by default once.
    public var rounds: Rounds?

    init() {}

    /// Makes one of these.
    public init(name: String? = nil, _ items: [Item] = [], rounds: Rounds? = nil) {
        self.name = name
        self.items = items
        self.rounds = rounds
    }
}

extension StreamDefinition {
    package static var names: [String] { DialectNames.streamOptions }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.streamOptions, otherNames: DialectNames.streamOptionsAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = reader.name(value, of: "a stream")
        case 1: readEvents(value, &reader)
        case 2: rounds = Self.readRounds(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["name"] = name?.json
        object["events"] = items.isEmpty ? nil : .array(items.map(\.json))
        object["repeat"] = rounds?.json
        return object
    }
}
