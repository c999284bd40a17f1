// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// The clock of templates and date matchers. An addition to WireMock's settings.
public struct SessionClock: Sendable, Hashable {
    /// A fixed time.
    internal var frozen: Int64?
    /// The offset from the real time, such as -3 days or 2h.
    internal var offset: Int64 = 0
    /// The time at which it starts; by default the real one.
    internal var from: Int64?
    /// The speed, as a multiple of real time.
    internal var rate: Double = 1
    /// The real time at which it was set, in nanoseconds since 1970.
    internal var start: Int64?
    /// What it was read from.
    public internal(set) var json: JSONValue = .null

    init() {}
}

extension SessionClock {
    package static var names: [String] { DialectNames.clock }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        if value.isNull { return nil }
        guard let object = reader.fields(value, "{\"frozen\": \"2026-03-01T12:00:00Z\"}, {\"offset\": \"-3 days\"} or {\"rate\": 60}", "not a clock", isEmpty: false) else { return nil }
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
            guard let index = reader.index(of: member, in: DialectNames.clock) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: frozen = Self.readInstant(value, &reader)
        case 1: offset = Self.readOffset(value, &reader) ?? 0
        case 2: from = Self.readInstant(value, &reader)
        case 3: rate = Self.readRate(value, &reader) ?? 1
        default: break
        }
    }
}
