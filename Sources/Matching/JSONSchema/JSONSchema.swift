public import SDJSON
public import SDPlatform

/// A compiled JSON Schema: keywords are typed rules, regular expressions are compiled, references are resolved.
///
/// Nothing is ever fetched: a `$ref` finds the schema itself, the metaschemas of the drafts, and the documents passed
/// in. Validation is limited in time and depth; an endless schema (`{"$ref": "#"}`) makes the document invalid.
///
/// As in WireMock's validator, `$schema` at the root overrides the requested draft, `nullable: true` allows null beside
/// `type` and `enum`, and formats are checked up to draft 7 and are annotations in later drafts.
public struct JSONSchema: Sendable {
    /// The versions of JSON Schema, named as in WireMock's `schemaVersion`.
    public enum Draft: String, CaseIterable, Sendable {
        case v4 = "V4"
        case v6 = "V6"
        case v7 = "V7"
        case v201909 = "V201909"
        case v202012 = "V202012"
    }

    /// Whether `format` (and draft 7's content keywords) can make a document invalid.
    public enum Formats: Sendable {
        /// Formats fail a document up to draft 7, and if a metaschema has the vocabulary `format-assertion`.
        case byDraft
        case asserted
        case ignored
    }

    /// The draft of the root schema, which its `$schema` may override.
    public let draft: Draft
    /// Parts without the effect that they seem to have, such as a `$ref` to nothing. The rest of the schema applies; as
    /// in WireMock, a document is invalid if validation reaches such a reference.
    public let problems: [SchemaProblem]
    /// The number of properties that the schema describes, including nested ones; the unit in which WireMock measures
    /// distance.
    public let propertyCount: Int

    let nodes: [SchemaNode]
    let dynamicAnchors: [[String: Int]]
    let recursiveRoots: [Int?]
    let root: Int

    /// Compiles `schema`.
    ///
    /// - Parameters:
    ///   - draft: the draft, unless `$schema` at the root names another one.
    ///   - formats: whether formats are checked.
    ///   - documents: further schemas by absolute URI, for references to them.
    /// - Throws: the first error for which WireMock would reject the whole schema: a keyword whose value has the wrong
    ///   type, an expression that does not compile, an unknown `$schema`.
    public init(
        _ schema: JSONValue, draft: Draft = .v202012, formats: Formats = .byDraft,
        documents: [String: JSONValue] = [:]
    ) throws(SchemaProblem) {
        var compiler = try SchemaCompiler(schema, draft: draft, formats: formats, documents: documents)
        try compiler.run()
        self.draft = compiler.library.rootDraft
        nodes = compiler.finishedNodes
        problems = compiler.problems
        dynamicAnchors = compiler.dynamicAnchors
        recursiveRoots = compiler.recursiveRoots
        root = compiler.root
        propertyCount = Self.propertyCount(of: schema, depth: 0)
    }

    /// A schema without nodes.
    init(without draft: Draft) {
        self.draft = draft
        problems = []
        propertyCount = 0
        nodes = []
        dynamicAnchors = []
        recursiveRoots = []
        root = 0
    }

    /// Whether `value` satisfies the schema. Stops at the first violation.
    public func validate(_ value: JSONValue, _ budget: WorkBudget = WorkBudget()) -> Bool {
        var evaluation = Evaluation(self, collects: false, budget)
        return evaluation.run(value)
    }

    /// The violations in the order in which the schema's keywords find them, at most `most`; empty if `value` is valid.
    public func errors(
        in value: JSONValue, most: Int = 1_000, _ budget: WorkBudget = WorkBudget()
    ) -> [SchemaError] {
        var evaluation = Evaluation(self, collects: true, errorLimit: most, budget)
        _ = evaluation.run(value)
        return evaluation.errors
    }

    /// The distance of `value` from being valid, by WireMock's measure for near misses: violations per described
    /// property. 0 if it is valid, 1 if the schema describes no property or its limits were reached; it may exceed 1.
    public func distance(of value: JSONValue, _ budget: WorkBudget = WorkBudget()) -> Double {
        var evaluation = Evaluation(self, collects: true, budget)
        _ = evaluation.run(value)
        let violations = evaluation.errors.count
        if violations == 0 { return 0 }
        return propertyCount == 0 || evaluation.abandoned != nil ? 1 : Double(violations) / Double(propertyCount)
    }

    private static func propertyCount(of schema: JSONValue, depth: Int) -> Int {
        guard depth < JSONValue.maximumDepth, let properties = schema["properties"]?.objectValue else { return 0 }
        return properties.members.reduce(properties.count) { $0 + propertyCount(of: $1.value, depth: depth + 1) }
    }
}

extension JSONSchema.Draft: Comparable {
    /// Orders drafts from older to newer.
    public static func < (left: Self, right: Self) -> Bool {
        left.age < right.age
    }

    private var age: Int {
        switch self {
        case .v4: 4
        case .v6: 6
        case .v7: 7
        case .v201909: 8
        case .v202012: 9
        }
    }
}
