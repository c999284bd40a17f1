import SDBasics
import SDJSON

/// Fields that belong to another level of a mapping, or mean another field of the same level.
extension JavaClass {
    /// Where a field belongs that this class does not have: `in "request"`; nil if nowhere else.
    func place(of name: String) -> String? {
        func isOther(_ names: [String]) -> Bool { names.contains(name) }
        let isOfRequest = isOther(RequestPattern.names)
        let isOfResponse = isOther(DialectNames.response)
        switch self.name {
        case JavaClass.stubMapping.name where isOfRequest && isOfResponse: return "in \"request\" or in \"response\""
        case JavaClass.stubMapping.name, JavaClass.requestPattern.name, JavaClass.responseDefinition.name:
            let isOfRequest = isOfRequest && self.name != JavaClass.requestPattern.name
            let isOfResponse = isOfResponse && self.name != JavaClass.responseDefinition.name
            if self.name != JavaClass.stubMapping.name, StubMapping.names.contains(name) {
                return self.name == JavaClass.requestPattern.name ? "beside \"request\"" : "beside \"response\""
            }
            return isOfRequest ? "in \"request\"" : isOfResponse ? "in \"response\"" : nil
        default: return nil
        }
    }
}

extension URLPattern {
    private static let fields = ["url", "urlPath", "urlPattern", "urlPathPattern"]

    /// JSON written by methods of WireMock's Java API.
    private static let ofJava = [
        "urlEqualTo": "url", "urlMatching": "urlPattern", "urlPathEqualTo": "urlPath",
        "urlPathMatching": "urlPathPattern",
    ]

    /// The field that an unknown field of a request probably means, by its name and value: a path with a variable in
    /// braces is a template.
    static func meantField(by name: String, _ value: JSONValue?) -> String? {
        guard let field = ofJava[name] ?? meantName(by: name, among: RequestPattern.names) else { return nil }
        guard fields.contains(field), let text = value?.stringValue, hasVariable(text) else { return field }
        return "urlPathTemplate"
    }

    /// Whether a path has a variable in braces, as opposed to a regular expression's repetition.
    private static func hasVariable(_ path: String) -> Bool {
        var rest = path[...]
        while let open = rest.firstIndex(of: "{") {
            rest = rest[open...].dropFirst()
            guard let close = rest.firstIndex(of: "}") else { return false }
            if let first = rest.first, first.isLetter || first == "_", !rest[..<close].contains("{") { return true }
            rest = rest[close...]
        }
        return false
    }
}
