import SDBasics
public import SDJSON
import SDPlatform

/// Why a definite path finds nothing in a document.
public struct PathAbsence: Sendable, Hashable {
    /// The reason in the words of Jayway JsonPath, which WireMock's warnings quote.
    public let warning: String
    /// The reason in this project's words, such as "$.a has no member "b"".
    public let reason: String
}

extension JSONPath {
    /// Why the path finds nothing; nil for a path that finds a list, even an empty one.
    ///
    /// Repeats the definite steps at the start of the path, so it is for reports only.
    public func absence(in document: JSONValue) -> PathAbsence? {
        absence(in: .tree(document))
    }

    /// The reason for a document that may be a tape. Only the value where the path ends is built as a tree.
    public func absence(in document: JSONDocument) -> PathAbsence? {
        guard !document.isNull else {
            return PathAbsence(warning: "json can not be null", reason: "the document is null")
        }
        let evaluator = PathEvaluator(document, self, .unlimited)
        var value = evaluator.root
        var walked = start
        for (place, segment) in query.segments.enumerated() {
            guard let fragment = fragment(segment) else { return nil }
            guard let step = segment.step else {
                return segment.absence(fragment, of: evaluator.value(value), walked)
            }
            let isLeaf = place == query.segments.count - 1 && query.function == nil
            switch (step, evaluator.shape(of: value)) {
            case (.name(let name), .object):
                guard let member = evaluator.member(name, of: value) else {
                    return PathAbsence(
                        warning: isLeaf ? noResults : "Missing property in path \(walked)['\(name)']",
                        reason: "\(walked) has no member \(JSONValue.string(name).compactText)")
                }
                value = member
            case (.index(let index), .array):
                guard let element = evaluator.element(at: index, of: value) else {
                    let count = evaluator.count(of: value)
                    return PathAbsence(
                        warning: noResults,
                        reason: "\(walked) has \(count) element\(count == 1 ? "" : "s")")
                }
                value = element
            default: return segment.absence(fragment, of: evaluator.value(value), walked)
            }
            walked += fragment
        }
        return nil
    }

    private var noResults: String {
        let whole = query.segments.compactMap { fragment($0) }.joined()
        return "No results for path: \(start)\(whole)"
    }

    private var start: String { text.unicodeScalars.first { $0 != " " } == "@" ? "@" : "$" }

    /// The segment in Jayway's spelling, with the quotes of the expression; nil for a segment that always finds a list.
    private func fragment(_ segment: PathSegment) -> String? {
        guard !segment.descends else { return nil }
        if let names = segment.names { return "[" + names.map { "'\($0)'" }.joined(separator: ",") + "]" }
        switch segment.selectors[0] {
        case .name(let name):
            let quoted = "[\"\(name)\"]"
            return text.contains(text: quoted) ? quoted : "['\(name)']"
        case .index:
            var places: [String] = []
            for case .index(let index) in segment.selectors { places.append(String(index)) }
            return "[" + places.joined(separator: ",") + "]"
        case .slice(let slice):
            return "[\(slice.start.map(String.init) ?? ""):\(slice.end.map(String.init) ?? "")]"
        case .wildcard, .filter: return nil
        }
    }
}

extension PathSegment {
    /// Why the segment cannot be applied to a value; nil if it can.
    fileprivate func absence(_ fragment: String, of value: JSONValue, _ walked: String) -> PathAbsence? {
        let wantsObject = if case .name = selectors[0] { true } else { false }
        let reason = "\(walked) is \(value.shortDescription), no \(wantsObject ? "object" : "list")"
        switch value {
        case .object where wantsObject, .array where !wantsObject: return nil
        case .null where !wantsObject: return PathAbsence(warning: "The path \(walked) is null", reason: reason)
        case _ where wantsObject:
            let found = JavaText.className(of: value)
            return PathAbsence(
                warning: "Expected to find an object with property \(fragment) in path \(walked) but found '\(found)'. "
                    + "This is not a json object according to the JsonProvider: "
                    + "'wiremock.com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'.",
                reason: reason)
        default:
            return PathAbsence(
                warning: "Filter: \(fragment) can only be applied to arrays. Current context is: \(value.shownContext)",
                reason: reason)
        }
    }
}

extension JSONValue {
    /// The maximum length of a context shown completely.
    private static let maxShown = 200

    /// The value as Java prints it, shortened.
    var shownContext: String {
        var left = Self.maxShown + 1
        let text = JavaText.of(element: beginning(&left)) ?? "null"
        return text.utf8.count <= Self.maxShown ? text : String(text.prefix(Self.maxShown)) + "…"
    }

    /// The value without what follows the first `left` values in it: each takes at least one character.
    private func beginning(_ left: inout Int) -> JSONValue {
        left -= 1
        switch self {
        case .array(let elements):
            var kept: [JSONValue] = []
            for element in elements {
                if left <= 0 { break }
                kept.append(element.beginning(&left))
            }
            return .array(kept)
        case .object(let object):
            var kept: [(String, JSONValue)] = []
            for member in object.members {
                if left <= 0 { break }
                kept.append((member.key, member.value.beginning(&left)))
            }
            return .object(JSONObject(kept))
        case .string(let text): return .string(String(text.prefix(Self.maxShown + 1)))
        case .null, .bool, .number: return self
        }
    }
}

extension JavaText {
    /// The Java class of the value in WireMock's parser; "null" for null.
    static func className(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "java.lang.Boolean"
        case .string: "java.lang.String"
        case .array: "wiremock.net.minidev.json.JSONArray"
        case .object: "java.util.LinkedHashMap"
        case .number(let number): className(of: number)
        }
    }

    private static func className(of number: JSONNumber) -> String {
        let text = number.text
        if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
            return text.utf8.count > 18 ? "java.math.BigDecimal" : "java.lang.Double"
        }
        if Int32(text) != nil { return "java.lang.Integer" }
        return Int64(text) != nil ? "java.lang.Long" : "java.math.BigInteger"
    }
}
