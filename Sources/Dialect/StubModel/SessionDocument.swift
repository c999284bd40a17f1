public import JSON
import Spelling

/// The body of `POST /__admin/sessions`: what a session is to be like. An addition to WireMock's admin API.
public struct SessionDocument: Sendable {
    public var name: String?
    /// A port of its own; 0 takes a free one, nil takes none.
    public var port: Int?
    /// It shows the first session's stubs and settings beside its own.
    public var inherit = true
    public var seed: Int?
    public var settings: GlobalSettings?
    /// Without a request for so long it ends.
    public var ttlMilliseconds: Int?

    private static let fieldNames = ["name", "port", "inherit", "seed", "settings", "ttl"]

    /// Asks for nothing special.
    public init() {}

    /// - Throws: everything that is wrong with it.
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
        // Null is no value, of a field that there is.
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

    /// A time to live as it is written.
    public static func text(ttl milliseconds: Int) -> String {
        RouteDuration.text(milliseconds: milliseconds)
    }
}
