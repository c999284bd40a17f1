// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// Holds a response, or the rest of a stream, until a test releases it. An addition to WireMock's responses.
public struct GateHold: Sendable, Hashable {
    /// The name of the gate.
    public var gate: String = ""
    /// The maximum time to hold it.
    public var timeoutMilliseconds: Int?
    /// The action at the timeout: the answer, a reset, a fault, or another status.
    public var onTimeout: Timeout?

    init() {}

    /// Makes one of these.
    public init(_ gate: String, timeoutMilliseconds: Int? = nil, onTimeout: Timeout? = nil) {
        self.gate = gate
        self.timeoutMilliseconds = timeoutMilliseconds
        self.onTimeout = onTimeout
    }
}

extension GateHold {
    package static var names: [String] { DialectNames.holdOptions }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, isInStream: Bool, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.holdOptions, otherNames: DialectNames.holdOptionsAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, isInStream: isInStream, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, isInStream: Bool, _ reader: inout ModelReader) {
        switch index {
        case 0: gate = reader.name(value, of: "a gate") ?? ""
        case 1: timeoutMilliseconds = DurationText.read(value, &reader)
        case 2: onTimeout = Timeout.read(value, isInStream: isInStream, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["gate"] = gate.json
        object["timeout"] = timeoutMilliseconds.map(DurationText.json)
        object["onTimeout"] = onTimeout?.json
        return object
    }
}
