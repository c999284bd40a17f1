import SDBasics
import SDJSON

/// Additions to WireMock's message stubs: scenarios, sequences, and actions other than `send`.
extension MessageStub {
    /// Reports contradictory fields.
    func checkScript(_ reader: inout ModelReader) {
        if !sequence.isEmpty, !actions.isEmpty {
            reader.within("sequence") {
                $0.refuse("a stub has actions or a sequence of them", expected: "one of the two", found: nil)
            }
        }
        if sequence.isEmpty {
            for name in [onEnd == nil ? nil : "onEnd", per == nil ? nil : "per"].compactMap(\.self) {
                reader.within(name) {
                    $0.refuse("there is no sequence", expected: "\"sequence\" beside it", found: nil)
                }
            }
        }
        let states = [
            requiredScenarioState == nil ? nil : "requiredScenarioState",
            newScenarioState == nil ? nil : "newScenarioState",
        ]
        for name in states.compactMap(\.self) where scenarioName == nil {
            reader.within(name) {
                $0.refuse("there is no scenario", expected: "\"scenarioName\" beside it", found: nil)
            }
        }
    }

    /// All lists of actions.
    package var scripts: [[MessageAction]] { sequence.isEmpty ? [actions] : sequence }
}

extension ModelReader {
    /// Reports an interval of zero.
    package mutating func refuseInterval() {
        refuse("no time between two acts", expected: "a duration of at least 1ms, such as 5s", found: nil)
    }
}

extension MessageAction {
    /// The kind of an action.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case send, echo, close
    }

    /// Makes an action of a kind.
    package init(_ kind: Kind, to target: ChannelTarget = .originating) {
        self.init()
        self.kind = kind
        channelTarget = target
    }

    /// Reports members that belong to another kind.
    func checkKind(_ reader: inout ModelReader) {
        let strange = [
            kind != .send && message != nil ? "message" : nil, kind != .close && code != nil ? "code" : nil,
            kind != .close && reason != nil ? "reason" : nil,
        ]
        for name in strange.compactMap(\.self) {
            reader.within(name) {
                $0.refuse(
                    "no action of the type \(kind.rawValue) has this",
                    expected: "\"type\": \"\(name == "message" ? "send" : "close")\"", found: nil)
            }
        }
    }

    static func readSequence(_ value: JSONValue, _ reader: inout ModelReader) -> [[MessageAction]] {
        guard let lists = reader.array(value, elementOf: JavaClass.messageAction.name) else { return [] }
        return reader.elements(lists) { readList($0, &$1) }
    }

    static func json(_ sequence: [[MessageAction]]) -> JSONValue? {
        sequence.isEmpty ? nil : .array(sequence.map { .array($0.map(\.json)) })
    }
}
