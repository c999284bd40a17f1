import SDBasics
package import SDJSON

extension ModelReader {
    /// Reads a request pattern; nil for null.
    package mutating func requestPattern(_ value: JSONValue) -> RequestPattern? {
        value.isNull ? nil : RequestPattern.read(value, &self)
    }

    /// Whether an object has its required members; null counts. As in WireMock, only the first missing one is reported.
    package mutating func requires(_ names: [String], in object: JSONObject) -> Bool {
        guard let missing = names.first(where: { object[$0] == nil }) else { return true }
        report(
            ModelProblem(
                title: "\(missing) is required", pointer: JSONPointer([missing]), place: place,
                message: "\"\(missing)\" is missing", expected: "an object with \(names.joined(separator: " and "))"))
        return false
    }

    /// Reads the kind of an object from its member `type`; nil for a problem.
    /// - Parameter additions: kinds that WireMock does not have.
    mutating func kind(
        of value: JSONValue, among kinds: [String], additions: Set<String> = [], _ javaClass: JavaClass,
        property: String, _ what: String
    ) -> (object: JSONObject, kind: String)? {
        let expected = "an object with \"type\": one of \(kinds.joined(separator: ", "))"
        guard case .object(let object) = value, let type = object["type"], !type.isNull else {
            report(
                detail: "Could not resolve subtype of [simple type, class \(javaClass.name)]: "
                    + "missing type id property 'type' (for POJO property '\(property)')",
                message: "\(what) without a type", expected: expected, found: value.shortDescription)
            return nil
        }
        let text = type.stringValue ?? type.compactText
        if kinds.contains(text), type.stringValue != nil { return (object, text) }
        report(
            ModelProblem(
                pointer: pointer,
                detail: "Could not resolve type id '\(text)' as a subtype of `\(javaClass.name)`: known type ids = "
                    + "[\(kinds.filter { !additions.contains($0) }.sorted().joined(separator: ", "))] (for POJO property '\(property)')",
                place: place.appending("type"), message: "unknown type of \(what.drop { $0 != " " }.dropFirst())",
                expected: "one of \(kinds.joined(separator: ", "))", found: type.shortDescription,
                suggestion: nearestName(to: text, among: kinds)))
        return nil
    }
}
