import SDJSON

/// A schema keyword: the type of its value, and how it contains schemas.
struct SchemaKeyword {
    /// The type of a value.
    enum Form: UInt8 {
        case anything, text, number, count, flag, list, object, schema, textOrList, numberOrFlag, objectOrList

        var words: String {
            switch self {
            case .anything: "anything"
            case .text: "a text"
            case .number: "a number"
            case .count: "a number from 0, without a fraction"
            case .flag: "true or false"
            case .list: "a list"
            case .object: "an object"
            case .schema: "a schema"
            case .textOrList: "a text or a list of texts"
            case .numberOrFlag: "a number, or true or false"
            case .objectOrList: "a schema or a list of schemas"
            }
        }
    }

    /// How a value contains schemas.
    enum Holding: UInt8 {
        case nothing, schema, list, schemaOrList, byName, schemasOrNames, discriminator
    }

    var form: Form
    var holds = Holding.nothing

    /// Whether the schema is unusable if the value is invalid.
    var isNeeded: Bool { holds != .nothing && holds != .discriminator }

    func allows(_ value: JSONValue) -> Bool {
        switch (form, value) {
        case (.anything, _), (.text, .string), (.number, .number), (.flag, .bool), (.list, .array), (.object, .object),
            (.schema, .object), (.schema, .bool), (.textOrList, .string), (.textOrList, .array),
            (.numberOrFlag, .number), (.numberOrFlag, .bool), (.objectOrList, .object), (.objectOrList, .array),
            (.objectOrList, .bool):
            true
        case (.count, .number(let number)): number.intValue.map { $0 >= 0 } ?? (number.doubleValue >= 0)
        default: false
        }
    }

    /// The keywords suggested for misspelt ones.
    static let names = all.keys.filter { !$0.hasPrefix("$") }.sorted()

    static let all: [String: SchemaKeyword] = {
        var all: [String: SchemaKeyword] = [:]
        func add(_ form: Form, _ holds: Holding = .nothing, _ names: String...) {
            for name in names { all[name] = SchemaKeyword(form: form, holds: holds) }
        }
        add(
            .text, .nothing, "$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$id", "$schema",
            "$comment", "title", "description", "format", "pattern", "contentMediaType", "contentEncoding")
        add(.number, .nothing, "minimum", "maximum", "multipleOf")
        add(.numberOrFlag, .nothing, "exclusiveMinimum", "exclusiveMaximum")
        add(
            .count, .nothing, "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
            "minContains", "maxContains")
        add(.flag, .nothing, "uniqueItems", "nullable", "readOnly", "writeOnly", "deprecated", "$recursiveAnchor")
        add(.list, .nothing, "enum", "required")
        add(.textOrList, .nothing, "type")
        add(.anything, .nothing, "default", "const", "example", "examples", "$vocabulary", "xml", "externalDocs")
        add(.object, .byName, "properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
        add(.object, .schemasOrNames, "dependencies")
        add(.object, .nothing, "dependentRequired")
        add(.anything, .discriminator, "discriminator")
        add(.list, .list, "allOf", "anyOf", "oneOf", "prefixItems")
        add(.objectOrList, .schemaOrList, "items")
        add(
            .schema, .schema, "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else",
            "unevaluatedItems", "unevaluatedProperties", "contentSchema", "additionalItems")
        return all
    }()
}
