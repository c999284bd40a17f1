import SDJSON

/// The texts of a document whose format has more spellings for a value than JSON: `007` is the number 7 to YAML, and
/// was meant as it stands where a text is wanted.
extension JSONValue {
    /// The document with the scalars at `places` as they are spelt, unless JSON spells them so.
    /// - Parameter spelling: the same document with each scalar as its spelling.
    /// - Returns: nil if that changes nothing.
    func withTexts(at places: [[String]], of spelling: JSONValue) -> JSONValue? {
        var writer = SpellingWriter(places)
        let respelt = writer.respelling(self, spelling)
        return writer.hasChanged ? respelt : nil
    }
}

private struct SpellingWriter {
    private let places: Set<[String]>
    /// The paths that lead to `places`.
    private let ways: Set<[String]>
    private var path: [String] = []
    private(set) var hasChanged = false

    init(_ places: [[String]]) {
        self.places = Set(places)
        ways = SourceMap.withAncestors(places.map { JSONPointer($0) })
    }

    mutating func respelling(_ value: JSONValue, _ spelling: JSONValue?) -> JSONValue {
        guard ways.contains(path) else { return value }
        switch value {
        case .object(var object):
            for member in object.members {
                object[member.key] = within(member.key) { $0.respelling(member.value, spelling?[member.key]) }
            }
            return .object(object)
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    within(String(index)) { $0.respelling(element, spelling?[index]) }
                })
        case .string: return value
        case .null:
            // Nothing, and the word `null`, are no texts.
            guard places.contains(path), let spelling, spelling == "~" else { return value }
            hasChanged = true
            return spelling
        case .bool, .number:
            guard places.contains(path), let spelling, spelling.stringValue != value.compactText else { return value }
            hasChanged = true
            return spelling
        }
    }

    private mutating func within<Result>(_ token: String, _ body: (inout SpellingWriter) -> Result) -> Result {
        path.append(token)
        defer { path.removeLast() }
        return body(&self)
    }
}
