import SDJSON

/// A value that fulfils a JSON Schema: its example, or else the smallest value of its type. Whether it does shows when
/// the stub is asked.
struct SchemaExample {
    private let root: JSONValue

    /// The maximum depth: a schema may refer to itself.
    private static let deepest = 32

    /// - Parameter operand: the schema, or a text of it.
    /// - Throws: if there is no value.
    static func value(_ operand: JSONValue) throws(NoExample) -> JSONValue {
        var schema = operand
        if let text = operand.stringValue {
            guard let parsed = try? JSONValue(parsing: Array(text.utf8)) else {
                throw NoExample("a schema that is no JSON")
            }
            schema = parsed
        }
        return try SchemaExample(root: schema).value(schema, depth: 0)
    }

    private func value(_ schema: JSONValue, depth: Int) throws(NoExample) -> JSONValue {
        guard depth < Self.deepest else { throw NoExample("a schema that refers to itself") }
        guard case .object(let object) = schema else { return "text" }
        for name in ["const", "example", "default"] {
            if let value = object[name] { return value }
        }
        for name in ["enum", "examples"] {
            if let value = object[name]?.arrayValue?.first { return value }
        }
        if let reference = object["$ref"]?.stringValue { return try value(try target(reference), depth: depth + 1) }
        if let parts = object["allOf"]?.arrayValue, !parts.isEmpty { return try all(object, parts, depth) }
        for name in ["oneOf", "anyOf"] {
            if let first = object[name]?.arrayValue?.first { return try value(first, depth: depth + 1) }
        }
        return try ofType(object, depth)
    }

    private func target(_ reference: String) throws(NoExample) -> JSONValue {
        guard reference.hasPrefix("#"), let pointer = JSONPointer(text: String(reference.dropFirst())) else {
            throw NoExample("the schema at `\(reference)`")
        }
        var target = root
        for token in pointer.tokens {
            guard let next = target[token] ?? Int(token).flatMap({ target[$0] }) else {
                throw NoExample("the schema at `\(reference)`")
            }
            target = next
        }
        return target
    }

    /// A value for all parts: the members of all objects, or the first value that is not an object.
    private func all(_ object: JSONObject, _ parts: [JSONValue], _ depth: Int) throws(NoExample) -> JSONValue {
        var rest = object
        rest["allOf"] = nil
        var members = JSONObject()
        for part in parts + (rest.isEmpty ? [] : [.object(rest)]) {
            let made = try value(part, depth: depth + 1)
            guard case .object(let more) = made else { return made }
            for member in more.members { members[member.key] = member.value }
        }
        return .object(members)
    }

    private func ofType(_ schema: JSONObject, _ depth: Int) throws(NoExample) -> JSONValue {
        let types =
            schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? [schema["type"]?.stringValue].compactMap(\.self)
        let isObject = schema["properties"] != nil || schema["required"] != nil
        switch types.first(where: { $0 != "null" }) ?? types.first ?? (isObject ? "object" : "string") {
        case "object": return try members(schema, depth)
        case "array":
            let count = max(schema["minItems"]?.intValue ?? 0, 0)
            guard count > 0 else { return .array([]) }
            let element = try value(schema["items"] ?? .bool(true), depth: depth + 1)
            return .array(Array(repeating: element, count: min(count, 100)))
        case "integer", "number": return .number(number(schema))
        case "boolean": return true
        case "null": return .null
        default: return .string(try text(schema))
        }
    }

    private func members(_ schema: JSONObject, _ depth: Int) throws(NoExample) -> JSONValue {
        var members = JSONObject()
        for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            members[name] = try value(schema["properties"]?[name] ?? .bool(true), depth: depth + 1)
        }
        return .object(members)
    }

    private func number(_ schema: JSONObject) -> JSONNumber {
        let isExclusive = schema["exclusiveMinimum"]?.boolValue == true
        let least = schema["minimum"]?.doubleValue.map { isExclusive ? $0 + 1 : $0 }
        let above = schema["exclusiveMinimum"]?.doubleValue.map { $0 + 1 }
        let step = schema["multipleOf"]?.doubleValue ?? 1
        var number = least ?? above ?? min(1, schema["maximum"]?.doubleValue ?? 1)
        if step > 0, step.isFinite { number = (number / step).rounded(.up) * step }
        return abs(number) < 1e15 && number == number.rounded()
            ? JSONNumber(Int(number)) : JSONNumber(validText: String(number))
    }

    private static let formats = [
        "date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "time": "09:30:00Z", "duration": "PT1S",
        "email": "ada@example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
        "uri": "https://example.com", "uri-reference": "/", "uuid": "11111111-1111-4111-8111-111111111111",
    ]

    private func text(_ schema: JSONObject) throws(NoExample) -> String {
        if let pattern = schema["pattern"]?.stringValue {
            guard let text = ExampleValue.literal(pattern) else { throw NoExample("the expression `\(pattern)`") }
            return text
        }
        if let format = schema["format"]?.stringValue, let text = Self.formats[format] { return text }
        let least = min(schema["minLength"]?.intValue ?? 0, 10_000)
        let text = "text" + String(repeating: "x", count: max(0, least - 4))
        return String(text.prefix(max(schema["maxLength"]?.intValue ?? text.count, 0)))
    }
}
