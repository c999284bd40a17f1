import SDJSON
import SDOpenAPI

/// What some schemas say together, with all that they include by `allOf` and references: what a value that is valid
/// against each of them looks like. Alternatives stay open until somebody decides them.
struct Shape {
    /// What is said about objects in one place. Names that stand in it are no additional ones, those of other places
    /// are.
    struct ObjectPart {
        private(set) var properties: [(name: String, schema: APISchema)] = []
        /// The places of the names.
        private var indices: [String: Int] = [:]
        var patterns: [(pattern: String, schema: APISchema)] = []
        var additional: APISchema?

        /// Adds a property, whose name is new.
        mutating func add(_ name: String, _ schema: APISchema) {
            indices[name] = properties.count
            properties.append((name, schema))
        }

        /// The schema of a property by its name.
        func property(_ name: String) -> APISchema? { indices[name].map { properties[$0].schema } }
    }

    /// What is said about lists in one place.
    struct ListPart {
        var prefix: [APISchema] = []
        var items: APISchema?
    }

    /// Items that a list must have, whatever the others are.
    struct Containment {
        var schema: APISchema
        var least: Int
    }

    /// A number that others must not be below or above.
    struct Bound {
        var value: JSONDecimal
        var isExclusive: Bool
    }

    /// Alternatives of which one is taken.
    struct Choice {
        var branches: [Branch]
        var place: DocumentSet.Place
        /// Whether a value by one of them must satisfy no other.
        var isExclusive = false

        /// The schemas that a value by a branch must not satisfy.
        func excluded(by branch: Branch) -> [APISchema] {
            guard isExclusive else { return branch.excluded }
            let own = branch.schemas[0].place
            return branches.compactMap { $0.schemas[0].place == own ? nil : $0.schemas[0] }
        }
    }

    /// An alternative.
    struct Branch {
        /// The schemas that a value is to satisfy.
        var schemas: [APISchema]
        /// The schemas that it must not satisfy.
        var excluded: [APISchema] = []
        /// The value of a discriminator.
        var mark: (name: String, value: String)?
    }

    var types = ValueTypes.all
    /// The types in the order of the first schema that lists some.
    var listedTypes: [ValueTypes] = []
    /// The values that are allowed, if they are listed.
    var fixed: [JSONValue]?

    var lower: Bound?
    var upper: Bound?
    var divisors: [JSONDecimal] = []

    var leastLength = 0
    var mostLength: Int?
    var patterns: [String] = []
    var format: String?
    /// How a text stands for something else, such as `base64`.
    var contentEncoding: String?
    var contentType: String?
    /// The schema of what a text holds.
    var contentSchema: APISchema?

    var objects: [ObjectPart] = []
    private(set) var required: [String] = []
    private var requiredNames: Set<String> = []
    var leastProperties = 0
    var mostProperties: Int?
    var nameSchemas: [APISchema] = []
    /// Names of members that are left out.
    var excludedNames: Set<String> = []
    var dependentNames: [(name: String, needs: [String])] = []
    var dependentSchemas: [(name: String, schema: APISchema)] = []
    /// The values that discriminators ask for, by the names of their properties.
    var marks: [String: String] = [:]

    var lists: [ListPart] = []
    var leastItems = 0
    var mostItems: Int?
    var isUnique = false
    /// Whether items that no schema speaks of are not allowed.
    var endsWithPrefix = false
    var contained: [Containment] = []

    var choices: [Choice] = []
    var excluded: [APISchema] = []

    /// The schemas that it was made of, without what they include.
    var sources: [APISchema] = []
    /// Where they stand once references are followed.
    var identities: [DocumentSet.Place] = []
    /// Values that the schemas show: examples, and then defaults.
    var shown: [JSONValue] = []
    var isReadOnly = false
    var isWriteOnly = false
    /// How it is written as XML.
    var xml: JSONObject?
    /// The name of the component that the first reference leads to.
    var name: String?
    /// Why nothing is valid; nil if something may be.
    var contradiction: (reason: String, place: DocumentSet.Place)?

    /// The schemas among them that have anchors for dynamic references.
    var anchored: [APISchema] = []
    /// The places that it includes.
    var places: Set<DocumentSet.Place> = []

    /// The names of the properties that are described, in their order.
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

    /// Whether the schemas speak of objects.
    var describesObjects: Bool { !objects.isEmpty || !required.isEmpty || leastProperties > 0 }

    /// Whether they are of objects, and say nothing of what is in them.
    var isFree: Bool {
        types == .object && objects.isEmpty && required.isEmpty && excluded.isEmpty && nameSchemas.isEmpty
            && dependentNames.isEmpty && dependentSchemas.isEmpty
    }

    /// Whether the schemas speak of lists.
    var describesLists: Bool { !lists.isEmpty || !contained.isEmpty || leastItems > 0 }

    /// Whether the schemas speak of texts.
    var describesTexts: Bool { leastLength > 0 || mostLength != nil || !patterns.isEmpty }

    /// Whether the schemas speak of numbers.
    var describesNumbers: Bool { lower != nil || upper != nil || !divisors.isEmpty }

    /// Fails because the budget is spent.
    mutating func failForWork(at place: DocumentSet.Place) {
        fail("Reading the schema takes more work than a request may cause", at: place)
    }

    mutating func fail(_ reason: String, at place: DocumentSet.Place) {
        if contradiction == nil { contradiction = (reason, place) }
    }
}
