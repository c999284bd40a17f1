import SDJSON
import SDOpenAPI

/// The combined requirements of several schemas, including their `allOf` and references: the structure of a value that
/// satisfies all of them. Alternatives stay undecided.
struct Shape {
    /// The requirements on objects from one schema. Names in it are not additional properties; names in other schemas
    /// are.
    struct ObjectPart {
        private(set) var properties: [(name: String, schema: APISchema)] = []
        /// The indices by name.
        private var indices: [String: Int] = [:]
        var patterns: [(pattern: String, schema: APISchema)] = []
        var additional: APISchema?

        /// Adds a property with a new name.
        mutating func add(_ name: String, _ schema: APISchema) {
            indices[name] = properties.count
            properties.append((name, schema))
        }

        /// The schema of a property.
        func property(_ name: String) -> APISchema? { indices[name].map { properties[$0].schema } }
    }

    /// The requirements on lists from one schema.
    struct ListPart {
        var prefix: [APISchema] = []
        var items: APISchema?
    }

    /// Items that a list must contain, whatever the others are.
    struct Containment {
        var schema: APISchema
        var least: Int
    }

    /// A bound for numbers.
    struct Bound {
        var value: JSONDecimal
        var isExclusive: Bool
    }

    /// Alternatives, of which one is chosen.
    struct Choice {
        var branches: [Branch]
        var place: DocumentSet.Place
        /// Whether a value must satisfy no other alternative.
        var isExclusive = false

        /// The schemas that a value of a branch must not satisfy.
        func excluded(by branch: Branch) -> [APISchema] {
            guard isExclusive else { return branch.excluded }
            let own = branch.schemas[0].place
            return branches.compactMap { $0.schemas[0].place == own ? nil : $0.schemas[0] }
        }
    }

    /// An alternative.
    struct Branch {
        /// The schemas that the value must satisfy.
        var schemas: [APISchema]
        /// The schemas that the value must not satisfy.
        var excluded: [APISchema] = []
        /// The name and value of a discriminator.
        var mark: (name: String, value: String)?
    }

    var types = ValueTypes.all
    /// The types in the order of the first schema that lists any.
    var listedTypes: [ValueTypes] = []
    /// The allowed values, if they are listed.
    var fixed: [JSONValue]?

    var lower: Bound?
    var upper: Bound?
    var divisors: [JSONDecimal] = []

    var minLength = 0
    var maxLength: Int?
    var patterns: [String] = []
    var format: String?
    /// The encoding of a text, such as `base64`.
    var contentEncoding: String?
    var contentType: String?
    /// The schema of a text's content.
    var contentSchema: APISchema?

    var objects: [ObjectPart] = []
    private(set) var required: [String] = []
    private var requiredNames: Set<String> = []
    var minProperties = 0
    var maxProperties: Int?
    var nameSchemas: [APISchema] = []
    /// The names of members to omit.
    var excludedNames: Set<String> = []
    var dependentNames: [(name: String, needs: [String])] = []
    var dependentSchemas: [(name: String, schema: APISchema)] = []
    /// The values required by discriminators, by property name.
    var marks: [String: String] = [:]

    var lists: [ListPart] = []
    var minItems = 0
    var maxItems: Int?
    var isUnique = false
    /// Whether items without a schema are forbidden.
    var endsWithPrefix = false
    var contained: [Containment] = []

    var choices: [Choice] = []
    var excluded: [APISchema] = []

    /// The schemas from which it was made, without those that they include.
    var sources: [APISchema] = []
    /// Their locations after following references.
    var identities: [DocumentSet.Place] = []
    /// Values shown by the schemas: examples, then defaults.
    var shown: [JSONValue] = []
    var isReadOnly = false
    var isWriteOnly = false
    /// The XML serialisation.
    var xml: JSONObject?
    /// The name of the component that the first reference leads to.
    var name: String?
    /// Why no value is valid; nil if one may be.
    var contradiction: (reason: String, place: DocumentSet.Place)?

    /// The schemas among them with dynamic anchors.
    var anchored: [APISchema] = []
    /// The locations of all included schemas.
    var places: Set<DocumentSet.Place> = []

    /// The names of the described properties, in order.
    var describedNames: [String] {
        var names: [String] = []
        var known: Set<String> = []
        for part in objects {
            for property in part.properties where known.insert(property.name).inserted { names.append(property.name) }
        }
        for name in required where known.insert(name).inserted { names.append(name) }
        return names
    }

    /// Requires a property.
    mutating func require(_ name: String) {
        if requiredNames.insert(name).inserted { required.append(name) }
    }

    func requires(_ name: String) -> Bool { requiredNames.contains(name) }

    /// Whether the schemas describe objects.
    var describesObjects: Bool { !objects.isEmpty || !required.isEmpty || minProperties > 0 }

    /// Whether the schemas allow objects without describing any members.
    var isFree: Bool {
        types == .object && objects.isEmpty && required.isEmpty && excluded.isEmpty && nameSchemas.isEmpty
            && dependentNames.isEmpty && dependentSchemas.isEmpty
    }

    /// Whether the schemas describe lists.
    var describesLists: Bool { !lists.isEmpty || !contained.isEmpty || minItems > 0 }

    /// Whether the schemas describe texts.
    var describesTexts: Bool { minLength > 0 || maxLength != nil || !patterns.isEmpty }

    /// Whether the schemas describe numbers.
    var describesNumbers: Bool { lower != nil || upper != nil || !divisors.isEmpty }

    /// Fails because the budget is exhausted.
    mutating func failForWork(at place: DocumentSet.Place) {
        fail("Reading the schema takes more work than a request may cause", at: place)
    }

    mutating func fail(_ reason: String, at place: DocumentSet.Place) {
        if contradiction == nil { contradiction = (reason, place) }
    }
}
