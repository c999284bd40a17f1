import SDJSON
import SDPlatform

/// Schemas for which there are values, from a seed.
struct RandomSchemas {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func coin() -> Bool { number(0...1) == 1 }
    private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(0...(list.count - 1))] }

    mutating func schema(_ depth: Int = 0) -> JSONValue {
        if depth > 3 { return scalar() }
        switch number(0...13) {
        case 0...3: return object(depth)
        case 4...5: return array(depth)
        case 6: return ["oneOf": .array((0..<number(2...4)).map { marked($0, depth) })]
        case 7: return ["anyOf": .array((0..<number(1...3)).map { _ in schema(depth + 1) })]
        case 8: return ["allOf": [object(depth, isOpen: true), object(depth, isOpen: true)]]
        case 9:
            return [
                "oneOf": [["type": "string", "minLength": 3], ["type": ["integer", "boolean"]], ["type": "null"]]
            ]
        case 10: return conditional(depth)
        case 11: return ["$ref": .string("#/components/schemas/\(pick(["Node", "Leaf", "Pair"]))")]
        default: return scalar()
        }
    }

    /// Schemas to which others refer; some within themselves.
    static let components: JSONValue = [
        "Leaf": ["type": "string", "maxLength": 20],
        "Pair": [
            "type": "object", "required": ["left"], "additionalProperties": false,
            "properties": ["left": ["$ref": "#/components/schemas/Leaf"], "right": ["type": ["number", "null"]]],
        ],
        "Node": [
            "type": "object", "required": ["value", "next"],
            "properties": [
                "value": ["type": "integer"],
                "next": ["oneOf": [["$ref": "#/components/schemas/Node"], ["type": "null"]]],
                "children": ["type": "array", "maxItems": 2, "items": ["$ref": "#/components/schemas/Node"]],
            ],
        ],
    ]

    private mutating func object(_ depth: Int, isOpen: Bool = false) -> JSONValue {
        let names = ["id", "name", "email", "count", "tags", "owner", "createdAt", "price", "nested"].shuffled(
            using: &generator)
        var properties = JSONObject()
        for name in names.prefix(number(0...4)) { properties[name] = schema(depth + 1) }
        // Both of two that are met together must not contradict each other.
        var schema: JSONObject = ["type": "object"]
        var renamed = JSONObject()
        let mark = number(0...9_999)
        for member in properties.members { renamed["\(member.key)\(mark)"] = member.value }
        schema["properties"] = .object(renamed)
        schema["required"] = .array(renamed.keys.filter { _ in coin() }.map(JSONValue.string))
        if number(0...4) == 0, !isOpen { schema["additionalProperties"] = ["type": "integer"] }
        if number(0...5) == 0 { schema["minProperties"] = .number(JSONNumber(renamed.count)) }
        return .object(schema)
    }

    /// One of several objects that differ by a constant.
    private mutating func marked(_ index: Int, _ depth: Int) -> JSONValue {
        [
            "type": "object", "required": ["kind"],
            "properties": ["kind": ["const": .string("kind\(index)")], "value": schema(depth + 1)],
        ]
    }

    private mutating func conditional(_ depth: Int) -> JSONValue {
        [
            "type": "object",
            "properties": ["mode": ["enum": ["on", "off"]], "level": ["type": "integer", "minimum": 1]],
            "required": coin() ? ["mode"] : [],
            "if": ["properties": ["mode": ["const": .string(pick(["on", "off", "none"]))]], "required": ["mode"]],
            "then": ["required": ["level"]], "else": ["properties": ["level": ["maximum": 10]]],
        ]
    }

    private mutating func array(_ depth: Int) -> JSONValue {
        var schema: JSONObject = ["type": "array", "items": self.schema(depth + 1)]
        switch number(0...4) {
        case 0: schema["minItems"] = .number(JSONNumber(number(0...4)))
        case 1: schema["maxItems"] = .number(JSONNumber(number(0...3)))
        case 2:
            schema["items"] = pick([["type": "integer"], ["type": "string"], ["enum": ["a", "b", "c"]]])
            schema["uniqueItems"] = true
            schema["minItems"] = .number(JSONNumber(number(0...3)))
        case 3: schema["prefixItems"] = [scalar(), scalar()]
        default: break
        }
        return .object(schema)
    }

    private mutating func scalar() -> JSONValue {
        switch number(0...9) {
        case 0:
            let least = number(-1_000...1_000)
            return [
                "type": "integer", "minimum": .number(JSONNumber(least)),
                "maximum": .number(JSONNumber(least + number(0...50))),
            ]
        case 1:
            return [
                "type": "number",
                "multipleOf": .number(JSONNumber(validText: pick(["0.01", "0.1", "0.25", "5", "3", "0.05"]))),
                "minimum": .number(JSONNumber(number(-20...2_000))),
            ]
        case 2:
            return [
                "type": "number", "exclusiveMinimum": 0,
                "exclusiveMaximum": .number(JSONNumber(validText: pick(["1", "0.001", "1e9", "1e-7"]))),
            ]
        case 3:
            let least = number(0...60)
            return [
                "type": "string", "minLength": .number(JSONNumber(least)),
                "maxLength": .number(JSONNumber(least + number(0...20))),
            ]
        case 4:
            return [
                "type": "string",
                "format": .string(
                    pick([
                        "date", "date-time", "email", "uuid", "uri", "ipv4", "ipv6", "hostname", "time", "byte",
                        "regex", "json-pointer", "duration",
                    ])),
            ]
        case 5: return ["type": "string", "pattern": .string(pick(Self.patterns))]
        case 6: return ["enum": [1, "two", 3.5, true]]
        case 7: return ["type": "boolean"]
        case 8: return ["type": ["string", "null"], "not": ["const": "text"]]
        default: return ["type": "integer", "not": ["multipleOf": 5]]
        }
    }

    static let patterns = [
        #"^[A-Z]{3}-\d{4}$"#, #"^\+?[1-9]\d{1,14}$"#, #"^[a-z0-9]+(?:-[a-z0-9]+)*$"#, #"^(foo|bar)?baz$"#, #"^.{5,9}$"#,
        #"^[^@\s]+@[^@\s]+\.[a-z]{2,}$"#, #"^#[0-9a-fA-F]{6}$"#, #"\d{3}"#, #"^(?!0)\d{2,8}$"#, #"^[\w.-]{40}$"#,
        #"^arn:aws:[a-z]+:[a-z]{2}-[a-z]+-\d:\d{12}:.+$"#, #"^(\d)\1{2}$"#, #"^\p{Lu}\p{Ll}+$"#, #"^[\x20-\x7e]*$"#,
        #"^([01]\d|2[0-3]):[0-5]\d$"#, #"^$|^[a-c]+$"#, #"^v\d+(\.\d+){0,2}$"#, #"^[A-Za-z_][A-Za-z0-9_]*$"#,
    ]
}
