import SDJSON

/// A schema as rules. Nodes refer to one another by number, because schemas may be recursive.
struct SchemaNode: Sendable {
    /// The resource to which it belongs. Entering another resource extends the dynamic scope.
    var resource: Int
    var rules: [SchemaRule] = []
    /// Whether it has `unevaluatedItems` or `unevaluatedProperties`, so that evaluated parts must be recorded.
    var looksAtMarks = false
}

/// A keyword, or several that only work together.
enum SchemaRule: Sendable {
    case never
    /// A dangling `$ref`.
    case unresolved(String)

    case type(TypeSet, admitsNull: Bool)
    case constant(CanonicalValue)
    case enumeration(Set<CanonicalValue>, admitsNull: Bool)
    case minimum(JSONDecimal, isExclusive: Bool)
    case maximum(JSONDecimal, isExclusive: Bool)
    case multipleOf(JSONDecimal)

    case minLength(Int)
    case maxLength(Int)
    case pattern(SchemaPattern)
    case format(SchemaFormat)
    case content(ContentCheck)

    case minItems(Int)
    case maxItems(Int)
    case uniqueItems
    case items(prefix: [Int], rest: Int?)
    case contains(Int, minimum: Int, maximum: Int?, marks: Bool)
    case unevaluatedItems(Int)

    case minProperties(Int)
    case maxProperties(Int)
    case required([String])
    case members(MemberRules)
    case propertyNames(Int)
    case dependentRequired([(name: String, required: [String])])
    case dependentSchemas([(name: String, schema: Int)])
    case unevaluatedProperties(Int)

    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    case conditional(test: Int, then: Int?, otherwise: Int?)
    case reference(Int)
    case dynamicReference(Int, anchor: String)
    case recursiveReference(Int)

    /// `oneOf` or `anyOf` with a discriminator.
    indirect case chosen(SchemaChoice)
    /// `readOnly` or `writeOnly`: a property that is not sent in this direction.
    case forbidden(SchemaDocuments.Direction)
    /// `required`, with properties that are not sent in one direction.
    case requiredByDirection([(name: String, unless: SchemaDocuments.Direction?)])
    /// The formats `int32` and `int64`.
    case wholeNumber(bits: Int)
}

/// Schemas selected by a property of the value.
struct SchemaChoice: Sendable {
    /// `oneOf`, `anyOf`, or `discriminator` for the derived schemas of a base; a value may also be of the base only.
    var keyword: String
    /// The name of the property.
    var property: String
    var schemas: [Int]
    /// The schemas by the property's value, in the schema's order.
    var named: [(name: String, schema: Int)]
    /// Whether every schema has a name.
    var isComplete: Bool
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct MemberRules: Sendable {
    var named: [PropertyName: Int] = [:]
    var patterns: [(pattern: SchemaPattern, schema: Int)] = []
    var additional: Int?
}

/// The types listed by `type`.
struct TypeSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1)
    static let boolean = TypeSet(rawValue: 2)
    static let object = TypeSet(rawValue: 4)
    static let array = TypeSet(rawValue: 8)
    static let number = TypeSet(rawValue: 16)
    static let string = TypeSet(rawValue: 32)
    static let integer = TypeSet(rawValue: 64)
    /// Draft 4: a number written without point and exponent.
    static let plainInteger = TypeSet(rawValue: 128)

    static let names: [(name: String, type: TypeSet)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    func admits(_ value: JSONValue) -> Bool {
        switch value {
        case .null: contains(.null)
        case .bool: contains(.boolean)
        case .object: contains(.object)
        case .array: contains(.array)
        case .string: contains(.string)
        case .number(let number):
            contains(.number)
                || contains(.integer) && (Self.isPlain(number) || JSONDecimal(number).isInteger)
                || contains(.plainInteger) && Self.isPlain(number)
        }
    }

    private static func isPlain(_ number: JSONNumber) -> Bool {
        number.text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    /// `integer or null`, for messages.
    var text: String {
        var names = Self.names.filter { contains($0.type) }.map(\.name)
        if contains(.plainInteger) { names.append("integer") }
        return names.isEmpty ? "no known type" : names.joined(separator: " or ")
    }
}
