// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// Conditions for one part of a multipart body, or for every part. Without headers and bodyPatterns, any part matches.
public struct MultipartPattern: Sendable {
    /// A label; to test a part's name, match its `Content-Disposition`.
    public var name: String?
    /// The file name in `Content-Disposition`; used only beside `headers` or `bodyPatterns`.
    public var fileName: String?
    /// `ANY`, the default: at least one part must match. `ALL`: every part must.
    public var matchingType: MultipartPattern.MatchingType?
    /// Names and matchers of the part's headers.
    public var headers: [NamedMatcher] = []
    /// Matchers of the part's content.
    public var bodyPatterns: [ValueMatcher] = []
    /// Whether the mapping has headers or bodyPatterns, including empty ones.
    internal var hasConditions: Bool = false

    init() {}

    /// Makes one of these.
    public init(name: String? = nil, fileName: String? = nil, matchingType: MultipartPattern.MatchingType? = nil, headers: [NamedMatcher] = [], bodyPatterns: [ValueMatcher] = []) {
        self.name = name
        self.fileName = fileName
        self.matchingType = matchingType
        self.headers = headers
        self.bodyPatterns = bodyPatterns
    }
}

extension MultipartPattern {
    package static var names: [String] { DialectNames.multipartPattern }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .multipartPattern, in: DialectNames.multipartPattern) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = reader.string(value)
        case 1: fileName = reader.string(value)
        case 2: matchingType = Self.readMatchingType(value, &reader)
        case 3: headers = RequestPattern.readMatchers(value, .multiValue, &reader)
        case 4: bodyPatterns = RequestPattern.readBodyPatterns(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["name"] = name?.json
        object["fileName"] = fileName?.json
        object["matchingType"] = matchingType?.json
        object["headers"] = headers.json
        object["bodyPatterns"] = bodyPatterns.isEmpty ? nil : .array(bodyPatterns.map(\.jsonValue))
        return object
    }
}
