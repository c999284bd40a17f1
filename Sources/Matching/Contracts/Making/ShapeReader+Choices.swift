import SDJSON
import SDOpenAPI

extension ShapeReader {
    /// Adds undecided parts: alternatives, conditions and exclusions.
    func addChoices(_ object: JSONObject, _ schema: APISchema, to shape: inout Shape) {
        let marks = Discriminator(object, schema, schemas)
        for keyword in ["oneOf", "anyOf"] {
            guard let list = object[keyword]?.arrayValue, !list.isEmpty else { continue }
            let marked = Self.product(list.count, marks?.mapping.count ?? 0)
            guard draws(50 * list.count + marked) else { return shape.failForWork(at: schema.place) }
            let branches = list.enumerated().map { index, element in
                let part = schema.part(element, keyword, String(index))
                return Shape.Branch(schemas: [part], mark: marks?.mark(of: part, schemas))
            }
            // Null alone is the last alternative.
            let (others, nulls) = (branches.filter { !$0.isNull }, branches.filter(\.isNull))
            shape.choices.append(
                Shape.Choice(
                    branches: others + nulls, place: schema.place,
                    // A discriminator decides, however the others look.
                    isExclusive: keyword == "oneOf" && !branches.allSatisfy { $0.mark != nil }))
        }
        if let marks, object["oneOf"] == nil, object["anyOf"] == nil { addHeirs(marks, schema, to: &shape) }
        if let excluded = object["not"] { shape.excluded.append(schema.part(excluded, "not")) }
        guard let condition = object["if"], object["then"] != nil || object["else"] != nil else { return }
        let asked = schema.part(condition, "if")
        let then = object["then"].map { schema.part($0, "then") }
        let otherwise = object["else"].map { schema.part($0, "else") }
        shape.choices.append(
            Shape.Choice(
                branches: [
                    Shape.Branch(schemas: [asked] + (then.map { [$0] } ?? [])),
                    Shape.Branch(schemas: otherwise.map { [$0] } ?? [], excluded: [asked]),
                ], place: schema.place))
    }

    /// A base with a discriminator becomes one of its derived schemas, which include it by `allOf`; a derived schema
    /// has its own name there.
    private func addHeirs(_ marks: Discriminator, _ schema: APISchema, to shape: inout Shape) {
        guard shape.marks[marks.property] == nil else { return }
        let own = schemas.name(of: schema)
        if let name = shape.name, name != own {
            shape.marks[marks.property] = marks.value(ofComponent: name)
            return
        }
        let heirs = marks.mapping.filter { !shape.places.contains($0.schema.place) }
        guard !heirs.isEmpty, heirs.count == marks.mapping.count else {
            if let own { shape.marks[marks.property] = marks.value(ofComponent: own) }
            return
        }
        let branches = heirs.map { Shape.Branch(schemas: [$0.schema], mark: (marks.property, $0.value)) }
        shape.choices.append(Shape.Choice(branches: branches + [Shape.Branch(schemas: [])], place: schema.place))
    }
}

extension Shape.Branch {
    /// Whether only null is allowed.
    var isNull: Bool {
        guard schemas.count == 1, let object = schemas[0].json.objectValue else { return false }
        return object["type"]?.stringValue == "null" || object["const"]?.isNull == true
            || object["enum"]?.arrayValue.map { $0.count == 1 && $0[0].isNull } == true
    }
}

/// The property that tells which of several schemas applies.
struct Discriminator {
    var property: String
    /// The listed values with their schemas.
    var mapping: [(value: String, schema: APISchema)]

    /// The maximum number of derived schemas considered per base.
    private static let maxHeirs = 50

    init?(_ object: JSONObject, _ schema: APISchema, _ schemas: SchemaFinder) {
        if let property = DocumentSet.baseProperty(of: object) {
            self.property = property
            mapping = schemas.heirs(of: schema).prefix(Self.maxHeirs).map { ($0.value, $0.schema) }
            return
        }
        switch object["discriminator"] {
        case .string(let name):
            (property, mapping) = (name, [])
        case .object(let marks):
            guard let name = marks["propertyName"]?.stringValue else { return nil }
            property = name
            mapping = (marks["mapping"]?.objectValue?.members ?? []).compactMap { member in
                guard let text = member.value.stringValue else { return nil }
                // The name of a component, or a reference.
                let target =
                    text.contains("/") || text.contains("#")
                    ? schemas.target(of: text, in: schema)
                    : schemas.component(named: text, in: schema) ?? schemas.target(of: text, in: schema)
                return target.map { (member.key, $0) }
            }
        default: return nil
        }
    }

    /// The discriminator's value for a branch.
    func mark(of branch: APISchema, _ schemas: SchemaFinder) -> (name: String, value: String)? {
        guard let reference = branch.json["$ref"]?.stringValue, let target = schemas.target(of: reference, in: branch)
        else {
            return nil
        }
        if let listed = mapping.first(where: { $0.schema.place == target.place }) { return (property, listed.value) }
        return schemas.name(of: target).map { (property, $0) }
    }

    /// The discriminator's value for a component.
    func value(ofComponent name: String) -> String {
        mapping.first { $0.schema.place.pointer.tokens.last == name }?.value ?? name
    }
}
