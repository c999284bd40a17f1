import SDBasics
package import SDJSON

extension GateHold {
    /// The action when a response has waited too long.
    public enum Timeout: Sendable, Hashable {
        /// The response is sent, as on a release.
        case answer
        /// The connection is reset.
        case fail
        /// The response is replaced by one of WireMock's faults.
        case fault(Fault)
        /// A text with this status is sent instead.
        case status(Int)
    }

    private static let expected = "the name of a gate, or {gate: name, timeout: 30s, onTimeout: 504}"

    /// Reads a gate's name, or an object.
    /// - Parameter isInStream: whether part of the response was already sent, so that a status is impossible.
    package static func read(
        _ value: JSONValue, isInStream: Bool = false, _ reader: inout ModelReader
    ) -> GateHold? {
        switch value {
        case .null: return nil
        case .object(let object):
            var hold = GateHold()
            let known = reader.problems.count
            hold.readMembers(of: object, isInStream: isInStream, &reader)
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

    /// The name alone, if there are no other members.
    package var json: JSONValue {
        members.count == 1 ? gate.json : .object(members)
    }
}

extension GateHold.Timeout {
    static func read(
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

    var json: JSONValue {
        switch self {
        case .answer: "answer"
        case .fail: "fail"
        case .fault(let fault): .string(fault.rawValue)
        case .status(let status): .number(JSONNumber(status))
        }
    }
}

extension ModelReader {
    /// Reads a name that is used in paths of the admin API: a non-empty string.
    mutating func name(_ value: JSONValue, of what: String, expected: String? = nil) -> String? {
        if !value.isNull { wantsText(value) }
        if let name = value.stringValue ?? value.numberValue?.text, !name.isEmpty { return name }
        refuse(
            "not the name of \(what)", expected: expected ?? "a text that is not empty", found: value.shortDescription)
        return nil
    }
}
