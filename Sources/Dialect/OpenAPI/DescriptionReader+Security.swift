import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The security schemes by name, with references resolved.
    mutating func readSecuritySchemes(_ node: Node?) -> [String: JSONValue] {
        var schemes: [String: JSONValue] = [:]
        for (name, node) in members(node, of: "schemes of security") {
            let (target, _) = collectingFirstError { $0.followed(node) }
            guard let target, object(target) != nil else { continue }
            schemes[name] = target.value
            let types =
                version == .v2
                ? ["basic", "apiKey", "oauth2"] : ["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]
            guard let type = text(target["type"]) else {
                report(target.place, "a scheme without type", expected: oneOf(types), isError: false)
                continue
            }
            if !types.contains(type) {
                report(
                    target.place.appending("type"), "unknown type \(quoted(type))", expected: oneOf(types),
                    suggestion: nearestName(to: type, among: types), isError: false)
            }
        }
        return schemes
    }

    /// Alternative lists of security schemes.
    mutating func security(_ node: Node) -> [[String]] {
        elements(node, of: "requirements").compactMap { requirement in
            guard let object = object(requirement) else { return nil }
            for name in object.keys where !schemeNames.contains(name) {
                report(
                    requirement.place.appending(name), "there is no scheme \(quoted(name))",
                    expected: schemeNames.isEmpty ? "a scheme that the document describes" : oneOf(schemeNames),
                    suggestion: nearestName(to: name, among: schemeNames), isAboutName: true, isError: false)
            }
            return object.keys
        }
    }

    func oneOf(_ names: [String]) -> String { "one of \(names.prefix(30).joined(separator: ", "))" }
}
