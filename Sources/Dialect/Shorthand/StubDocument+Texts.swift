import SDJSON
import SDStubModel

/// Literal texts in formats with several spellings for a value: YAML parses `007` as the number 7, but where a string
/// is expected it means the literal text.
extension JSONValue {
    /// The document with literal texts at `places`, except where JSON has the same spelling.
    /// - Parameter spelling: the same document with each scalar as its literal text.
    /// - Returns: nil if nothing changes.
    func withTexts(at places: [[String]], of spelling: JSONValue) -> JSONValue? {
        var writer = SpellingWriter(places)
        let respelt = writer.respelling(self, spelling)
        return writer.hasChanged ? respelt : nil
    }

    /// Warnings about JSON numbers with a leading zero in the source, such as codes and telephone numbers, which lose
    /// it.
    /// - Parameters:
    ///   - spelling: the document with each scalar as its literal text.
    ///   - places: the paths of scalars that are taken literally.
    func lostZeros(in spelling: JSONValue, except places: [[String]]) -> [ModelProblem] {
        var search = ZeroSearch(kept: Set(places))
        search.look(at: self, spelling)
        return search.found
    }
}

private struct ZeroSearch {
    /// The keys of values that are sent, compared or stored as JSON.
    private static let documents: Set = [
        "json", "jsonBody", "equalToJson", "data", "body", "jsonPath", "parameters", "transformerParameters",
    ]
    private static let most = 100

    let kept: Set<[String]>
    private(set) var found: [ModelProblem] = []
    private var path: [String] = []
    private var isInDocument = false

    init(kept: Set<[String]>) {
        self.kept = kept
    }

    mutating func look(at value: JSONValue, _ spelling: JSONValue?) {
        switch value {
        case .object(let object):
            for member in object.members where !path.isEmpty || !RouteShorthand.isSharedValue(member.key) {
                let outer = isInDocument
                isInDocument = outer || Self.documents.contains(member.key)
                within(member.key) { $0.look(at: member.value, spelling?[member.key]) }
                isInDocument = outer
            }
        case .array(let elements):
            let spellings = spelling?.arrayValue ?? []
            for (index, element) in elements.enumerated() where index < spellings.count {
                within(String(index)) { $0.look(at: element, spellings[index]) }
            }
        case .number(let number):
            guard isInDocument, found.count < Self.most, let text = spelling?.stringValue, Self.beginsWithZero(text),
                !kept.contains(path)
            else { return }
            found.append(
                ModelProblem(
                    pointer: JSONPointer(path), message: "\(text) is the number \(number.text), without its zero",
                    expected: "quotes around a text", suggestion: text))
        case .null, .bool, .string: return
        }
    }

    private static func beginsWithZero(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        return digits.count > 1 && digits.first == UInt8(ascii: "0")
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func within(_ token: String, _ look: (inout ZeroSearch) -> Void) {
        path.append(token)
        look(&self)
        path.removeLast()
    }
}

private struct SpellingWriter {
    private let places: Set<[String]>
    /// The paths of ancestors of `places`.
    private let ways: Set<[String]>
    private var path: [String] = []
    private(set) var hasChanged = false

    init(_ places: [[String]]) {
        self.places = Set(places)
        var ways: Set<[String]> = [[]]
        for place in places {
            var path = place
            while ways.insert(path).inserted { path.removeLast() }
        }
        self.ways = ways
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
            // An empty value and the word `null` are not strings.
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
