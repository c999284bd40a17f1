import SDJSON
import StuntDoubleClient
import Testing

/// A value in the language of a test, and the JSON that it is in a mapping.
struct LanguageCase<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let value: Value
    let json: JSONValue

    init(_ value: Value, _ json: JSONValue) {
        self.value = value
        self.json = json
    }

    var testDescription: String { json.compactText }
}

typealias MatcherCase = LanguageCase<Stub.Match>
typealias RequestCase = LanguageCase<Stub.Request>
typealias AnswerCase = LanguageCase<[Stub.Answer]>
typealias FaultCase = LanguageCase<Stub.Fault>

/// The names of all members anywhere in a value.
func memberNames(_ value: JSONValue) -> Set<String> {
    switch value {
    case .object(let object):
        object.members.reduce(into: Set(object.keys)) { $0.formUnion(memberNames($1.value)) }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(memberNames($1)) }
    default: []
    }
}
