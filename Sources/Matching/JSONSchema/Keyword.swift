import SDJSON

/// The keywords that contain schemas, by draft.
enum Keyword {
    /// The schemas directly within a schema, each with its path. The contents of other keywords (`enum`, `const`,
    /// unknown ones) are data, however much they look like schemas.
    static func subschemas(of object: JSONObject, _ draft: JSONSchema.Draft) -> [(tokens: [String], value: JSONValue)] {
        var found: [(tokens: [String], value: JSONValue)] = []
        for member in object.members {
            switch shape(member.key, draft) {
            case .none: continue
            case .schema: found.append(([member.key], member.value))
            case .schemas, .schemaOrSchemas:
                if let elements = member.value.arrayValue {
                    for (place, element) in elements.enumerated() {
                        found.append(([member.key, String(place)], element))
                    }
                } else if shape(member.key, draft) == .schemaOrSchemas {
                    found.append(([member.key], member.value))
                }
            case .map:
                for (name, value) in (member.value.objectValue?.members ?? []).map({ ($0.key, $0.value) }) {
                    found.append(([member.key, name], value))
                }
            }
        }
        return found
    }

    private enum Shape {
        case none, schema, schemas, schemaOrSchemas, map
    }

    private static func shape(_ keyword: String, _ draft: JSONSchema.Draft) -> Shape {
        switch keyword {
        case "properties", "patternProperties", "definitions", "dependencies": .map
        case "$defs", "dependentSchemas": draft >= .v201909 ? .map : .none
        case "allOf", "anyOf", "oneOf": .schemas
        case "prefixItems": draft >= .v202012 ? .schemas : .none
        case "items": .schemaOrSchemas
        case "not", "additionalProperties", "additionalItems": .schema
        case "contains", "propertyNames": draft >= .v6 ? .schema : .none
        case "if", "then", "else": draft >= .v7 ? .schema : .none
        case "unevaluatedItems", "unevaluatedProperties", "contentSchema": draft >= .v201909 ? .schema : .none
        default: .none
        }
    }
}
