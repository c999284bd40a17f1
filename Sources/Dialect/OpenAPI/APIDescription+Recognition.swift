public import SDJSON

extension APIDescription {
    /// Whether a document is an OpenAPI document, by its content rather than its name: it has `openapi` or `swagger`
    /// with a version, and other members of such documents.
    public static func isOne(_ json: JSONValue) -> Bool {
        guard let object = json.objectValue, writtenVersion(of: object) != nil else { return false }
        return neighbours.contains { object[$0] != nil }
    }

    /// The pointer to the paths of a document that lacks only its version; nil for other documents.
    public static func placeWithoutVersion(_ json: JSONValue) -> JSONPointer? {
        guard let object = json.objectValue, object["openapi"] == nil, object["swagger"] == nil,
            let paths = object["paths"]?.objectValue,
            let first = paths.members.first(where: { $0.key.hasPrefix("/") })?.value.objectValue,
            first.keys.contains(where: { DescriptionReader.methods.contains($0) })
        else { return nil }
        return JSONPointer(["paths"])
    }

    private static let neighbours = ["paths", "info", "components", "webhooks", "definitions", "servers", "host"]

    /// The version as written, such as `3.0.3`, and the member's name; nil for other documents.
    static func writtenVersion(of object: JSONObject) -> (name: String, text: String)? {
        for name in ["openapi", "swagger"] {
            // An unquoted 3.0 is a number in YAML.
            let text = object[name]?.stringValue ?? object[name]?.numberValue?.text
            if let text, text.utf8.first.map({ (0x30...0x39).contains($0) }) == true { return (name, text) }
        }
        return nil
    }

    /// The version that a text names, or the nearest one.
    static func version(_ text: String) -> (version: Version, isKnown: Bool) {
        let parts = text.split(separator: ".").map { Int($0) }
        switch (parts.first ?? nil, parts.count > 1 ? parts[1] : 0) {
        case (2, 0): return (.v2, true)
        case (3, 0): return (.v30, true)
        case (3, 1): return (.v31, true)
        case (3, 2): return (.v32, true)
        case (let major?, _) where major < 3: return (.v2, false)
        default: return (.v32, false)
        }
    }
}
