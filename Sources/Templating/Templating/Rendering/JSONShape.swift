import SDJSON

/// The proof, made once, that a template of a JSON text makes valid JSON of all values that need no escapes.
///
/// Each expression stands in a string, where any letters may stand that mean themselves. So the text is valid if it has
/// as many other bytes as the template has by itself: no value has added one.
public struct JSONShape: Sendable {
    private let special: Int

    /// - Returns: nil for a template with blocks, and one that is no JSON whatever its values are.
    public init?(_ template: Template) {
        guard template.json == nil else { return nil }
        var text: [UInt8] = []
        for node in template.nodes {
            switch node {
            case .text(let bytes): text += bytes
            // No letter of JSON outside of its strings, nor one that an escape may have.
            case .output: text.append(UInt8(ascii: "x"))
            case .json, .block, .partial, .inline: return nil
            }
        }
        guard JSONTape(text[...]) != nil else { return nil }
        special = text.specialCountInJSON
    }

    /// Whether a text that the template made is valid JSON for certain; of others nothing is known.
    public func proves(_ text: [UInt8]) -> Bool { text.specialCountInJSON == special }
}
