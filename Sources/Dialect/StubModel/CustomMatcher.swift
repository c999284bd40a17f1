public import SDJSON

/// `customMatcher`: a matcher provided by an extension of the server. A stub with an unknown name never matches.
public struct CustomMatcher: Sendable, Hashable {
    /// The name by which the server knows it; nil matches nothing.
    public var name: String?
    /// The parameters of the matcher.
    public var parameters: JSONObject?

    /// Makes a matcher of its name and parameters.
    public init(name: String?, parameters: JSONObject? = nil) {
        self.name = name
        self.parameters = parameters
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> CustomMatcher? {
        guard let object = reader.object(value, .customMatcher) else { return nil }
        var matcher = CustomMatcher(name: nil)
        let known = reader.problems.count
        for member in object.members {
            reader.member(member, class: .customMatcher, of: ["name", "parameters"]) { reader in
                if member.key == "name" {
                    matcher.name = reader.string(member.value)
                } else {
                    reader.wantsTexts(in: member.value)
                    matcher.parameters = reader.object(member.value, .parameters)
                }
            }
        }
        if matcher.name == nil, reader.problems.count == known {
            reader.warn(
                "a custom matcher without a name never matches", expected: "{\"name\": …, \"parameters\": {…}}",
                isVain: true)
        }
        return matcher
    }

    /// The matcher as JSON, without absent members.
    public var json: JSONValue {
        var object = JSONObject()
        object["name"] = name.map(JSONValue.string)
        object["parameters"] = parameters.map(JSONValue.object)
        return .object(object)
    }
}
