import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform

/// The direction in which a value goes.
enum InterimDirection { case request, response }

extension Contract {
    func isValid(_ value: JSONValue, schema: APISchema, direction: InterimDirection, budget: WorkBudget) -> Bool {
        var documents: [String: JSONValue] = [:]
        for (index, document) in description.documents.documents.enumerated() {
            documents["x:/\(index)"] = document.json
        }
        let reference = "x:/\(schema.place.document)#\(schema.place.pointer.text)"
        let draft: JSONSchema.Draft = description.version.rawValue < "3.1" ? .v4 : .v202012
        guard let compiled = try? JSONSchema(["$ref": .string(reference)], draft: draft, documents: documents) else {
            return false
        }
        return compiled.validate(value, budget)
    }
}
