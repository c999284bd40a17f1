public import JSON

/// A JSON Schema, compiled: keywords are typed rules, regular expressions are compiled, references are resolved.
///
/// Nothing is ever fetched: a `$ref` finds the schema itself, the metaschemas of the drafts, and the documents that were
/// handed in. Validation is bounded in time and depth; a schema that would run away (`{"$ref": "#"}`) makes the document
/// invalid.
///
/// As WireMock's validator does, a `$schema` at the root beats the draft that was asked for, `nullable: true` admits null
/// beside `type` and `enum`, and formats are checked up to draft 7 and are annotations afterwards.
public struct JSONSchema: Sendable {
    /// The versions of JSON Schema, by WireMock's names for `schemaVersion`.
    public enum Draft: String, CaseIterable, Sendable {
        case v4 = "V4"
        case v6 = "V6"
        case v7 = "V7"
        case v201909 = "V201909"
        case v202012 = "V202012"
    }

    /// Whether `format` (and the content keywords of draft 7) can make a document invalid.
    public enum Formats: Sendable {
        /// Up to draft 7, and where a metaschema asks for the vocabulary `format-assertion`.
        case byDraft
        case asserted
        case ignored
    }

    /// The draft of the root schema, after its `$schema` was looked at.
    public let draft: Draft
    /// Parts that cannot do what they seem to ask for, such as a `$ref` that leads nowhere. The rest of the schema is in
    /// force; a reference to nowhere makes every document invalid that reaches it, as with WireMock.
    public let problems: [SchemaProblem]
    /// How many properties the schema describes, those of described properties included; WireMock measures distance in
    /// it.
    public let propertyCount: Int

    let nodes: [SchemaNode]
    let dynamicAnchors: [[String: Int]]
    let recursiveRoots: [Int?]
    let root: Int

    /// Compiles `schema`.
    ///
    /// - Parameters:
    ///   - draft: The draft that holds unless `$schema` at the root names another one.
    ///   - formats: Whether formats are checked.
    ///   - documents: Further schemas by absolute URI, for references out of this one.
    /// - Throws: The first thing for which WireMock would take the whole schema for invalid: a keyword whose value has a
    ///   wrong type, an expression that does not compile, an unknown `$schema`.
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

    /// Whether `value` satisfies the schema; stops at the first violation.
    public func validate(_ value: JSONValue) -> Bool {
        var evaluation = Evaluation(self, document: value, collects: false)
        return evaluation.run(value)
    }

    /// Every violation, in the order in which the schema's keywords meet them, up to `most`; empty if `value` is valid.
    public func errors(in value: JSONValue, most: Int = 1_000) -> [SchemaError] {
        var evaluation = Evaluation(self, document: value, collects: true, errorLimit: most)
        _ = evaluation.run(value)
        return evaluation.errors
    }

    /// How far `value` is from being valid, by WireMock's measure for near misses: violations per described property; 0
    /// if it is valid, 1 if the schema describes no property or could not be followed to its end. It may exceed 1.
    public func distance(of value: JSONValue) -> Double {
        var evaluation = Evaluation(self, document: value, collects: true)
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
    /// Older before newer.
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
