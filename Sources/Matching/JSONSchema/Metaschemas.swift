import SDJSON

/// The metaschemas as the specifications publish them, without their titles, comments and defaults.
///
/// They are parsed when a reference leads to one.
enum Metaschemas {
    /// The metaschema with this URI (given without a fragment) and its draft.
    static func document(named uri: String) -> (document: JSONValue, draft: JSONSchema.Draft)? {
        guard uri.hasPrefix("http"), let start = uri.firstIndex(of: ":") else { return nil }
        let name = String(uri[start...])
        for (texts, draft) in [(old, nil), (of201909, .v201909), (of202012, .v202012)] as [(Texts, JSONSchema.Draft?)] {
            guard let text = texts[name], let document = try? JSONValue(parsing: text) else { continue }
            return (document, draft ?? JSONSchema.Draft(metaschema: uri) ?? .v7)
        }
        return nil
    }

    /// Texts of metaschemas by URI without scheme.
    typealias Texts = [String: String]
}
