import SDBasics
package import SDJSON

/// Keeps a response, or the rest of a stream, back until a caller lets it go: the member `hold`. An addition to
/// WireMock's responses.
public struct GateHold: Sendable, Hashable {
    /// The name of the gate.
    public var gate: String
    /// The time after which it waits no longer, in milliseconds; nil waits for as long as it takes.
    public var timeoutMilliseconds: Int?
    /// The outcome once that time is over; nil counts as `answer`.
    public var onTimeout: Timeout?

    /// The outcome for a response that has waited for too long.
    public enum Timeout: Sendable, Hashable {
        /// It is sent as if the gate had been released.
        case answer
        /// The connection is reset.
        case fail
        /// The response is broken by one of WireMock's faults.
        case fault(Fault)
        /// A text of this status is sent instead.
        case status(Int)
    }

    /// Makes a wait at a gate.
    public init(_ gate: String, timeoutMilliseconds: Int? = nil, onTimeout: Timeout? = nil) {
        self.gate = gate
        self.timeoutMilliseconds = timeoutMilliseconds
        self.onTimeout = onTimeout
    }
}

extension GateHold {
    package static let keys = DialectNames.holdOptions
    private static let otherNames = DialectNames.holdOptionsAliases
    private static let expected = "the name of a gate, or {gate: name, timeout: 30s, onTimeout: 504}"

    /// Reads a gate's name, or an object.
    /// - Parameter isInStream: whether a part of the response has been sent already, so that no status can follow.
    package static func read(
        _ value: JSONValue, isInStream: Bool = false, _ reader: inout ModelReader
    ) -> GateHold? {
        switch value {
        case .null: return nil
        case .object(let object):
            var hold = GateHold("")
            let known = reader.problems.count
            for member in object.members {
                reader.key(member, of: keys, otherNames: otherNames) { reader in
                    switch member.key {
                    case "gate": hold.gate = reader.name(member.value, of: "a gate") ?? ""
                    case "timeout": hold.timeoutMilliseconds = WrittenDuration.read(member.value, &reader)
                    default: hold.onTimeout = Timeout.read(member.value, isInStream: isInStream, &reader)
                    }
                }
            }
            guard reader.problems.count == known else { return hold }
            if object["gate"] == nil {
                reader.refuse("the name of the gate is missing", expected: expected, found: nil)
            }
            if object["onTimeout"] != nil, object["timeout"] == nil {
                reader.within("onTimeout") {
                    $0.refuse("there is no timeout after which this could happen", expected: "a timeout", found: nil)
                }
            }
            return hold
        default: return reader.name(value, of: "a gate", expected: expected).map { GateHold($0) }
        }
    }

    /// The name alone, if nothing else is given.
    package var json: JSONValue {
        guard timeoutMilliseconds != nil || onTimeout != nil else { return .string(gate) }
        var object: JSONObject = ["gate": .string(gate)]
        object["timeout"] = timeoutMilliseconds.map { .string(WrittenDuration.text(milliseconds: $0)) }
        object["onTimeout"] = onTimeout?.json
        return .object(object)
    }
}

extension GateHold.Timeout {
    fileprivate static func read(
        _ value: JSONValue, isInStream: Bool, _ reader: inout ModelReader
    ) -> GateHold.Timeout? {
        switch value.stringValue {
        case "answer": return .answer
        case "fail": return .fail
        case let name?:
            if let fault = Fault(rawValue: name) { return .fault(fault) }
        case nil: break
        }
        if !isInStream, let status = value.intValue, (200...999).contains(status) { return .status(status) }
        let names = ["answer", "fail"] + Fault.allCases.map(\.rawValue)
        reader.refuse(
            "not an end of a wait",
            expected: "one of \(names.joined(separator: ", "))\(isInStream ? "" : ", or a status from 200 to 999")",
            found: value.shortDescription,
            suggestion: value.stringValue.flatMap { nearestName(to: $0, among: names) })
        return nil
    }

    fileprivate var json: JSONValue {
        switch self {
        case .answer: "answer"
        case .fail: "fail"
        case .fault(let fault): .string(fault.rawValue)
        case .status(let status): .number(JSONNumber(status))
        }
    }
}

extension ModelReader {
    /// Reads the name of something that calls of the admin API name in their paths: a text that is not empty.
    mutating func name(_ value: JSONValue, of what: String, expected: String? = nil) -> String? {
        if !value.isNull { wantsText(value) }
        if let name = value.stringValue ?? value.numberValue?.text, !name.isEmpty { return name }
        refuse(
            "not the name of \(what)", expected: expected ?? "a text that is not empty", found: value.shortDescription)
        return nil
    }
}
