public import SDJSON

extension DocumentSet {
    /// A schema that includes a base by `allOf`, or is in the mapping of the base's discriminator.
    public struct DerivedSchema: Sendable, Hashable {
        /// The discriminator value.
        public var value: String
        /// The location of the schema.
        public var place: Place
    }

    /// The discriminator property of a base schema; nil for a schema that is not a base, or lists alternatives itself.
    public static func baseProperty(of schema: JSONObject) -> String? {
        guard let discriminator = schema["discriminator"], schema["oneOf"] == nil, schema["anyOf"] == nil else {
            return nil
        }
        // Before 3.0, the discriminator was only the name.
        return discriminator.stringValue ?? discriminator["propertyName"]?.stringValue
    }
}

/// Finds the heirs of base schemas.
struct DerivedSchemaSearch {
    /// The maximum number of heirs of all bases.
    private static let most = 20_000

    private let documents: DocumentSet
    /// The locations of the schemas that include a schema, by its location.
    private var children: [DocumentSet.Place: [DocumentSet.Place]] = [:]

    /// - Parameter descents: the schemas with references in `allOf`, and these references.
    init(_ documents: DocumentSet, _ descents: [(place: DocumentSet.Place, references: [String])]) {
        self.documents = documents
        for (place, references) in descents {
            for reference in references {
                guard let target = documents.resolve(reference, from: place),
                    let end = documents.target(of: target)?.place, end != place
                else { continue }
                children[end, default: []].append(place)
            }
        }
    }

    /// The heirs of all bases; those in a mapping first.
    func heirs(of bases: [DocumentSet.Place]) -> [DocumentSet.Place: [DocumentSet.DerivedSchema]] {
        var left = Self.most
        var all: [DocumentSet.Place: [DocumentSet.DerivedSchema]] = [:]
        for base in bases where left > 0 {
            let heirs = heirs(of: base, most: left)
            left -= heirs.count
            if !heirs.isEmpty { all[base] = heirs }
        }
        return all
    }

    private func heirs(of base: DocumentSet.Place, most: Int) -> [DocumentSet.DerivedSchema] {
        guard let schema = documents.value(at: base)?.objectValue,
            let property = DocumentSet.baseProperty(of: schema)
        else { return [] }
        var heirs: [DocumentSet.DerivedSchema] = []
        var taken: Set<String> = []
        var named: Set<DocumentSet.Place> = [base]
        for member in schema["discriminator"]?["mapping"]?.objectValue?.members ?? [] {
            guard let text = member.value.stringValue, let place = place(named: text, in: base) else { continue }
            taken.insert(member.key)
            named.insert(place)
            if place != base, heirs.count < most {
                heirs.append(DocumentSet.DerivedSchema(value: member.key, place: place))
            }
        }
        var claims: [DocumentSet.DerivedSchema] = []
        var seen: Set<DocumentSet.Place> = [base]
        var waiting = (children[base] ?? []).reversed().map { $0 }
        while let place = waiting.popLast(), heirs.count + claims.count < most {
            guard seen.insert(place).inserted else { continue }
            waiting += (children[place] ?? []).reversed()
            guard !named.contains(place) else { continue }
            let values = values(of: property, at: place)
            claims += values.map { DocumentSet.DerivedSchema(value: $0, place: place) }
        }
        // A value shared by several heirs is ambiguous.
        var counts: [String: Int] = [:]
        for claim in claims { counts[claim.value, default: 0] += 1 }
        heirs += claims.filter { counts[$0.value] == 1 && !taken.contains($0.value) }
        // Values that the base does not allow are not used.
        let allowed = Set(Self.listedValues(of: property, in: .object(schema)))
        return allowed.isEmpty ? heirs : heirs.filter { allowed.contains($0.value) }
    }

    /// The schema for a mapping's value: a component's name, or a reference.
    private func place(named text: String, in base: DocumentSet.Place) -> DocumentSet.Place? {
        let references =
            text.utf8.contains { [0x23, 0x2F].contains($0) }
            ? [text] : ["#/components/schemas/\(text)", "#/definitions/\(text)", text]
        for reference in references {
            guard let place = documents.resolve(reference, from: base) else { continue }
            return documents.target(of: place)?.place
        }
        return nil
    }

    /// The values that a schema lists for a property; the schema's name if there are none.
    private func values(of property: String, at place: DocumentSet.Place) -> [String] {
        let tokens = place.pointer.tokens
        let name: String? =
            tokens.count >= 2 && ["schemas", "definitions", "$defs"].contains(tokens[tokens.count - 2])
            ? tokens.last : nil
        guard let schema = documents.value(at: place) else { return [] }
        for part in [schema] + (schema["allOf"]?.arrayValue ?? []).prefix(16) {
            let listed = Self.listedValues(of: property, in: part)
            if !listed.isEmpty { return listed }
        }
        return name.map { [$0] } ?? []
    }

    private static func listedValues(of property: String, in schema: JSONValue) -> [String] {
        guard let member = schema["properties"]?[property] else { return [] }
        if let constant = member["const"]?.stringValue { return [constant] }
        return (member["enum"]?.arrayValue ?? []).compactMap(\.stringValue)
    }
}
