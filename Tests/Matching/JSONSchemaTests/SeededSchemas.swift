import SDJSON
import SDTestSupport

/// Random schemas and documents with few names and values, so that they often match.
struct SeededSchemas {
    private var generator = TestGenerator()

    var seed: UInt64 { generator.seed }

    mutating func document(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return true
        case 2:
            return .number(
                JSONNumber(validText: ["0", "1", "1.0", "2.5", "-3"].randomElement(using: &generator) ?? "0"))
        case 3, 4: return .string(["", "a", "ab", "1.2.3.4"].randomElement(using: &generator) ?? "")
        case 5: return .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in document(depth: depth - 1) })
        default:
            var object = JSONObject()
            for name in ["a", "b", "c"] where Bool.random(using: &generator) {
                object[name] = document(depth: depth - 1)
            }
            return .object(object)
        }
    }

    mutating func schema(depth: Int) -> JSONValue {
        if depth == 0 { return .bool(Bool.random(using: &generator)) }
        var object = JSONObject()
        for _ in 0..<Int.random(in: 1..<4, using: &generator) { addKeyword(to: &object, depth) }
        return .object(object)
    }

    private mutating func addKeyword(to object: inout JSONObject, _ depth: Int) {
        let part = { (schemas: inout SeededSchemas) in schemas.schema(depth: depth - 1) }
        switch Int.random(in: 0..<18, using: &generator) {
        case 0:
            let names = ["integer", "string", "object", "array", "null", "boolean", "number"]
            object["type"] = .string(names.randomElement(using: &generator) ?? "null")
        case 1: object["minimum"] = 1
        case 2: object["maxLength"] = 1
        case 3: object["enum"] = [document(depth: 1), document(depth: 1)]
        case 4: object["const"] = document(depth: 1)
        case 5: object["properties"] = ["a": part(&self), "b": part(&self)]
        case 6: object["required"] = ["a"]
        case 7: object["additionalProperties"] = part(&self)
        case 8: object["items"] = part(&self)
        case 9: object["prefixItems"] = [part(&self), part(&self)]
        case 10: object["contains"] = part(&self)
        case 11: object["allOf"] = [part(&self), part(&self)]
        case 12: object["anyOf"] = [part(&self), part(&self)]
        case 13: object["oneOf"] = [part(&self), part(&self)]
        case 14: object["not"] = part(&self)
        case 15: (object["if"], object["then"], object["else"]) = (part(&self), part(&self), part(&self))
        case 16: object["unevaluatedProperties"] = part(&self)
        default: object["unevaluatedItems"] = part(&self)
        }
    }
}
