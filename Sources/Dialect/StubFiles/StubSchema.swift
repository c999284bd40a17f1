public import SDJSON

/// The JSON Schema (2020-12) of stub files in all formats, for completion, help and checks in editors.
///
/// It is generated from the table in `Sources/Dialect/Table` that also generates the readers. Dependencies between
/// values, such as the variables of a key, are beyond a schema.
public enum StubSchema {
    /// The URL from which editors load the schema; a placeholder for the published `docs/schema`.
    public static let location = "https://example.com/stuntdouble/schema/stubs.schema.json"

    /// The first line of a YAML stub file, which names the schema for editors.
    public static let modeline = modeline(at: location)

    /// The first line of a YAML stub file with the schema's URL, or its path relative to the file.
    public static func modeline(at location: String) -> String { "# yaml-language-server: $schema=\(location)\n" }

    /// The schema.
    public static var json: JSONValue { (try? JSONValue(parsing: compactText.utf8)) ?? .null }

    /// The schema as text of a file.
    public static var text: String { json.prettyText + "\n" }
}
