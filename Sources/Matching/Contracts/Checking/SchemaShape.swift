import SDJSON
import SDJSONSchema
import SDPlatform

/// What a schema and all that it refers to say about types, however they are combined: enough to parse texts.
struct SchemaShape {
    typealias Place = SchemaDocuments.Place

    private let schemas: SchemaDocuments
    private let budget: WorkBudget
    /// The schemas, including those of `allOf`, `anyOf`, `oneOf` and references, with their locations.
    private(set) var parts: [(place: Place, json: JSONObject)] = []
    /// The names of the types, stated or implied by listed values; empty if unknown.
    private(set) var types: Set<String> = []

    /// The maximum number of schemas visited.
    private static let limit = 200

    init(_ roots: [Place], _ schemas: SchemaDocuments, _ budget: WorkBudget) {
        self.schemas = schemas
        self.budget = budget
        var seen: Set<Place> = []
        var waiting = Array(roots.reversed())
        while let place = waiting.popLast(), seen.count < Self.limit, budget.spend(50, for: ContractCheck.work) {
            guard seen.insert(place).inserted, case .object(let json) = schemas.value(at: place) else { continue }
            parts.append((place, json))
            if let reference = json["$ref"]?.stringValue, let target = schemas.target(of: reference, from: place) {
                waiting.append(target)
            }
            for keyword in ["allOf", "anyOf", "oneOf"] {
                for index in (json[keyword]?.arrayValue ?? []).indices.prefix(Self.limit).reversed() {
                    waiting.append(place.appending(keyword, String(index)))
                }
            }
            addTypes(of: json)
        }
    }

    private mutating func addTypes(of json: JSONObject) {
        if json["nullable"]?.boolValue == true || json["x-nullable"]?.boolValue == true { types.insert("null") }
        switch json["type"] {
        case .string(let name):
            types.insert(name)
            return
        case .array(let names):
            types.formUnion(names.compactMap(\.stringValue))
            return
        default: break
        }
        for value in (json["enum"]?.arrayValue ?? []).prefix(1_000) + (json["const"].map { [$0] } ?? []) {
            switch value {
            case .null: types.insert("null")
            case .bool: types.insert("boolean")
            case .number: types.insert("number")
            case .string: types.insert("string")
            case .array: types.insert("array")
            case .object: types.insert("object")
            }
        }
        if json["properties"] != nil || json["additionalProperties"]?.objectValue != nil { types.insert("object") }
        if json["items"] != nil || json["prefixItems"] != nil { types.insert("array") }
    }

    /// Whether texts may become numbers, booleans or null.
    var hasTypedTexts: Bool { !types.isDisjoint(with: ["number", "integer", "boolean", "null"]) }

    var hasSimpleTypes: Bool { types.contains("string") || hasTypedTexts }

    /// Whether a value is a list, as far as known.
    var isList: Bool { types.contains("array") }

    /// Whether a value is an object, as far as known.
    var isObject: Bool { types.contains("object") }

    /// The schemas of a list's elements.
    func element(_ index: Int) -> SchemaShape {
        var places: [Place] = []
        for (place, json) in parts {
            if let prefix = json["prefixItems"]?.arrayValue, index < prefix.count {
                places.append(place.appending("prefixItems", String(index)))
            } else if let items = json["items"]?.arrayValue {
                if index < items.count { places.append(place.appending("items", String(index))) }
            } else if json["items"] != nil {
                places.append(place.appending("items"))
            }
        }
        return SchemaShape(places, schemas, budget)
    }

    /// The schemas of a member.
    func member(_ name: String) -> SchemaShape {
        var places: [Place] = []
        for (place, json) in parts where json["properties"]?[name] != nil {
            places.append(place.appending("properties", name))
        }
        if places.isEmpty {
            for (place, json) in parts where json["additionalProperties"]?.objectValue != nil {
                places.append(place.appending("additionalProperties"))
            }
        }
        return SchemaShape(places, schemas, budget)
    }

    /// The names of the described members.
    var memberNames: [String] {
        var names: [String] = []
        var seen: Set<String> = []
        for (_, json) in parts {
            for name in json["properties"]?.objectValue?.keys ?? [] where seen.insert(name).inserted {
                guard budget.spend(20, for: ContractCheck.work) else { return names }
                names.append(name)
            }
        }
        return names
    }

    /// Whether there is a schema for other members.
    var hasFurtherMembers: Bool {
        parts.contains { $0.json["additionalProperties"]?.objectValue != nil || $0.json["patternProperties"] != nil }
    }

    /// Whether a text may be any bytes.
    var isBinary: Bool {
        parts.contains { $0.json["format"] == "binary" || $0.json["type"] == "file" }
    }
}

extension SchemaDocuments.Place {
    func appending(_ tokens: String...) -> Self {
        Self(document: document, pointer: JSONPointer(pointer.tokens + tokens))
    }
}
