import SDJSON
import SDRegularExpressions

/// Compiles schemas into nodes, one per location. The schemas that a node refers to wait in a list, so neither depth
/// nor circles matter.
struct SchemaCompiler {
    var library: SchemaLibrary
    var problems: [SchemaProblem] = []
    private(set) var root = 0
    /// The nodes of the dynamic anchors, by resource.
    private(set) var dynamicAnchors: [[String: Int]] = []
    /// The root's node if that has `$recursiveAnchor`, by resource.
    private(set) var recursiveRoots: [Int?] = []

    private let formats: JSONSchema.Formats
    /// Whether a keyword with an invalid value is ignored, and nodes are compiled on demand; `waiting` then has the
    /// locations of all nodes.
    private let isLenient: Bool
    private var nodes: [SchemaNode?] = []
    private var numbers: [SchemaPlace: Int] = [:]
    private var waiting: [SchemaPlace] = []
    private var patterns: [String: SchemaPattern] = [:]
    /// The current document. Problems are reported only for the schema itself.
    private var currentDocument = 0

    /// The maximum number of nodes, including those of metaschemas. No ordinary schema has as many.
    private static let nodeLimit = 1_000_000

    /// The derived schemas of one with a discriminator, in OpenAPI documents.
    private(set) var heirs: (@Sendable (SchemaPlace) -> [(value: String, place: SchemaPlace)])?

    init(
        _ schema: JSONValue, draft: JSONSchema.Draft, formats: JSONSchema.Formats, documents: [String: JSONValue]
    ) throws(SchemaProblem) {
        library = try SchemaLibrary(schema, draft: draft, documents: documents)
        self.formats = formats
        isLenient = false
    }

    /// Makes a compiler for schemas anywhere in documents, for `compiledNode`.
    init(
        openAPI library: SchemaLibrary,
        heirs: @escaping @Sendable (SchemaPlace) -> [(value: String, place: SchemaPlace)]
    ) {
        self.library = library
        self.heirs = heirs
        formats = .asserted
        isLenient = true
    }

    /// The node for a number returned by `node(at:)`.
    mutating func compiledNode(_ number: Int) -> (node: SchemaNode, steps: Int) {
        if let node = nodes[number] { return (node, 0) }
        let place = waiting[number]
        var value = library.value(at: place)
        let steps = Self.steps(toCompile: value)
        while true {
            do throws(SchemaProblem) {
                try compile(place, value)
                break
            } catch {
                // The rest of the schema applies.
                let keyword = error.pointer.tokens.dropFirst(place.tokens.count)
                guard let first = keyword.first, case .object(var object) = value, object[first] != nil else {
                    nodes[number] = SchemaNode(resource: library.resource(of: place))
                    break
                }
                if first == "patternProperties", keyword.count > 1, var patterns = object[first]?.objectValue {
                    patterns[keyword[keyword.startIndex + 1]] = nil
                    object[first] = .object(patterns)
                } else {
                    object[first] = nil
                }
                value = .object(object)
            }
        }
        return (nodes[number] ?? SchemaNode(resource: 0), steps)
    }

    /// The approximate budget steps for compiling a schema without its subschemas.
    private static func steps(toCompile value: JSONValue?) -> Int {
        guard let members = value?.objectValue?.members else { return 50 }
        return members.reduce(100) { steps, member in
            switch member.value {
            case .object(let object): steps + 60 * object.count
            case .array(let elements): steps + 20 * elements.count
            default: steps + 20
            }
        }
    }

    /// The node of a resource's dynamic anchor; nil if there is none.
    mutating func dynamicAnchor(_ name: String, in resource: Int) -> Int? {
        library.resources[resource].dynamicAnchors[name].map { node(at: $0) }
    }

    /// Compiles the root and everything reachable from it.
    /// - Throws: the first error for which WireMock would reject the schema.
    mutating func run() throws(SchemaProblem) {
        root = node(at: SchemaPlace(document: 0, tokens: []))
        var anchored = 0
        repeat {
            while let place = waiting.popLast() {
                guard nodes.count <= Self.nodeLimit else {
                    throw SchemaProblem(pointer: JSONPointer(place.tokens), message: "The schema has too many parts")
                }
                try compile(place)
            }
            // A dynamic reference may lead to any anchor of any reachable resource.
            while anchored < library.resources.count {
                let resource = library.resources[anchored]
                dynamicAnchors.append(resource.dynamicAnchors.mapValues { node(at: $0) })
                recursiveRoots.append(resource.isRecursiveAnchor ? node(at: resource.place) : nil)
                anchored += 1
            }
        } while !waiting.isEmpty
    }

    var finishedNodes: [SchemaNode] { nodes.compactMap { $0 } }

    /// The number of nodes, compiled or not.
    var count: Int { nodes.count }

    /// The number of the node for the schema at `place`. A new node is compiled later.
    mutating func node(at place: SchemaPlace) -> Int {
        if let known = numbers[place] { return known }
        let number = nodes.count
        nodes.append(nil)
        numbers[place] = number
        waiting.append(place)
        return number
    }

    private mutating func compile(_ place: SchemaPlace) throws(SchemaProblem) {
        try compile(place, library.value(at: place))
    }

    private mutating func compile(_ place: SchemaPlace, _ value: JSONValue?) throws(SchemaProblem) {
        guard let number = numbers[place] else { return }
        currentDocument = place.document
        let resource = library.resource(of: place)
        var builder = NodeBuilder(place: place, resource: resource, dialect: library.resources[resource].dialect)
        switch value {
        case .bool(true): break
        case .bool(false) where builder.refusesBareFalse: builder.rules.append(.never)
        case .object(let object): try addRules(of: object, to: &builder)
        case let other:
            if place.tokens.last == "additionalProperties" { builder.rules.append(.never) }
            let found = other?.shortDescription ?? "nothing"
            note(builder.pointer, "Expected a schema (an object, true or false), found \(found); it is ignored")
        }
        var node = SchemaNode(resource: resource, rules: builder.rules)
        node.looksAtMarks = builder.rules.contains {
            switch $0 {
            case .unevaluatedItems, .unevaluatedProperties: true
            default: false
            }
        }
        nodes[number] = node
    }

    private mutating func addRules(of object: JSONObject, to builder: inout NodeBuilder) throws(SchemaProblem) {
        let dialect = builder.dialect
        // In OpenAPI, too, `$ref` stands alone; but authors mean the keywords beside it, and other tools respect them.
        if dialect.draft <= .v7, !dialect.isOpenAPI, object["$ref"] != nil {
            return addReferences(of: object, to: &builder)
        }
        if dialect.isOpenAPI { addDirections(of: object, to: &builder) }
        if dialect.hasValidation { try addAssertions(of: object, to: &builder) }
        try addFormat(of: object, to: &builder)
        addReferences(of: object, to: &builder)
        guard dialect.hasApplicators else { return }
        try addMemberRules(of: object, to: &builder)
        try addItemRules(of: object, to: &builder)
        try addCombinations(of: object, to: &builder)
        guard dialect.draft >= .v201909, dialect.hasUnevaluated else { return }
        if let items = object["unevaluatedItems"] {
            guard items.objectValue != nil || items.boolValue != nil else {
                throw problem("unevaluatedItems", "a schema", items, builder)
            }
            builder.rules.append(.unevaluatedItems(node(at: builder.place("unevaluatedItems"))))
        }
        if object["unevaluatedProperties"] != nil {
            builder.rules.append(.unevaluatedProperties(node(at: builder.place("unevaluatedProperties"))))
        }
    }

    private mutating func addReferences(of object: JSONObject, to builder: inout NodeBuilder) {
        if let reference = object["$ref"], !builder.dialect.isOpenAPI || reference.stringValue != nil {
            addReference(reference.stringValue ?? reference.compactText, to: &builder)
        }
        if builder.dialect.draft == .v202012, let reference = object["$dynamicRef"]?.stringValue {
            guard let (place, fragment) = library.target(of: reference, in: builder.resource) else {
                return addUnresolved("$dynamicRef", reference, to: &builder)
            }
            let target = node(at: place)
            let resource = library.resources[library.resource(of: place)]
            // The reference is dynamic only if it first resolves to a dynamic anchor.
            let isDynamic = resource.dynamicAnchors[fragment] == place
            builder.rules.append(isDynamic ? .dynamicReference(target, anchor: fragment) : .reference(target))
        }
        if builder.dialect.draft == .v201909, object["$recursiveRef"] != nil {
            let place = library.resources[builder.resource].place
            let isDynamic = library.resources[builder.resource].isRecursiveAnchor
            builder.rules.append(isDynamic ? .recursiveReference(node(at: place)) : .reference(node(at: place)))
        }
    }

    private mutating func addReference(_ reference: String, to builder: inout NodeBuilder) {
        guard let (place, _) = library.target(of: reference, in: builder.resource) else {
            return addUnresolved("$ref", reference, to: &builder)
        }
        builder.rules.append(.reference(node(at: place)))
    }

    private mutating func addUnresolved(_ keyword: String, _ reference: String, to builder: inout NodeBuilder) {
        note(
            builder.pointer.appending(keyword),
            "Expected a reference to a part of this schema, found "
                + "\(JSONValue.string(reference).shortDescription), which does not exist (nothing is fetched)")
        // Errors of an OpenAPI document are reported by its reader; nothing is known about the value.
        if !builder.dialect.isOpenAPI { builder.rules.append(.unresolved(reference)) }
    }

    // MARK: - Help for the keywords

    mutating func note(_ pointer: JSONPointer, _ message: String) {
        guard currentDocument == 0, !isLenient else { return }
        problems.append(SchemaProblem(pointer: pointer, message: message))
    }

    mutating func pattern(_ source: String, at pointer: JSONPointer) throws(SchemaProblem) -> SchemaPattern {
        if let known = patterns[source] { return known }
        do throws(RegexProblem) {
            let pattern = try SchemaPattern(source)
            patterns[source] = pattern
            return pattern
        } catch {
            throw SchemaProblem(pointer: pointer, message: "Expected a regular expression: \(error)")
        }
    }

    func assertsFormat(in dialect: Dialect) -> Bool {
        switch formats {
        case .byDraft: dialect.draft <= .v7 || dialect.assertsFormat
        case .asserted: true
        case .ignored: false
        }
    }
}

/// A node while its keywords are compiled.
struct NodeBuilder {
    let place: SchemaPlace
    let resource: Int
    let dialect: Dialect
    var rules: [SchemaRule] = []

    /// Whether the schema `false` is rejected: draft 4 has only two keywords that accept it.
    var refusesBareFalse: Bool {
        dialect.draft >= .v6 || place.tokens.last == "additionalProperties" || place.tokens.last == "additionalItems"
    }

    var pointer: JSONPointer { JSONPointer(place.tokens) }

    /// The location of a subschema.
    func place(_ tokens: String...) -> SchemaPlace {
        SchemaPlace(document: place.document, tokens: place.tokens + tokens)
    }
}
