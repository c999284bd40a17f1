import SDJSON

/// The structure of one or several JSON values: their types, their objects' members, their arrays' elements.
struct JSONShape {
    enum Kind: String, CaseIterable {
        case null = "null"
        case bool = "a boolean"
        case number = "a number"
        case string = "a string"
        case array = "an array"
        case object = "an object"

        init(_ value: JSONValue) {
            self =
                switch value {
                case .null: .null
                case .bool: .bool
                case .number: .number
                case .string: .string
                case .array: .array
                case .object: .object
                }
        }
    }

    struct Member {
        let key: String
        var shape: JSONShape
        /// Whether some of the objects lack it.
        var isOptional: Bool
    }

    private(set) var kinds: Set<Kind>
    private(set) var members: [Member] = []
    /// The structure of all arrays' elements.
    private var elementShape: [JSONShape] = []

    /// Nil if no array had an element.
    var elements: JSONShape? { elementShape.first }

    init(_ value: JSONValue) {
        kinds = [Kind(value)]
        switch value {
        case .object(let object):
            members = object.members.map { Member(key: $0.key, shape: JSONShape($0.value), isOptional: false) }
        case .array(let array):
            if let first = array.first {
                elementShape = [array.dropFirst().reduce(into: JSONShape(first)) { $0.add(JSONShape($1)) }]
            }
        default: break
        }
    }

    /// Widens the structure to include other values.
    mutating func add(_ other: JSONShape) {
        let bothHaveObjects = kinds.contains(.object) && other.kinds.contains(.object)
        kinds.formUnion(other.kinds)
        if bothHaveObjects {
            for index in members.indices where !other.members.contains(where: { $0.key == members[index].key }) {
                members[index].isOptional = true
            }
        }
        for member in other.members {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index].shape.add(member.shape)
                if member.isOptional { members[index].isOptional = true }
            } else {
                members.append(
                    Member(key: member.key, shape: member.shape, isOptional: bothHaveObjects || member.isOptional))
            }
        }
        if let theirs = other.elements {
            if elementShape.isEmpty { elementShape = [theirs] } else { elementShape[0].add(theirs) }
        }
    }

    /// The types as text: `a string or null`.
    var words: String {
        Kind.allCases.reversed().filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
    }
}
