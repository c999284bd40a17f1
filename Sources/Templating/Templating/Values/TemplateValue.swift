public import SDJSON
public import SDJavaTime

/// A value in a template, with the distinctions that WireMock's templates make.
public enum TemplateValue: Sendable {
    /// Nothing: an undefined name, or JSON null.
    case null
    case bool(Bool)
    /// Java's `Integer` and `Long`.
    case int(Int)
    case double(Double)
    /// Any other number, as written.
    case decimal(JSONNumber)
    case text(String)
    case list(TemplateList)
    case map(TemplateMap)
    /// The values of a header, parameter or cookie: prints as the first, and iterates over all.
    case values([TemplateValue])
    /// A part of a JSON document, which prints as JSON rather than like a Java object.
    case json(JSONValue)
    case date(TemplateDate)
    /// A value with members made on demand.
    case object(any TemplateObject)
}

/// A value with members made on demand, such as the request.
public protocol TemplateObject: Sendable {
    /// The member with that name; nil if there is none.
    func member(_ name: String) -> TemplateValue?
    /// The value at a path of two or more names, if the object has a shortcut for it; nil for all other paths.
    func value(atPath names: [String]) -> TemplateValue?
    /// The value as text.
    var text: String { get }
    /// The elements of a value that can be iterated over; nil for others.
    var elements: [TemplateValue]? { get }
    /// The members, in order, of a value that can be iterated over by name; nil for others.
    var members: [(key: String, value: TemplateValue)]? { get }
}

extension TemplateObject {
    public func value(atPath names: [String]) -> TemplateValue? { nil }
    public var elements: [TemplateValue]? { nil }
    public var members: [(key: String, value: TemplateValue)]? { nil }
}

/// An ordered map of names to values.
public struct TemplateMap: Sendable {
    public private(set) var members: [(key: String, value: TemplateValue)] = []

    public init() {}

    public init(_ members: [(key: String, value: TemplateValue)]) {
        self.members = members
    }

    public subscript(key: String) -> TemplateValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): members.append((key, value))
            case (let place?, nil): members.remove(at: place)
            case (nil, nil): break
            }
        }
    }
}

/// A moment and its print format.
public struct TemplateDate: Sendable {
    public let moment: Moment
    /// The time zone for printing; nil for none: it then prints in UTC, and with a format in the system's zone.
    public let zone: Zone?
    /// The formatted text; nil for ISO 8601 without a fraction.
    public let rendered: String?

    public init(_ moment: Moment, in zone: Zone? = nil, rendered: String? = nil) {
        self.moment = moment
        self.zone = zone
        self.rendered = rendered
    }
}

extension TemplateValue {
    /// The value for a part of a JSON document that WireMock parses with json-smart. Scalars become plain values and
    /// objects become maps; only lists print as JSON.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = TemplateValue(number)
        case .string(let text): self = .text(text)
        case .array: self = .json(json)
        case .object(let object):
            self = .map(TemplateMap(object.members.map { ($0.key, TemplateValue($0.value)) }))
        }
    }

    /// The value of a JSON number: an integer if written as one, a double if it has a fraction or exponent and is not
    /// long.
    public init(_ number: JSONNumber) {
        if let value = Int(number.text) {
            self = .int(value)
        } else if number.text.utf8.count <= 18,
            number.text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") })
        {
            self = .double(number.doubleValue)
        } else {
            self = .decimal(number)
        }
    }

    /// A part of a JSON document as plain lists and maps, which print like Java objects; numbers keep their digits.
    public init(plain json: JSONValue) {
        switch json {
        case .array(let elements):
            self = .list(elements.map { TemplateValue(plain: $0) })
        case .object(let object):
            self = .map(TemplateMap(object.members.map { ($0.key, TemplateValue(plain: $0.value)) }))
        case .number(let number): self = Int(number.text).map { .int($0) } ?? .decimal(number)
        default: self = TemplateValue(json)
        }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether the value is truthy: anything except null, false, 0, an empty text and an empty list.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .int(let value): value != 0
        case .double(let value): value != 0
        case .decimal(let number): number.doubleValue != 0
        case .text(let text): !text.isEmpty
        case .list(let elements): !elements.isEmpty
        case .values(let values): !values.isEmpty
        case .json(.array(let elements)): !elements.isEmpty
        case .object(let object): object.elements.map { !$0.isEmpty } ?? true
        case .map, .json, .date: true
        }
    }

    /// The elements of a list; nil for other values.
    var elements: TemplateList? {
        switch self {
        case .list(let elements): elements
        case .values(let values): TemplateList(values)
        case .json(.array(let elements)): TemplateList(elements.map { TemplateValue($0) })
        case .object(let object): object.elements.map { TemplateList($0) }
        default: nil
        }
    }

    /// The members of a map, in order; nil for other values.
    var members: [(key: String, value: TemplateValue)]? {
        switch self {
        case .map(let map): map.members
        case .json(.object(let object)): object.members.map { ($0.key, TemplateValue($0.value)) }
        case .object(let object): object.members
        default: nil
        }
    }

    /// The number; nil for other values.
    var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .decimal(let number): number.doubleValue
        default: nil
        }
    }

    /// The text; nil for other values.
    var string: String? {
        switch self {
        case .text(let text): text
        default: nil
        }
    }
}

// MARK: - Members

extension TemplateValue {
    /// The member with a name, or the element at a numeric index.
    func member(_ name: String) -> TemplateValue? {
        switch self {
        case .map(let map): return map[name] ?? property(name)
        case .json(.object(let object)): return object[name].map { TemplateValue($0) }
        case .object(let object): return object.member(name) ?? Self.property(name, of: object)
        case .values(let values):
            switch name {
            case "first": return values.first
            case "last": return values.last
            default: break
            }
            guard let index = Int(name) else { return property(name) }
            // A negative index counts from the second to last.
            let place = index < 0 ? values.count - 1 + index : index
            return values.indices.contains(place) ? values[place] : nil
        case .list(let elements):
            guard let index = Int(name) else { return property(name) }
            return elements.indices.contains(index) ? elements[index] : nil
        case .json(.array(let elements)):
            guard let index = Int(name) else { return nil }
            return elements.indices.contains(index) ? TemplateValue(elements[index]) : nil
        default: return property(name)
        }
    }

    /// The properties that Java maps and lists have, for an object that acts as one.
    private static func property(_ name: String, of object: any TemplateObject) -> TemplateValue? {
        if name == "toString" { return .text(object.text) }
        if let members = object.members { return TemplateValue.map(TemplateMap(members)).property(name) }
        return object.elements.flatMap { TemplateValue.list($0).property(name) }
    }

    /// The most common properties of Java's own classes.
    private func property(_ name: String) -> TemplateValue? {
        switch (self, name) {
        case (.text(let text), "length"): return .int(text.utf16.count)
        case (.text(let text), "empty"), (.text(let text), "isEmpty"): return .bool(text.isEmpty)
        case (.text(let text), "blank"), (.text(let text), "isBlank"): return .bool(text.allSatisfy(\.isWhitespace))
        case (.text(let text), "toUpperCase"): return .text(text.uppercased())
        case (.text(let text), "toLowerCase"): return .text(text.lowercased())
        case (.text(let text), "trim"), (.text(let text), "strip"): return .text(TextHelpers.trimmed(text))
        case (.text, "intern"): return self
        case (.null, _): return nil
        case (_, "toString"): return .text(text)
        case (.text(let text), "hashCode"):
            return .int(Int(text.javaHashCode))
        case (.list, "size"), (.list, "length"), (.values, "size"), (.values, "length"):
            return .int(elements?.count ?? 0)
        case (.list, "empty"), (.list, "isEmpty"), (.values, "empty"), (.values, "isEmpty"):
            return .bool(elements?.isEmpty ?? true)
        case (.values(let values), "single"), (.values(let values), "isSingle"): return .bool(values.count == 1)
        case (.values(let values), "getFirst"): return values.first
        case (.map(let map), "size"): return .int(map.members.count)
        case (.map(let map), "empty"), (.map(let map), "isEmpty"): return .bool(map.members.isEmpty)
        case (.map(let map), "keySet"): return .list(map.members.map { .text($0.key) })
        case (.map(let map), "values"): return .list(map.members.map(\.value))
        case (.map(let map), "entrySet"):
            return .list(map.members.map { .text("\($0.key)=\($0.value.text)") })
        case (.bool, "booleanValue"): return self
        case (.int, "intValue"), (.int, "longValue"): return self
        case (_, "intValue"), (_, "longValue"):
            return number.flatMap { Int(exactly: $0.rounded(.towardZero)) }.map { .int($0) }
        case (_, "doubleValue"): return number.map { .double($0) }
        default: return nil
        }
    }
}
