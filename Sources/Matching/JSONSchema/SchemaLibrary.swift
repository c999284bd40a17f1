import SDJSON

/// The keywords that apply: a draft, and the vocabularies selected by a custom metaschema.
struct Dialect: Hashable {
    var draft: JSONSchema.Draft
    var hasApplicators = true
    var hasUnevaluated = true
    var hasValidation = true
    var assertsFormat = false
    /// Whether the schemas are an OpenAPI document's, which have additional keywords.
    var isOpenAPI = false
    /// The keyword that makes `type` accept null; nil if there is none.
    var nullableKeyword: String? = "nullable"
    /// Whether that keyword also applies to `enum`.
    var nullableCountsForEnum = true

    init(_ draft: JSONSchema.Draft) {
        self.draft = draft
    }

    /// The name of the keyword that gives a schema its URI.
    var idKeyword: String { draft == .v4 ? "id" : "$id" }
}

/// A location in one of the documents.
struct SchemaPlace: Hashable {
    var document: Int
    var tokens: [String]
}

/// A schema with its own URI: a document's root, or a part with `$id`.
struct SchemaResource {
    var place: SchemaPlace
    var uri: String
    var dialect: Dialect
    var anchors: [String: SchemaPlace] = [:]
    var dynamicAnchors: [String: SchemaPlace] = [:]
    var isRecursiveAnchor = false
}

/// All reachable schema documents, and the names by which their parts can be referred to.
struct SchemaLibrary {
    private(set) var documents: [JSONValue] = []
    private(set) var resources: [SchemaResource] = []
    let rootDraft: JSONSchema.Draft

    private var resourceByURI: [String: Int] = [:]
    private var resourceByPlace: [SchemaPlace: Int] = [:]
    private let further: [String: JSONValue]
    private let elsewhere: (@Sendable (String, Int) -> SchemaPlace?)?
    /// Whether every resource is a whole document, with the same number.
    private var hasOnlyWholeDocuments = false

    /// Documents with schemas anywhere; their names are their URIs.
    /// - Parameter elsewhere: resolves references that are not names of the schemas themselves.
    init(
        openAPI documents: [(name: String, json: JSONValue)], _ dialect: Dialect,
        elsewhere: (@Sendable (String, Int) -> SchemaPlace?)?
    ) {
        self.elsewhere = elsewhere
        rootDraft = dialect.draft
        further = [:]
        for (name, json) in documents {
            let place = SchemaPlace(document: self.documents.count, tokens: [])
            self.documents.append(json)
            _ = enter(place, uri: name, dialect)
            if let alias = json["$self"]?.stringValue, resourceByURI[alias] == nil {
                resourceByURI[alias] = resourceByPlace[place]
            }
        }
        if dialect.draft >= .v201909 {
            for number in self.documents.indices { identifyAll(in: number) }
        }
        hasOnlyWholeDocuments = resources.count == self.documents.count
    }

    init(
        _ schema: JSONValue, draft: JSONSchema.Draft, documents: [String: JSONValue]
    ) throws(SchemaProblem) {
        var further: [String: JSONValue] = [:]
        for (uri, document) in documents { further[SchemaURI.split(uri).document] = document }
        self.further = further
        elsewhere = nil
        var dialect = Dialect(draft)
        if let stated = schema["$schema"] {
            guard let name = stated.stringValue, let known = Self.dialect(named: name, further, depth: 0) else {
                let names = JSONSchema.Draft.allCases.map(\.metaschemaURI).joined(separator: ", ")
                throw SchemaProblem(
                    pointer: JSONPointer(["$schema"]),
                    message: "Expected one of \(names), found \(stated.shortDescription)")
            }
            dialect = known
        }
        rootDraft = dialect.draft
        add(schema, uri: "", dialect)
    }

    // MARK: - Finding

    func value(at place: SchemaPlace) -> JSONValue? {
        documents[place.document][JSONPointer(place.tokens)]
    }

    /// The resource of a location: the nearest one at or above it.
    func resource(of place: SchemaPlace) -> Int {
        if hasOnlyWholeDocuments { return place.document }
        var place = place
        while true {
            if let found = resourceByPlace[place] { return found }
            if place.tokens.popLast() == nil { return 0 }
        }
    }

    /// The target of a reference within `resource`; nil if there is none.
    mutating func target(of reference: String, in resource: Int) -> (place: SchemaPlace, fragment: String)? {
        if let found = ownTarget(of: reference, in: resource) { return found }
        guard let elsewhere, let place = elsewhere(reference, resources[resource].place.document),
            value(at: place) != nil
        else { return nil }
        return (place, SchemaURI.unescaped(SchemaURI.split(reference).fragment ?? ""))
    }

    private mutating func ownTarget(of reference: String, in resource: Int) -> (place: SchemaPlace, fragment: String)? {
        let (uri, fragment) = SchemaURI.split(SchemaURI.resolve(reference, against: resources[resource].uri))
        let name = SchemaURI.unescaped(fragment ?? "")
        guard let found = self.resource(named: uri) else { return nil }
        let start = resources[found].place
        if name.isEmpty { return (start, name) }
        if name.hasPrefix("/") {
            guard let pointer = JSONPointer(text: name) else { return nil }
            let place = SchemaPlace(document: start.document, tokens: start.tokens + pointer.tokens)
            return value(at: place) == nil ? nil : (place, name)
        }
        return resources[found].anchors[name].map { ($0, name) }
    }

    private mutating func resource(named uri: String) -> Int? {
        if let known = resourceByURI[uri] { return known }
        if let document = further[uri] {
            let named = document["$schema"]?.stringValue
            let dialect = named.flatMap { Self.dialect(named: $0, further, depth: 0) } ?? Dialect(rootDraft)
            add(document, uri: uri, dialect)
        } else if let (document, draft) = Metaschemas.document(named: uri) {
            add(document, uri: uri, Dialect(draft))
        }
        return resourceByURI[uri]
    }

    /// The dialect that a `$schema` names: a draft, or a metaschema among the further documents with its vocabularies.
    private static func dialect(named name: String, _ further: [String: JSONValue], depth: Int) -> Dialect? {
        if let draft = JSONSchema.Draft(metaschema: name) { return Dialect(draft) }
        guard depth < 8, let metaschema = further[SchemaURI.split(name).document],
            let base = metaschema["$schema"]?.stringValue,
            var dialect = dialect(named: base, further, depth: depth + 1)
        else { return nil }
        if let vocabularies = metaschema["$vocabulary"]?.objectValue, dialect.draft >= .v201909 {
            let names = vocabularies.keys.compactMap { $0.split(separator: "/").last }
            dialect.hasApplicators = names.contains("applicator")
            dialect.hasUnevaluated = names.contains("unevaluated") || dialect.draft == .v201909
            dialect.hasValidation = names.contains("validation")
            dialect.assertsFormat = names.contains("format-assertion")
        }
        return dialect
    }

    // MARK: - Adding

    /// Adds a document with the identifiers and anchors of all schemas in it, by the keywords of its draft.
    private mutating func add(_ document: JSONValue, uri: String, _ dialect: Dialect) {
        let root = SchemaPlace(document: documents.count, tokens: [])
        documents.append(document)
        let rootResource = enter(root, uri: uri, dialect)
        var waiting = [(place: root, value: document, resource: rootResource)]
        while let (place, value, outer) = waiting.popLast() {
            guard let object = value.objectValue else { continue }
            let resource = identify(object, place, outer)
            for (tokens, child) in Keyword.subschemas(of: object, resources[resource].dialect.draft) {
                waiting.append((SchemaPlace(document: place.document, tokens: place.tokens + tokens), child, resource))
            }
        }
    }

    /// Finds the named schemas in a document with schemas anywhere.
    private mutating func identifyAll(in number: Int) {
        let root = SchemaPlace(document: number, tokens: [])
        var waiting = [(place: root, value: documents[number], resource: number)]
        while let (place, value, outer) = waiting.popLast() {
            switch value {
            case .object(let object):
                var resource = outer
                if !place.tokens.isEmpty,
                    object["$id"] != nil || object["$anchor"] != nil || object["$dynamicAnchor"] != nil
                        || object["$schema"]?.stringValue != nil
                {
                    resource = identify(object, place, outer)
                }
                for member in object.members where Self.mayContainSchemas(member) {
                    waiting.append(
                        (SchemaPlace(document: number, tokens: place.tokens + [member.key]), member.value, resource))
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() where element.objectValue != nil {
                    waiting.append(
                        (SchemaPlace(document: number, tokens: place.tokens + [String(index)]), element, outer))
                }
            default: break
            }
        }
    }

    private static func mayContainSchemas(_ member: JSONObject.Member) -> Bool {
        switch member.value {
        case .object, .array: break
        default: return false
        }
        switch member.key {
        case "example", "examples", "default", "enum", "const", "required", "tags": return false
        default: return true
        }
    }

    private mutating func enter(_ place: SchemaPlace, uri: String, _ dialect: Dialect) -> Int {
        let number = resources.count
        resources.append(SchemaResource(place: place, uri: uri, dialect: dialect))
        resourceByPlace[place] = number
        if resourceByURI[uri] == nil { resourceByURI[uri] = number }
        return number
    }

    /// Registers the names of `object` and returns the resource to which it belongs.
    private mutating func identify(_ object: JSONObject, _ place: SchemaPlace, _ outer: Int) -> Int {
        var resource = outer
        var dialect = resources[outer].dialect
        if !place.tokens.isEmpty, let name = object["$schema"]?.stringValue,
            let own = Self.dialect(named: name, further, depth: 0)
        {
            dialect = own
            if resources[outer].dialect.isOpenAPI {
                // In an OpenAPI document any schema may name its dialect; references are still relative to the
                // document.
                dialect.isOpenAPI = true
                dialect.nullableKeyword = resources[outer].dialect.nullableKeyword
                resource = object["$id"] == nil ? enter(place, uri: resources[outer].uri, dialect) : outer
            }
        }
        // Up to draft 7, `$ref` hides the keywords beside it.
        if dialect.draft <= .v7, object["$ref"]?.stringValue != nil { return outer }
        if let id = object[dialect.idKeyword]?.stringValue {
            let (document, fragment) = SchemaURI.split(id)
            if document.isEmpty, let fragment, !fragment.isEmpty {
                if dialect.draft <= .v7 { resources[outer].anchors[fragment] = place }
            } else {
                let uri = SchemaURI.split(SchemaURI.resolve(document, against: resources[outer].uri)).document
                if place == resources[outer].place {
                    // A document's root has its own name in addition to the one by which it was found.
                    resources[outer].uri = uri
                    if resourceByURI[uri] == nil { resourceByURI[uri] = outer }
                } else {
                    resource = enter(place, uri: uri, dialect)
                }
                if dialect.draft <= .v7, let fragment, !fragment.isEmpty {
                    resources[resource].anchors[fragment] = place
                }
            }
        }
        guard dialect.draft >= .v201909 else { return resource }
        if let anchor = object["$anchor"]?.stringValue { resources[resource].anchors[anchor] = place }
        if dialect.draft == .v202012, let anchor = object["$dynamicAnchor"]?.stringValue {
            resources[resource].anchors[anchor] = place
            resources[resource].dynamicAnchors[anchor] = place
        }
        if dialect.draft == .v201909, place == resources[resource].place {
            resources[resource].isRecursiveAnchor = object["$recursiveAnchor"]?.boolValue == true
        }
        return resource
    }
}

extension JSONSchema.Draft {
    /// The URI with which `$schema` names the draft.
    var metaschemaURI: String {
        switch self {
        case .v4: "http://json-schema.org/draft-04/schema#"
        case .v6: "http://json-schema.org/draft-06/schema#"
        case .v7: "http://json-schema.org/draft-07/schema#"
        case .v201909: "https://json-schema.org/draft/2019-09/schema"
        case .v202012: "https://json-schema.org/draft/2020-12/schema"
        }
    }

    /// The draft of a URI with or without a final `#`, of either scheme.
    public init?(metaschema uri: String) {
        func bare(_ uri: String) -> Substring {
            let name = uri.hasSuffix("#") ? uri.dropLast() : uri[...]
            return name.hasPrefix("https://") ? name.dropFirst(8) : name.hasPrefix("http://") ? name.dropFirst(7) : name
        }
        guard let draft = Self.allCases.first(where: { bare($0.metaschemaURI) == bare(uri) }) else { return nil }
        self = draft
    }
}
