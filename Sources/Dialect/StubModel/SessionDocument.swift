public import JSON
import Spelling

/// The body of `POST /__admin/sessions`: the options of a session. An addition to WireMock's admin API.
public struct SessionDocument: Sendable {
    public var name: String?
    /// The session's own port; 0 takes a free one, nil takes none.
    public var port: Int?
    /// Whether it inherits the base's stubs and settings.
    public var inherit = true
    public var seed: Int?
    public var settings: GlobalSettings?
    /// The time without a request after which it ends, in milliseconds.
    public var ttlMilliseconds: Int?

    private static let fieldNames = ["name", "port", "inherit", "seed", "settings", "ttl"]

    /// Makes a document with defaults.
    public init() {}

    /// Reads the document.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        if case .object(let object) = json {
            for member in object.members {
                reader.within(member.key) { read(member, &$0) }
            }
        } else {
            reader.refuse(
                "not a session", expected: "an object such as {\"name\": \"login test\"}", found: json.shortDescription)
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        // Null counts as absent for a known field.
        guard !value.isNull || !Self.fieldNames.contains(member.key) else { return }
        switch member.key {
        case "name": name = reader.string(value)
        case "port": port = reader.wholeNumber(value, in: 0...65_535, "a port, or 0 for a free one")
        case "inherit": inherit = reader.bool(value) ?? true
        case "seed": seed = reader.wholeNumber(value, in: Int.min...Int.max, "a whole number")
        case "settings": settings = GlobalSettings(value, &reader)
        case "ttl": ttlMilliseconds = StubMapping.readTTL(value, &reader)
        default:
            reader.refuse(
                "unknown key \(member.key)", expected: "one of \(Self.fieldNames.joined(separator: ", "))", found: nil,
                suggestion: nearestName(to: member.key, among: Self.fieldNames))
        }
    }

    /// A time to live in its written form.
    public static func text(ttl milliseconds: Int) -> String {
        RouteDuration.text(milliseconds: milliseconds)
    }
}
