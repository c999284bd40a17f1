import SDContracts
import SDJSON
import SDJSONSchema
import SDPlatform
import SDStubModel
import Testing

struct MadeValuePropertyTests {
    @Test func whatIsMadeIsValid() throws {
        for seed in UInt64(1)...300 {
            var schemas = RandomSchemas(seed: seed)
            let schema = schemas.schema()
            let contract = TestContract.answering(schema, components: RandomSchemas.components)
            let compiled = try JSONSchema(
                schema.with("components", ["schemas": RandomSchemas.components]), formats: .asserted)
            for source in AnswerPreferences.Source.allCases {
                var wishes = AnswerPreferences()
                wishes.source = source
                wishes.seed = seed
                wishes.optionalLevels = Int(seed % 7)
                let body: JSONValue
                do { body = try contract.made(wishes) } catch {
                    Issue.record("\(seed): \(error) of \(schema.compactText)")
                    continue
                }
                let errors = compiled.errors(in: body)
                #expect(
                    errors.isEmpty,
                    "\(seed): \(errors.first?.description ?? "") in \(body.compactText) of \(schema.compactText)")
                #expect(try contract.made(wishes) == body)
            }
        }
    }

    @Test(arguments: RandomSchemas.patterns) func textsMatchTheirPatterns(pattern: String) throws {
        let contract = TestContract.answering([
            "type": "array", "minItems": 5, "items": ["type": "string", "pattern": .string(pattern)],
        ])
        let texts = try contract.made().arrayValue?.compactMap(\.stringValue)
        #expect(texts?.count == 5)
    }
}

extension JSONValue {
    /// The object with one member more.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        var object = objectValue ?? [:]
        object[name] = value
        return .object(object)
    }
}
