import SDBasics
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel

extension CountRange {
    static let fieldNames = ["atLeast", "atMost", "exactly"]

    /// The valid counts; the maximum is more than a daemon can serve.
    private static let range = 0...1_000_000_000

    /// Reads `{"atLeast": 2}`, `{"exactly": 1}`, `{"atMost": 0}`, or two bounds together.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> CountRange {
        guard case .object(let object) = value, !object.isEmpty else {
            reader.refuse(
                "not a count", expected: "an object such as {\"exactly\": 2}", found: value.shortDescription)
            return CountRange()
        }
        var bounds: [String: Int] = [:]
        for member in object.members {
            guard reader.knows(member.key, of: fieldNames) else { continue }
            reader.within(member.key) {
                bounds[member.key] = $0.wholeNumber(member.value, in: range, "a number of requests")
            }
        }
        if let exact = bounds["exactly"] {
            if object.count > 1 {
                reader.refuse(
                    "\"exactly\" cannot be combined with other bounds", expected: "\"exactly\" alone", found: nil)
            }
            return CountRange(least: exact, most: exact)
        }
        let least = bounds["atLeast"] ?? 0
        if let most = bounds["atMost"], most < least {
            reader.refuse(
                "the bounds exclude every number", expected: "\"atMost\" from \"atLeast\" up",
                found: "atLeast \(least), atMost \(most)")
        }
        return CountRange(least: least, most: bounds["atMost"])
    }
}

extension Expectation {
    static let fieldNames = ["name", "pattern", "count"]

    /// Reads one of `fieldNames`.
    mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        guard !member.value.isNull else { return }
        reader.within(member.key) { reader in
            switch member.key {
            case "name": name = reader.string(member.value)
            case "count": count = CountRange.read(member.value, &reader)
            default: pattern = RequestPattern.read(member.value, &reader)
            }
        }
    }

    /// Reports a missing pattern: it would match everything, which is hardly intended.
    static func requirePattern(in object: JSONObject, _ reader: inout ModelReader) {
        guard object["pattern"].map(\.isNull) ?? true else { return }
        reader.refuse(
            "missing pattern", expected: "a \"pattern\", as the \"request\" of a stub; {} matches every request",
            found: nil)
    }
}

extension ModelReader {
    /// Whether a name is one of `names`, the members of a document that WireMock does not have; any other is reported.
    mutating func knows(_ name: String, of names: [String]) -> Bool {
        if names.contains(name) { return true }
        let suggestion = nearest(name, names)
        let message = "unknown field \"\(name)\""
        let expected = "one of \(names.joined(separator: ", "))"
        report(
            ModelProblem(
                pointer: place.appending(name), detail: message + expecting(expected, meaning: suggestion),
                isAboutName: true, message: message, expected: expected, suggestion: suggestion))
        return false
    }
}
