import SDBasics
import SDJSON
import SDStubModel

/// A key of a route that belongs elsewhere: a condition beside the response, a response nested under its own key, or
/// information that belongs in the route's key.
struct MisplacedKey {
    let message: String
    var expected: String?
    var suggestion: String?

    /// Nil for a valid key, and for a key that is unknown everywhere.
    /// - Parameters:
    ///   - key: the key of the route.
    ///   - place: the pointer of the response.
    init?(_ member: JSONObject.Member, in key: RouteKey, at place: JSONPointer) {
        let name = member.key
        guard !RouteShorthand.responseKeys.contains(name), RouteShorthand.otherNames[name] == nil else { return nil }
        // The index of a list follows the key.
        let route = place.tokens.last { RouteKeySpelling.isLikely($0) } ?? "the route's key"
        if let wrapping = MisplacedKey(wrapping: member, "a route", quoted(route), RouteShorthand.responseKeys) {
            self = wrapping
            return
        }
        if name == "method" || name == "verb", key.method != .any, let method = member.value.stringValue {
            let blank = route.firstIndex { $0 == " " || $0 == "\t" } ?? route.endIndex
            message = "\(quoted(name)) belongs in the route's key"
            expected = RouteKey.expected
            let meant = method.uppercased()
            suggestion = RouteKeySpelling.isMethod(meant) ? meant + route[blank...] : nil
            return
        }
        if ["path", "url", "urlPath", "uri", "endpoint"].contains(name), member.value.stringValue != nil {
            message = "\(quoted(name)) belongs in the route's key"
            expected = RouteKey.expected
            return
        }
        if ["ratelimit", "ratelimiting", "quota"].contains(name.lowercased().filter { !"-_".contains($0) }) {
            let example = "fault: {quota: {limit: 10, per: 1m}}"
            message = "\(quoted(name)) belongs under \"fault\", as \"quota\""
            expected = example
            if member.value["limit"] != nil, member.value["per"] != nil {
                suggestion = "fault: {quota: \(member.value.inRoutes)}"
            }
            return
        }
        guard let condition = Self.condition(name) else { return nil }
        let isLong = member.value.compactText.utf8.count > 200
        message = "\(quoted(name)) belongs under \"when\""
        expected = "when: {\(condition): …}"
        suggestion = isLong ? nil : "when: {\(condition): \(member.value.inRoutes)}"
    }

    /// A response nested under its own key, as in WireMock; nil for anything else.
    /// - Parameters:
    ///   - what: the noun for what is a response itself.
    ///   - owner: the key below which the response's keys belong.
    ///   - keys: the valid keys of the response.
    init?(wrapping member: JSONObject.Member, _ what: String, _ owner: String, _ keys: [String]) {
        let names = ["response", "httpResponse", "resp", "reply", "respond", "answer"]
        guard names.contains(member.key), !keys.contains(member.key), let object = member.value.objectValue else {
            return nil
        }
        let members = object.keys.prefix(5).map(quoted).joined(separator: ", ")
        message = "unknown key \(quoted(member.key)): \(what) is the response"
        expected = (members.isEmpty ? "its members" : "its members (\(members))") + " directly below \(owner)"
    }

    /// A key of the route inside a response of its sequence; nil for any other key.
    init?(inEntry name: String) {
        guard RouteShorthand.responseKeys.contains(name), !RouteShorthand.entryKeys.contains(name) else { return nil }
        message = "unknown key \(quoted(name)): it belongs to a route, and not to one response of its sequence"
        switch name {
        case "times": expected = "the response as many times as it is sent"
        case "when": expected = "a list of routes, each with its \"when\""
        default: expected = "it beside \"sequence\""
        }
    }

    /// The condition under `when` that a key means; nil for none.
    private static func condition(_ name: String) -> String? {
        if let known = RouteConditions.condition(named: name) { return known }
        if otherToolsName(for: name, among: RouteShorthand.responseKeys) != nil { return nil }
        return otherToolsName(for: name, among: RouteConditions.keys.filter { $0 != "path" })
    }
}
