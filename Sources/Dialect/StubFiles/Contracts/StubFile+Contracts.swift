import SDBasics
public import SDJSON
import SDOpenAPI

extension StubFile {
    /// The format of a text that is an OpenAPI document; nil for any other text.
    public static func formatOfContract(_ text: [UInt8]) -> Format? {
        // Cheap check before parsing.
        let whole = String(decoding: text, as: UTF8.self)
        guard whole.contains(text: "openapi") || whole.contains(text: "swagger") else { return nil }
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if first == UInt8(ascii: "{"), let json = try? JSONValue(parsing: text, dialect: .lenient) {
            return APIDescription.isOne(json) ? .json : nil
        }
        if let yaml = yaml(text) { return APIDescription.isOne(yaml) ? .yaml : nil }
        // Problems of the text are reported by the code that reads it.
        let marks = ["openapi:", "swagger:"]
        return marks.contains { whole.hasPrefix($0) || whole.contains(text: "\n" + $0) } ? .yaml : nil
    }

    /// The title of an OpenAPI document; `openapi` if it has none.
    public static func titleOfContract(_ text: [UInt8], format: Format) -> String {
        let json = format == .json ? try? JSONValue(parsing: text, dialect: .lenient) : yaml(text)
        let title = json?["info"]?["title"]?.stringValue ?? ""
        return title.isEmpty ? "openapi" : title
    }

    private static func yaml(_ text: [UInt8]) -> JSONValue? {
        var outline = DocumentOutline()
        var warnings: [YAMLError] = []
        return try? JSONValue(parsingForeignYAML: text, outline: &outline, warnings: &warnings)
    }
}
