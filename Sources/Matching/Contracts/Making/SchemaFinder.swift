import SDJSON
import SDOpenAPI

/// Resolves references in schemas.
struct SchemaFinder {
    let description: APIDescription

    /// Whether schemas are of 3.1 or later, where keywords beside a reference count.
    var isOfToday: Bool { description.version == .v31 || description.version == .v32 }

    /// The target of a reference, without following the target's own references; nil if there is none.
    func target(of reference: String, in schema: APISchema) -> APISchema? {
        description.documents.resolve(reference, from: schema.place).flatMap(self.schema)
    }

    /// The schema at the end of a chain of bare references.
    func end(of schema: APISchema) -> APISchema {
        guard schema.json["$ref"] != nil, let target = description.documents.target(of: schema.place) else {
            return schema
        }
        return APISchema(place: target.place, json: target.value)
    }

    private func schema(at place: DocumentSet.Place) -> APISchema? {
        description.documents.value(at: place).map { APISchema(place: place, json: $0) }
    }

    /// The schemas derived from one with a discriminator, by the value of its property.
    func heirs(of schema: APISchema) -> [(value: String, schema: APISchema)] {
        (description.documents.heirs[schema.place] ?? []).compactMap { heir in
            self.schema(at: heir.place).map { (heir.value, $0) }
        }
    }

    /// The target of a dynamic reference: the outermost schema with its anchor, if the reference resolves to a dynamic
    /// anchor at all.
    /// - Parameter scope: the enclosing schemas with such anchors, outermost first.
    func dynamicTarget(of reference: String, in schema: APISchema, scope: [APISchema]) -> APISchema? {
        let still = target(of: reference, in: schema)
        let name = String(reference.drop { $0 != "#" }.dropFirst())
        if let still, still.json["$dynamicAnchor"]?.stringValue != name { return still }
        for outer in scope {
            if outer.json["$dynamicAnchor"]?.stringValue == name { return outer }
            for member in outer.json["$defs"]?.objectValue?.members ?? []
            where member.value["$dynamicAnchor"]?.stringValue == name {
                return outer.part(member.value, "$defs", member.key)
            }
        }
        return still
    }

    /// Whether a schema contains dynamic anchors.
    static func hasDynamicAnchors(_ schema: JSONObject) -> Bool {
        schema["$dynamicAnchor"] != nil
            || schema["$defs"]?.objectValue?.members.contains { $0.value["$dynamicAnchor"] != nil } == true
    }

    /// The schema of a component.
    func component(named name: String, in schema: APISchema) -> APISchema? {
        for tokens in [["components", "schemas", name], ["definitions", name]] {
            let place = DocumentSet.Place(document: schema.place.document, pointer: JSONPointer(tokens))
            if let found = self.schema(at: place) { return found }
        }
        return nil
    }

    /// The name of a schema that is a component, or a document of its own.
    func name(of schema: APISchema) -> String? {
        let tokens = schema.place.pointer.tokens
        if tokens.isEmpty {
            let name = description.documents.documents[schema.place.document].name
            return name.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        }
        guard tokens.count >= 2, ["schemas", "definitions", "$defs"].contains(tokens[tokens.count - 2]) else {
            return nil
        }
        return tokens.last
    }
}
