/// A format that strings are checked for; none is known yet, so every `format` is an annotation.
struct SchemaFormat: Sendable {
    let name: String
    let isValid: @Sendable (String) -> Bool

    init?(named name: String, _ draft: JSONSchema.Draft) {
        return nil
    }
}
