import SDJSON
import SDJSONSchema
import SDPlatform
import SDTestSupport
import Testing

/// Malicious schemas and documents cost bounded time and never the process.
@Suite(.disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack")) struct HostileSchemaTests
{
    @Test(arguments: [
        ##"{"$ref":"#"}"##,
        ##"{"allOf":[{"$ref":"#"}]}"##,
        ##"{"not":{"$ref":"#"}}"##,
        ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        ##"{"not":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}"##,
        ##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}"##,
        ##"{"$dynamicAnchor":"x","$dynamicRef":"#x"}"##,
        ##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"$recursiveRef":"#"}"##,
        ##"{"if":{"$ref":"#"}}"##,
        ##"{"not":{"$ref":"#/nowhere"}}"##,
    ])
    func anEndlesslyRecursiveSchemaAdmitsNothing(text: String) throws {
        let schema = try JSONSchema(JSONValue(parsing: text))
        #expect(!schema.validate([:]))
        #expect(schema.errors(in: [:]).count == 1)
        #expect(schema.distance(of: [:]) == 1)
    }

    /// Thirty levels that each apply the next one twice would be a billion steps without a limit.
    @Test func exponentialReferencesAreAbandoned() throws {
        var definitions: [(String, JSONValue)] = [("level30", ["type": "object"])]
        for level in 0..<30 {
            let next: JSONValue = ["$ref": .string("#/$defs/level\(level + 1)")]
            definitions.append(("level\(level)", ["allOf": [next, next]]))
        }
        let schema = try JSONSchema(["$ref": "#/$defs/level0", "$defs": .object(JSONObject(definitions))])
        #expect(!schema.validate([:], WorkBudget(limit: 5_000_000)))
        let messages = schema.errors(in: [:], WorkBudget(limit: 5_000_000)).map(\.message)
        #expect(messages == ["The schema takes too long on this document"])
    }

    @Test func aDocumentAsDeepAsCanBeReadIsValidated() throws {
        let schema = try JSONSchema([
            "$defs": ["list": ["type": "array", "items": ["allOf": [["$ref": "#/$defs/list"]]]]],
            "$ref": "#/$defs/list",
        ])
        let depth = JSONValue.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let document = try JSONValue(parsing: text)
        #expect(schema.validate(document))
        let wrong = try JSONValue(parsing: text.replacing("[]", with: "[1]"))
        #expect(schema.errors(in: wrong).map(\.keyword) == ["type"])
    }

    @Test func aSchemaAsDeepAsCanBeReadIsCompiled() throws {
        let depth = JSONValue.maximumDepth - 1
        let text = String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        #expect(try JSONSchema(JSONValue(parsing: text)).validate(1) == depth.isMultiple(of: 2))
    }

    @Test func uniqueItemsTakesLinearTime() throws {
        let schema = try JSONSchema(["uniqueItems": true])
        let count = 100_000
        var elements = (0..<count).map { JSONValue.object(["id": .number(JSONNumber($0)), "name": "x"]) }
        #expect(schema.validate(.array(elements)))
        elements.append(.object(["name": "x", "id": .number(JSONNumber(validText: "7.0"))]))
        #expect(!schema.validate(.array(elements)))
    }

    @Test func aCatastrophicPatternIsAbandoned() throws {
        let schema = try JSONSchema(["items": ["pattern": "^(a+)+$"]])
        let text = String(repeating: "a", count: 40) + "!"
        let document = JSONValue.array(Array(repeating: .string(text), count: 10_000))
        let budget = WorkBudget(limit: 5_000_000)
        #expect(!schema.validate(document, budget))
        #expect(budget.isSpent)
        let negated = try JSONSchema(["items": ["not": ["pattern": "^(a+)+$"]]])
        #expect(!negated.validate(document, WorkBudget(limit: 5_000_000)), "what is not known does not hold")
    }

    @Test(arguments: [
        ("1e1000000000", "multipleOf", "0.01", true), ("1e-1000000000", "multipleOf", "0.01", false),
        ("1e99999999999999999999", "minimum", "1e99999999999999999998", true),
        ("-1e1000000000", "maximum", "0", true), ("1e1000000000", "maximum", "1e999999999", false),
        ("0e99999999999999999999", "maximum", "0", true), ("1", "minimum", "1e-99999999999999999999", true),
        ("0.3", "multipleOf", "0.1", true), ("19.99", "multipleOf", "0.01", true),
        ("0.075", "multipleOf", "0.01", false),
        ("1e30", "multipleOf", "3", false), ("3e30", "multipleOf", "3", true),
        ("123456789012345678901234567891", "multipleOf", "12345678901234567890123456789", false),
        ("123456789012345678901234567890", "multipleOf", "12345678901234567890123456789.0e1", true),
        ("1e400", "multipleOf", "18446744073709551616", true), ("1e20", "multipleOf", "18446744073709551616", false),
        ("9007199254740993", "maximum", "9007199254740992", false),
        ("1e99999999999999999999", "multipleOf", "3e-99999999999999999999", false),
        ("3e99999999999999999999", "multipleOf", "3e-99999999999999999999", true),
        ("1e-99999999999999999999", "multipleOf", "1e99999999999999999999", false),
    ])
    func numbersAreExactAndCheap(number: String, keyword: String, operand: String, isValid: Bool) throws {
        let schema = try JSONSchema(.object([keyword: .number(JSONNumber(validText: operand))]))
        #expect(schema.validate(.number(JSONNumber(validText: number))) == isValid)
    }

    @Test func longNumbersTakeBoundedTime() throws {
        let long = String(repeating: "7", count: 100_000)
        let schema = try JSONSchema(.object(["multipleOf": .number(JSONNumber(validText: long))]))
        #expect(schema.validate(.number(JSONNumber(validText: long))))
        #expect(!schema.validate(.number(JSONNumber(validText: long + "1"))))
    }
}
