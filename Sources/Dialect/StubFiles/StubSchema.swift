public import SDJSON

/// The JSON Schema (2020-12) of stub files in all their forms, by which editors complete, explain and check them.
///
/// It is made of the table by which files are read, `Sources/Dialect/Table`. What one value says of another, such as a
/// variable of a key, is beyond a schema.
public enum StubSchema {
    /// Where editors load the schema from: to be filled in with the address of the published `docs/schema`.
    public static let location = "https://example.com/stuntdouble/schema/stubs.schema.json"

    /// The first line of a YAML file of stubs, which names the schema to editors.
    public static let modeline = modeline(at: location)

    /// The first line of a YAML file of stubs whose schema is at an address, or a path from the file on.
    public static func modeline(at location: String) -> String { "# yaml-language-server: $schema=\(location)\n" }

    /// The schema.
    public static var json: JSONValue { (try? JSONValue(parsing: compactText.utf8)) ?? .null }

    /// The schema as the text of a file.
    public static var text: String { json.prettyText + "\n" }
}
