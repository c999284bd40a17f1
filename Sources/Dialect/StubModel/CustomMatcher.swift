package import SDJSON

extension CustomMatcher {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> CustomMatcher? {
        guard let object = reader.object(value, .customMatcher) else { return nil }
        var matcher = CustomMatcher()
        let known = reader.problems.count
        matcher.readMembers(of: object, &reader)
        if matcher.name == nil, reader.problems.count == known {
            reader.warn(
                "a custom matcher without a name never matches", expected: "{\"name\": …, \"parameters\": {…}}",
                isIneffective: true)
        }
        return matcher
    }

    static func readParameters(_ value: JSONValue, _ reader: inout ModelReader) -> JSONObject? {
        reader.wantsTexts(in: value)
        return reader.object(value, .parameters)
    }
}
