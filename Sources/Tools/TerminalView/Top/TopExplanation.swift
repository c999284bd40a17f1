public import SDJSON

/// The admin API's explanation of an unmatched request.
public struct TopExplanation: Sendable, Hashable {
    public struct Condition: Sendable, Hashable {
        public var name = ""
        public var expected = ""
        public var actual: String?
        public var matches = false
    }

    public struct Nearest: Sendable, Hashable {
        public var stub = TrafficRow.Stub()
        public var conditions: [Condition] = []
    }

    public var nearest: [Nearest] = []
    /// The smallest change that would make a stub match, as a sentence.
    public var change: String?
    public var reason: String?

    public init() {}

    /// Reads the answer of `POST explain`.
    public init(_ answer: JSONValue) {
        change = answer["smallestChange"]?.stringValue
        reason = answer["reason"]?.stringValue
        nearest = (answer["nearMisses"]?.arrayValue ?? []).map { entry in
            var nearest = Nearest()
            nearest.stub = TrafficRow.Stub(entry) ?? TrafficRow.Stub()
            nearest.stub.id = entry["stubMapping"]?["id"]?.stringValue ?? ""
            nearest.stub.name = entry["stubMapping"]?["name"]?.stringValue
            nearest.conditions = (entry["attributes"]?.arrayValue ?? []).map { Condition($0) }
            return nearest
        }
    }

    /// `nearest dogs.yaml:17`; nil if no stub is near.
    public var hint: String? { nearest.first.map { "nearest \($0.stub.label)" } }
}

extension TopExplanation.Condition {
    /// Clearer words for some of WireMock's names of conditions.
    private static let names = [
        "urlPathTemplate": "path", "urlPath": "path", "url": "url", "urlPattern": "url", "urlPathPattern": "path",
    ]

    private static let singular = [
        "headers": "header", "cookies": "cookie", "queryParameters": "query", "pathParameters": "path parameter",
        "formParameters": "form",
    ]

    init(_ attribute: JSONValue) {
        let kind = attribute["attribute"]?.stringValue ?? ""
        name = Self.names[kind] ?? kind
        // WireMock's `headers Accept` is one header.
        for plural in ["headers", "cookies", "queryParameters", "pathParameters", "formParameters"]
        where name == plural || name.hasPrefix(plural + " ") {
            name = (Self.singular[plural] ?? plural) + name.dropFirst(plural.count)
        }
        if let key = attribute["name"]?.stringValue ?? attribute["key"]?.stringValue { name += " " + key }
        expected = Self.text(attribute["expected"]) ?? ""
        actual = Self.text(attribute["actual"])
        matches = attribute["matches"]?.boolValue ?? false
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let value, !value.isNull, value.arrayValue?.isEmpty != true else { return nil }
        // A matcher with one member reads as a sentence: `contains "text"`.
        if let members = value.objectValue?.members, members.count == 1 {
            return "\(members[0].key) \(members[0].value.compactText)"
        }
        return value.stringValue ?? value.compactText
    }
}

/// Where two texts differ.
enum TextDifference {
    /// The lengths of the common start and end of both texts, in characters. Segments left open by a template count as
    /// equal.
    static func common(_ expected: String, _ actual: String) -> (start: (Int, Int), end: (Int, Int)) {
        let wanted = expected.split(separator: "/", omittingEmptySubsequences: false)
        let came = actual.split(separator: "/", omittingEmptySubsequences: false)
        guard wanted.count > 1, expected.hasPrefix("/"), actual.hasPrefix("/") else {
            let start = zip(expected, actual).prefix { $0 == $1 }.count
            let end = tail(expected.dropFirst(start), actual.dropFirst(start))
            return ((start, start), (end, end))
        }
        func isSame(_ left: Substring, _ right: Substring) -> Bool {
            left == right || left.hasPrefix("{") && left.hasSuffix("}") && !right.isEmpty
        }
        var first = 0
        while first < min(wanted.count, came.count), isSame(wanted[first], came[first]) { first += 1 }
        var last = 0
        while last < min(wanted.count, came.count) - first,
            isSame(wanted[wanted.count - 1 - last], came[came.count - 1 - last])
        {
            last += 1
        }
        func length(_ parts: ArraySlice<Substring>) -> Int { parts.reduce(0) { $0 + $1.count + 1 } }
        var start = (length(wanted[..<first]), length(came[..<first]))
        var end = (length(wanted[(wanted.count - last)...]), length(came[(came.count - last)...]))
        start = (min(start.0, expected.count), min(start.1, actual.count))
        end = (min(end.0, expected.count - start.0), min(end.1, actual.count - start.1))
        let left = expected.dropFirst(start.0).dropLast(end.0)
        let right = actual.dropFirst(start.1).dropLast(end.1)
        let more = zip(left, right).prefix { $0 == $1 }.count
        let rest = tail(left.dropFirst(more), right.dropFirst(more))
        return ((start.0 + more, start.1 + more), (end.0 + rest, end.1 + rest))
    }

    private static func tail(_ left: Substring, _ right: Substring) -> Int {
        zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    }
}
