// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
internal import SDStubModel

extension PatternCompiler {
    /// The test of a matcher with a file of its own.
    mutating func ownTest(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        switch matcher.operator {
        case .equalToJson: return JSONEqualityTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesJsonPath: return JSONPathTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesJsonSchema: return JSONSchemaTest.compile(matcher, at: place, depth: depth, &self)
        case .equalToXml: return XMLEqualityTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesXPath: return XPathTest.compile(matcher, at: place, depth: depth, &self)
        case .before, .after, .equalToDateTime: return DateTimeTest.compile(matcher, at: place, depth: depth, &self)
        case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber: return NumberTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesPathTemplate: return PathTemplateTest.compile(matcher, at: place, depth: depth, &self)
        case .startsWith: return StartsWithTest.compile(matcher, at: place, depth: depth, &self)
        case .endsWith: return EndsWithTest.compile(matcher, at: place, depth: depth, &self)
        case .glob: return GlobTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesJwt: return JWTTest.compile(matcher, at: place, depth: depth, &self)
        case .matchesGraphql: return GraphQLTest.compile(matcher, at: place, depth: depth, &self)
        default: return nil
        }
    }
}
