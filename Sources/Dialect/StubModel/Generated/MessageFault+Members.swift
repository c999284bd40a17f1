// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// A fault of messages sent on a WebSocket: its effects and its conditions.
public struct MessageFault: Sendable, Hashable {
    /// The affected messages; by default all.
    public var message: MessagePattern?
    /// The message is never sent.
    public var drop: Bool = false
    /// A wait before it is sent, in addition to its own delay: `200ms`, or a distribution. Later messages wait, too.
    public var delay: DelayDistribution?
    /// `true`: it is sent after the next message, for which it waits up to a second, or up to a duration given here.
    public var reorder: Int?
    /// It is sent twice.
    public var duplicate: Bool = false
    /// Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`). A
    /// text stays UTF-8.
    public var corrupt: FaultRule.Change?
    /// Ends the connection in the middle of the frame: after a number of bytes of the message (`10`), after a share of
    /// it (`50%`), after the `headers` of the frame, before them (`nothing`); or after a complete frame with that many
    /// bytes of it (`{fragment: 10}`).
    public var cutAfter: Cut?
    /// Sends an invalid frame instead, such as `reservedBits`.
    public var invalidFrame: InvalidFrame?
    /// The connection is closed after it, without a close frame.
    public var noCloseFrame: Bool = false
    /// The connection is reset after it.
    public var reset: Bool = false
    /// Nothing is sent after it; the connection stays open.
    public var hang: Bool = false
    /// Applies with this probability: `0.05`, or `5%`.
    public var probability: Double?
    /// Applies to the first messages only.
    public var first: Int?
    /// Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`.
    public var between: Range<Int>?
    /// What it was read from.
    public internal(set) var json: JSONValue = .null

    init() {}
}

extension MessageFault {
    package static var names: [String] { DialectNames.messageFault }
    package static let actionNames: [String] = ["drop", "delay", "reorder", "duplicate", "corrupt", "cutAfter", "invalidFrame", "noCloseFrame", "reset", "hang"]
    package static let conditionNames: [String] = ["probability", "first", "between"]

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "a fault of messages, such as {drop: true, probability: 10%}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        made.json = value
        made.finish(object, &reader)
        return reader.problems.count == known ? made : nil
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.messageFault, otherNames: DialectNames.messageFaultAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: message = MessagePattern.read(value, &reader)
        case 1: drop = reader.flag(value)
        case 2: delay = DelayText.read(value, &reader)
        case 3: reorder = Self.readPatience(value, &reader)
        case 4: duplicate = reader.flag(value)
        case 5: corrupt = Self.readCorruption(value, &reader)
        case 6: cutAfter = Cut.read(value, &reader)
        case 7: invalidFrame = reader.word(value, DialectNames.invalidFramesAliases)
        case 8: noCloseFrame = reader.flag(value)
        case 9: reset = reader.flag(value)
        case 10: hang = reader.flag(value)
        case 11: probability = reader.probability(value)
        case 12: first = reader.whole(value, 1...Int(Int32.max), "a number of messages")
        case 13: between = FaultDraft.readBetween(value, &reader)
        default: break
        }
    }
}
