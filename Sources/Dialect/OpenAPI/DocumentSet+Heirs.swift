public import SDJSON

extension DocumentSet {
    /// A schema that includes a base by `allOf`, or that the discriminator of the base names.
    public struct Heir: Sendable, Hashable {
        /// The value of the discriminator's property.
        public var value: String
        /// The place of the schema.
        public var place: Place
    }

    /// The property that tells the heirs of a schema apart; nil for one that is no base, or lists alternatives itself.
    public static func baseProperty(of schema: JSONObject) -> String? {
        guard let discriminator = schema["discriminator"], schema["oneOf"] == nil, schema["anyOf"] == nil else {
            return nil
        }
        // Before 3.0 it was the name alone.
        return discriminator.stringValue ?? discriminator["propertyName"]?.stringValue
    }
}

/// Finds which schemas include others.
struct HeirSearch {
    /// The most heirs of all bases.
    private static let most = 20_000

    private let documents: DocumentSet
    /// The schemas that include a schema, by its place.
    private var children: [DocumentSet.Place: [DocumentSet.Place]] = [:]

    /// - Parameter descents: the schemas that have references in `allOf`, and these.
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

    /// The heirs of all bases, those that a mapping names first.
    func heirs(of bases: [DocumentSet.Place]) -> [DocumentSet.Place: [DocumentSet.Heir]] {
        var left = Self.most
        var all: [DocumentSet.Place: [DocumentSet.Heir]] = [:]
        for base in bases where left > 0 {
            let heirs = heirs(of: base, most: left)
            left -= heirs.count
            if !heirs.isEmpty { all[base] = heirs }
        }
        return all
    }

    private func heirs(of base: DocumentSet.Place, most: Int) -> [DocumentSet.Heir] {
        guard let schema = documents.value(at: base)?.objectValue,
            let property = DocumentSet.baseProperty(of: schema)
        else { return [] }
        var heirs: [DocumentSet.Heir] = []
        var taken: Set<String> = []
        var named: Set<DocumentSet.Place> = [base]
        for member in schema["discriminator"]?["mapping"]?.objectValue?.members ?? [] {
            guard let text = member.value.stringValue, let place = place(named: text, in: base) else { continue }
            taken.insert(member.key)
            named.insert(place)
            if place != base, heirs.count < most { heirs.append(DocumentSet.Heir(value: member.key, place: place)) }
        }
        var claims: [DocumentSet.Heir] = []
        var seen: Set<DocumentSet.Place> = [base]
        var waiting = (children[base] ?? []).reversed().map { $0 }
        while let place = waiting.popLast(), heirs.count + claims.count < most {
            guard seen.insert(place).inserted else { continue }
            waiting += (children[place] ?? []).reversed()
            guard !named.contains(place) else { continue }
            let values = values(of: property, at: place)
            claims += values.map { DocumentSet.Heir(value: $0, place: place) }
        }
        // A value that several have tells nothing.
        var counts: [String: Int] = [:]
        for claim in claims { counts[claim.value, default: 0] += 1 }
        heirs += claims.filter { counts[$0.value] == 1 && !taken.contains($0.value) }
        // What the base does not allow is nobody's value.
        let allowed = Set(Self.listedValues(of: property, in: .object(schema)))
        return allowed.isEmpty ? heirs : heirs.filter { allowed.contains($0.value) }
    }

    /// The schema that a mapping names: by the name of a component, or a reference.
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

    /// The values that a schema itself lists for a property; its name, if it lists none.
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
