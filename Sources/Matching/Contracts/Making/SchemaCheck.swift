import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform

/// Says whether values are valid. A schema is compiled once for an answer.
final class SchemaCheck {
    private let documents: [String: JSONValue]
    private let draft: JSONSchema.Draft
    private var compiled: [DocumentSet.Place: JSONSchema?] = [:]

    init(_ description: APIDescription) {
        var documents: [String: JSONValue] = [:]
        for (index, document) in description.documents.documents.enumerated() { documents["x:/\(index)"] = document.json }
        self.documents = documents
        draft = description.version.rawValue < "3.1" ? .v4 : .v202012
    }

    func isValid(_ value: JSONValue, _ schema: APISchema, _ budget: WorkBudget) -> Bool {
        if let known = compiled[schema.place] { return known?.validate(value, budget) ?? false }
        let reference = "x:/\(schema.place.document)#\(schema.place.pointer.text)"
        let made = try? JSONSchema(["$ref": .string(reference)], draft: draft, documents: documents)
        compiled[schema.place] = .some(made)
        return made?.validate(value, budget) ?? false
    }
}
