import SDJSON
import SDJSONSchema
internal import SDStubModel

/// `matchesJsonSchema`.
struct JSONSchemaTest: MatcherTest {
    let schema: JSONSchema

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let json = value.document(&views).json
        if let container = json?.container { return schema.validate(container, views.budget) }
        // An empty text is a path's result; an empty body would be nil.
        if value.text.isEmpty { return schema.validate("", views.budget) }
        return schema.validate(body: value.string(&views), parsed: json, views.budget)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        let json = value.document(&views).json
        if let container = json?.container { return schema.distance(of: container, views.budget) }
        if value.text.isEmpty { return schema.distance(of: "", views.budget) }
        return schema.distance(ofBody: value.string(&views), parsed: json, views.budget)
    }
}

extension JSONValue {
    /// The value if it is an object or list: a schema then needs only the value, not its text, which may be long.
    fileprivate var container: JSONValue? {
        switch self {
        case .object, .array: self
        default: nil
        }
    }
}

extension JSONSchemaTest {
    /// The test of a schema. An invalid schema is accepted and never matches.
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        let name = matcher.text("schemaVersion") ?? JSONSchema.Draft.v202012.rawValue
        guard let draft = JSONSchema.Draft(rawValue: name) else {
            let known = JSONSchema.Draft.allCases.map(\.rawValue).joined(separator: ", ")
            compiler.refuse(.badOperand, place.member("schemaVersion"), "schemaVersion must be one of [\(known)]")
            return nil
        }
        guard let document = compiler.json(matcher, at: place) else { return nil }
        do throws(SchemaProblem) {
            let schema = try JSONSchema(document, draft: draft)
            for problem in schema.problems { compiler.warning(problem, isInvalid: false, matcher, at: place) }
            return .own(JSONSchemaTest(schema: schema))
        } catch {
            compiler.warning(error, isInvalid: true, matcher, at: place)
            return .never(reason: "\(error)")
        }
    }
}
