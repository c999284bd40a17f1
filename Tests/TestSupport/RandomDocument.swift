public import SDJSON

/// Documents made of the dialect's names in wrong places.
public enum RandomDocument {
    private static let schema =
        (try? JSONValue(parsing: PackageFiles.data("docs/schema/stubs.schema.json"))) ?? .null

    /// The names of each kind of object.
    private static let objects = schema.lists(under: "properties")

    /// All names, and keys of routes.
    public static let names = Array(Set(objects.joined())).sorted() + keys

    private static let keys = ["GET /a", "GET /a/{b}?c={d}", "ANY ~/x.*", "GET /{", "/a", "get /a", ""]

    /// The words that stand for themselves.
    private static let words = ["enum", "const"].flatMap { Set(schema.lists(under: $0).joined()).sorted() }
        .map { JSONValue.string($0) }

    public static let scalars: [JSONValue] = [
        .null, true, false, 0, -1, 1.5, 99_999_999_999, "", "x", "120ms", "1e400s", "-0s", "50%", "3KB/s", "forever",
        "headers", "!!", "AQID", "../x", "ANY", "6e5b1f6c-0b8a-4b7e-9f0e-111111111111",
        .number(JSONNumber(validText: "1e400")), .number(JSONNumber(validText: "-9223372036854775809")),
    ]

    /// A value of some of the names and scalars, at most `depth` containers deep. Most names of an object are those of
    /// one kind.
    public static func value(
        depth: Int, names: [String] = names, using generator: inout TestGenerator
    ) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 3), using: &generator) {
        case 0: return words.randomElement(using: &generator) ?? .null
        case 1..<3: return scalars.randomElement(using: &generator) ?? .null
        case 3..<5:
            let count = Int.random(in: 0..<4, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth - 1, names: names, using: &generator) })
        default:
            var object = JSONObject()
            let kind = objects.randomElement(using: &generator) ?? names
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                let isOfKind = Int.random(in: 0..<4, using: &generator) > 0
                let name = (isOfKind ? kind : names).randomElement(using: &generator)
                object[name ?? ""] = value(depth: depth - 1, names: names, using: &generator)
            }
            return .object(object)
        }
    }
}

extension JSONValue {
    /// The texts anywhere in a schema under a keyword; of an object its names.
    fileprivate func lists(under keyword: String) -> [[String]] {
        switch self {
        case .object(let object):
            object.members.flatMap { member -> [[String]] in
                guard member.key == keyword else { return member.value.lists(under: keyword) }
                let words = member.value.arrayValue ?? [member.value]
                let own = member.value.objectValue?.keys ?? words.compactMap(\.stringValue)
                return [own] + member.value.lists(under: keyword)
            }
        case .array(let elements): elements.flatMap { $0.lists(under: keyword) }
        default: []
        }
    }
}
