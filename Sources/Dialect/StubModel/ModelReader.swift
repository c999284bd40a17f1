import SDBasics
package import SDJSON

/// Reads model values from JSON with WireMock's coercions. Collects problems instead of stopping at the first one.
///
/// The coercions are Jackson's in WireMock's configuration: numbers and booleans are accepted as strings, numeric
/// strings as numbers, fractions are truncated, `null` counts as absent.
/// strings as numbers, fractions are cut off, `null` counts as absent.
package struct ModelReader {
    package private(set) var problems: [ModelProblem] = []
    package private(set) var warnings: [ModelProblem] = []
    /// The maximum number of problems: a hostile document must not produce more.
    private static let limit = 100
    /// Whether to produce warnings, which may cost more than reading the stub.
    private let warns: Bool
    /// Whether a value without effect is a problem rather than a warning.
    private let rejectsIneffective: Bool
    /// The seed for the ids of stubs without one; nil for random ids.
    private let idSeed: String?
    /// The path of the current value.
    private(set) var path: [String] = []
    /// The pointer that WireMock reports for every problem inside the current value; nil for the exact one.
    private var anchor: JSONPointer?
    /// The paths of scalars where a string was expected; nil if not recorded.
    package private(set) var textPlaces: [[String]]?

    /// - Parameter notesTexts: whether to record `textPlaces`.
    package init(idSeed: String? = nil, warns: Bool = false, rejectsIneffective: Bool = false, notesTexts: Bool = false)
    {
        self.idSeed = idSeed
        self.warns = warns
        self.rejectsIneffective = rejectsIneffective
        textPlaces = notesTexts ? [] : nil
    }

    /// Records that a string is expected at the current path. A YAML scalar of another type is then taken literally.
    package mutating func wantsText(_ value: JSONValue) {
        guard textPlaces != nil, value.stringValue == nil else { return }
        textPlaces?.append(path)
    }

    /// Records that strings are expected for all numbers and booleans in the value at the current path.
    package mutating func wantsTexts(in value: JSONValue) {
        guard textPlaces != nil else { return }
        switch value {
        case .number, .bool: wantsText(value)
        case .array(let elements):
            for (index, element) in elements.enumerated() { within(String(index)) { $0.wantsTexts(in: element) } }
        case .object(let object):
            for member in object.members { within(member.key) { $0.wantsTexts(in: member.value) } }
        case .null, .string: return
        }
    }

    /// The id for a stub at the current path without one; nil for a random one.
    package var derivedID: StubMapping.ID? {
        idSeed.map { StubMapping.id(hashing: $0 + "#" + place.text) }
    }

    package var place: JSONPointer { JSONPointer(path) }

    package var pointer: JSONPointer { anchor ?? place }

    // Inlined, so that the closure's changes need no copy on return.
    @inline(__always)
    package mutating func within<Result>(_ token: String, _ read: (inout ModelReader) -> Result) -> Result {
        path.append(token)
        defer { path.removeLast() }
        return read(&self)
    }

    /// Reads a value for which WireMock reports every problem at `anchor`; nil for the exact pointer.
    package mutating func anchored<Result>(at anchor: JSONPointer?, _ read: (inout ModelReader) -> Result) -> Result {
        let outer = self.anchor
        self.anchor = anchor
        defer { self.anchor = outer }
        return read(&self)
    }

    package var isFull: Bool { problems.count >= Self.limit }

    package mutating func report(_ problem: ModelProblem) {
        guard !isFull else { return }
        problems.append(problem)
    }

    /// Warns about a valid value at the current path that probably does not do what its author intends.
    /// - Parameter isIneffective: whether it certainly does not, because it has no effect or never matches.
    package mutating func warn(
        _ message: @autoclosure () -> String, expected: String? = nil,
        suggestion: @autoclosure () -> String? = nil, name: String? = nil, isIneffective: Bool = false
    ) {
        let isProblem = isIneffective && rejectsIneffective
        guard isProblem || warns, warnings.count < Self.limit else { return }
        let problem = ModelProblem(
            pointer: pointer, place: name.map { place.appending($0) } ?? place, isAboutName: name != nil,
            message: message(), expected: expected, suggestion: suggestion())
        if isProblem { report(problem) } else { warnings.append(problem) }
    }

    /// Reports a problem with the value at the current path.
    package mutating func report(
        detail: String?, message: String, expected: String? = nil, found: String? = nil, suggestion: String? = nil
    ) {
        report(
            ModelProblem(
                pointer: pointer, detail: detail, place: place, message: message, expected: expected, found: found,
                suggestion: suggestion))
    }

    /// Reports a member that the class does not have.
    package mutating func reportUnknown(
        _ name: String, in javaClass: JavaClass, valid: [String], value: JSONValue? = nil
    ) {
        guard !isFull else { return }
        let place = self.place.appending(name)
        let belongs = otherToolsName(for: name, among: valid) == nil ? javaClass.place(of: name) : nil
        let meant =
            javaClass.name == JavaClass.requestPattern.name
            ? URLPattern.meantField(by: name, value) : meantName(by: name, among: valid)
        report(
            ModelProblem(
                pointer: anchor ?? place,
                detail: "Unrecognized field \"\(name)\" (class \(javaClass.name)), not marked as ignorable",
                place: place, isAboutName: true,
                message: belongs.map { "\(quoted(name)) belongs \($0)" } ?? "unknown field \"\(name)\"",
                expected: belongs == nil ? "one of \(valid.joined(separator: ", "))" : nil,
                suggestion: belongs == nil ? meant : nil))
    }

    /// Reads a member of `javaClass` whose name is one of `names`; reports any other name.
    @inline(__always)
    package mutating func member(
        _ member: JSONObject.Member, class javaClass: @autoclosure () -> JavaClass, of names: [String],
        _ read: (inout ModelReader) -> Void
    ) {
        if index(of: member, class: javaClass(), in: names) != nil { within(member.key, read) }
    }

    /// The index in `names` of a member of `javaClass`; nil for an unknown member, which is reported.
    package mutating func index(
        of member: JSONObject.Member, class javaClass: @autoclosure () -> JavaClass, in names: [String]
    ) -> Int? {
        // Lengths distinguish most names, faster than Unicode comparison.
        let length = member.key.utf8.count
        if let index = names.firstIndex(where: { $0.utf8.count == length && $0 == member.key }) { return index }
        reportUnknown(member.key, in: javaClass(), valid: names, value: member.value)
        return nil
    }

    // MARK: Scalars

    package mutating func string(_ value: JSONValue) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .number(let number):
            wantsText(value)
            return number.text
        case .bool(let flag):
            wantsText(value)
            return flag ? "true" : "false"
        case .array, .object:
            reportMismatch(value, javaType: "java.lang.String", expected: "a string")
            return nil
        }
    }

    /// Reads an integer within the range of `type`.
    package mutating func integer(
        _ value: JSONValue, _ type: JavaInteger, expected: String = "an integer", suggestion: String? = nil
    ) -> Int? {
        switch value {
        case .null: return nil
        case .number(let number):
            if let exact = number.intValue ?? Int(exactly: number.doubleValue.rounded(.towardZero)),
                type.range.contains(exact)
            {
                if number.intValue == nil, number.doubleValue != Double(exact) {
                    warn("the fraction is cut off: \(number.text) counts as \(exact)", expected: "an integer")
                }
                return exact
            }
            let bounds = "(\(type.range.lowerBound) - \(type.range.upperBound))"
            report(
                detail: "Numeric value (\(number.text)) out of range of \(type.primitive) \(bounds)",
                message: "the number is too large", expected: "an integer in \(type.range)", found: number.text)
            return nil
        case .string(let text):
            let trimmed = text.trimmingBlanks
            if trimmed.isEmpty { return type.isNullable ? nil : 0 }
            if let number = Int(trimmed), type.range.contains(number) { return number }
            report(
                detail: "Cannot deserialize value of type `\(type.rawValue)` from String \(quoted(text)): "
                    + "not a valid `\(type.rawValue)` value",
                message: "not an integer", expected: expected, found: value.shortDescription, suggestion: suggestion)
            return nil
        case .bool, .array, .object:
            reportMismatch(value, javaType: type.rawValue, expected: expected)
            return nil
        }
    }

    package mutating func double(_ value: JSONValue, javaType: String) -> Double? {
        switch value {
        case .null: return nil
        case .number(let number) where number.doubleValue.isFinite: return number.doubleValue
        case .number(let number):
            report(detail: nil, message: "the number is too large", found: number.text)
            return nil
        case .string(let text):
            let trimmed = text.trimmingBlanks
            if trimmed.isEmpty { return nil }
            if let number = JSONNumber(text: trimmed)?.doubleValue, number.isFinite { return number }
            report(
                detail: "Cannot deserialize value of type `\(javaType)` from String \(quoted(text)): "
                    + "not a valid `\(javaType == "double" ? "double" : "Double")` value"
                    + (javaType == "double" ? " (as String to convert)" : ""),
                message: "not a number", expected: "a number", found: value.shortDescription)
            return nil
        case .bool, .array, .object:
            reportMismatch(value, javaType: javaType, expected: "a number")
            return nil
        }
    }

    package mutating func bool(_ value: JSONValue) -> Bool? {
        switch value {
        case .null: return nil
        case .bool(let value): return value
        case .number(let number) where number.intValue != nil && !number.text.contains("."): return number.intValue != 0
        case .string(let text):
            switch text.trimmingBlanks {
            case "": return nil
            case "true", "True", "TRUE": return true
            case "false", "False", "FALSE": return false
            default:
                report(
                    detail: "Cannot deserialize value of type `java.lang.Boolean` from String \(quoted(text)): "
                        + "only \"true\" or \"false\" recognized",
                    message: "not a boolean", expected: "true or false", found: value.shortDescription)
                return nil
            }
        case .number, .array, .object:
            reportMismatch(value, javaType: "java.lang.Boolean", expected: "true or false")
            return nil
        }
    }

    /// Reads a constant of a Java enum; names are case-sensitive.
    /// - Parameter meant: the constant that an invalid value probably means.
    package mutating func constant<Value: RawRepresentable & CaseIterable>(
        _ value: JSONValue, javaType: String, order: [String], orElse other: String? = nil,
        meant: @autoclosure () -> String? = nil
    ) -> Value? where Value.RawValue == String {
        guard let text = string(value) else { return nil }
        if let constant = Value(rawValue: text) { return constant }
        let names = Value.allCases.map(\.rawValue)
        let detail =
            text.isEmpty
            ? "Cannot coerce empty String (\"\") to `\(javaType)` value "
                + "(but could if coercion was enabled using `CoercionConfig`)"
            : "Cannot deserialize value of type `\(javaType)` from String \(quoted(text)): "
                + "not one of the values accepted for Enum class: [\(order.joined(separator: ", "))]"
        report(
            detail: detail, message: "unknown value",
            expected: "one of \(names.joined(separator: ", "))\(other.map { ", or \($0)" } ?? "")",
            found: value.shortDescription, suggestion: meant() ?? nearestName(to: text, among: names))
        return nil
    }

    // MARK: Containers

    /// Reads an object of `javaClass`; nil for null.
    package mutating func object(_ value: JSONValue, _ javaClass: JavaClass) -> JSONObject? {
        switch value {
        case .object(let object): return object
        case .null: return nil
        default:
            reportMismatch(value, javaClass, expected: "an object")
            return nil
        }
    }

    package mutating func array(_ value: JSONValue, elementOf javaType: String) -> [JSONValue]? {
        switch value {
        case .array(let elements): return elements
        case .null: return nil
        case .string where javaType == "java.lang.String":
            reportMismatch(value, JavaClass("java.util.ArrayList"), expected: "a list")
            return nil
        default:
            reportMismatch(value, javaType: "java.util.ArrayList<\(javaType)>", expected: "a list")
            return nil
        }
    }

    package mutating func strings(_ value: JSONValue) -> [String]? {
        array(value, elementOf: "java.lang.String").map { elements($0) { $1.string($0) } }
    }

    // MARK: Jackson's messages

    package mutating func reportMismatch(_ value: JSONValue, javaType: String, expected: String) {
        let kind: String
        switch value {
        case .array: kind = "Array value (token `JsonToken.START_ARRAY`)"
        case .object: kind = "Object value (token `JsonToken.START_OBJECT`)"
        case .bool(true): kind = "Boolean value (token `JsonToken.VALUE_TRUE`)"
        case .bool(false): kind = "Boolean value (token `JsonToken.VALUE_FALSE`)"
        case .number(let number) where number.text.contains { !$0.isNumber && $0 != "-" }:
            kind = "Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)"
        case .number: kind = "Integer value (token `JsonToken.VALUE_NUMBER_INT`)"
        case .string: kind = "String value (token `JsonToken.VALUE_STRING`)"
        case .null: kind = "Null value (token `JsonToken.VALUE_NULL`)"
        }
        report(
            detail: "Cannot deserialize value of type `\(javaType)` from \(kind)",
            message: "wrong type", expected: expected, found: value.shortDescription)
    }

    package mutating func reportMismatch(_ value: JSONValue, _ javaClass: JavaClass, expected: String) {
        let reason: String
        switch value {
        case .string(let text):
            reason = "no String-argument constructor/factory method to deserialize from String value ('\(text)')"
        case .number(let number):
            let kind = number.text.contains { !$0.isNumber && $0 != "-" } ? "double/Double" : "int/Int"
            reason = "no \(kind)-argument constructor/factory method to deserialize from Number value (\(number.text))"
        case .bool(let value):
            reason =
                "no boolean/Boolean-argument constructor/factory method to deserialize from boolean value (\(value))"
        default:
            reportMismatch(value, javaType: javaClass.generic ?? javaClass.name, expected: expected)
            return
        }
        if javaClass.isMap, value.stringValue == nil {
            reportMismatch(value, javaType: javaClass.generic ?? javaClass.name, expected: expected)
            return
        }
        report(
            detail:
                "Cannot construct instance of `\(javaClass.name)` (although at least one Creator exists): \(reason)",
            message: "wrong type", expected: expected, found: value.shortDescription)
    }
}

extension String {
    /// The text without surrounding characters that Java's `trim` removes.
    package var trimmingBlanks: String {
        if let first = utf8.first, first > 0x20, let last = utf8.last, last > 0x20 { return self }
        let scalars = unicodeScalars.drop { $0.value <= 0x20 }
        guard let end = scalars.lastIndex(where: { $0.value > 0x20 }) else { return "" }
        return String(scalars[...end])
    }
}

/// The text in JSON quotes, without the user of a URL.
package func quoted(_ text: String) -> String {
    JSONValue.string(text.withoutPassword).compactText
}
