import SDJSON

/// A proof, made once, that a template of a JSON text renders to valid JSON for all values that need no escapes.
///
/// Each expression is inside a string, where plain letters cannot affect validity. So the output is valid if it has as
/// many special bytes as the template itself: no value has added one.
public struct JSONShape: Sendable {
    private let special: Int

    /// - Returns: nil for a template with blocks, and for one that is not valid JSON for any values.
    public init?(_ template: Template) {
        guard template.json == nil else { return nil }
        var text: [UInt8] = []
        for node in template.nodes {
            switch node {
            case .text(let bytes): text += bytes
            // A letter that occurs neither in JSON outside of strings nor in an escape.
            case .output: text.append(UInt8(ascii: "x"))
            case .json, .block, .partial, .inline: return nil
            }
        }
        guard JSONTape(text[...]) != nil else { return nil }
        special = text.specialCountInJSON
    }

    /// Whether the rendered text is certainly valid JSON; false means unknown.
    public func proves(_ text: [UInt8]) -> Bool { text.specialCountInJSON == special }
}
