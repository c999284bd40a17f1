public import JSON

/// What one part of a multipart body, or every part, must be: WireMock's multipart pattern.
///
/// `name` alone does not restrict, and `fileName` only beside `headers` or `bodyPatterns`: a pattern with neither is
/// satisfied by any part.
public struct MultipartPattern: Sendable, Hashable {
    /// How many parts must satisfy the pattern.
    public enum MatchingType: String, Sendable, Hashable, CaseIterable {
        case all = "ALL"
        case any = "ANY"
    }

    public var name: String?
    public var fileName: String?
    /// Nil counts as `.any`.
    public var matchingType: MatchingType?
    /// Of the part, in the order of the document; names compare without case.
    public var headers: [NamedMatcher] = []
    /// Of the part's content; all must match.
    public var bodyPatterns: [ValueMatcher] = []

    public init(
        name: String? = nil, fileName: String? = nil, matchingType: MatchingType? = nil, headers: [NamedMatcher] = [],
        bodyPatterns: [ValueMatcher] = []
    ) {
        self.name = name
        self.fileName = fileName
        self.matchingType = matchingType
        self.headers = headers
        self.bodyPatterns = bodyPatterns
    }
}

extension MultipartPattern {
    static let fieldNames = ["name", "fileName", "matchingType", "headers", "bodyPatterns"]

    static func readList(_ value: JSONValue, _ reader: inout ModelReader) -> [MultipartPattern] {
        guard let elements = reader.array(value, elementOf: JavaClass.multipartPattern.name) else { return [] }
        var patterns: [MultipartPattern] = []
        for (index, element) in elements.enumerated() {
            if let pattern = reader.within(String(index), { read(element, &$0) }) { patterns.append(pattern) }
        }
        return patterns
    }

    private static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MultipartPattern? {
        if value.isNull {
            reader.report(detail: nil, message: "no pattern", expected: "an object", found: "null")
            return nil
        }
        guard let object = reader.object(value, .multipartPattern) else { return nil }
        var pattern = MultipartPattern()
        for member in object.members {
            reader.member(member, class: .multipartPattern, of: fieldNames) { reader in
                switch member.key {
                case "name": pattern.name = reader.string(member.value)
                case "fileName": pattern.fileName = reader.string(member.value)
                case "headers": pattern.headers = RequestPattern.readMatchers(member.value, .multiValue, &reader)
                case "bodyPatterns": pattern.bodyPatterns = RequestPattern.readBodyPatterns(member.value, &reader)
                default:
                    let javaType = JavaClass.multipartPattern.name + "$MatchingType"
                    pattern.matchingType = reader.constant(member.value, javaType: javaType, order: ["ALL", "ANY"])
                }
            }
        }
        if pattern.fileName != nil, pattern.headers.isEmpty, pattern.bodyPatterns.isEmpty {
            reader.warn("\"fileName\" is ignored without \"headers\" or \"bodyPatterns\"", name: "fileName")
        }
        return pattern
    }

    /// In WireMock's order, absent and empty members omitted.
    public var json: JSONValue {
        var object = JSONObject()
        object["name"] = name.map(JSONValue.string)
        object["fileName"] = fileName.map(JSONValue.string)
        object["matchingType"] = matchingType.map { .string($0.rawValue) }
        object["headers"] = headers.json
        object["bodyPatterns"] = bodyPatterns.isEmpty ? nil : .array(bodyPatterns.map(\.jsonValue))
        return .object(object)
    }
}
