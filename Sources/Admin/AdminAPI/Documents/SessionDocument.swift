import SDBasics
import SDJSON
import SDMockEngine
import SDStubModel

/// The body of `POST /__admin/sessions`: the options of a session. An addition to WireMock's admin API.
struct SessionDocument: Sendable {
    var name: String?
    /// The session's own port; 0 for a free one, nil for none.
    var port: Int?
    /// The session's own HTTPS port; 0 for a free one, nil for none.
    var httpsPort: Int?
    /// Whether it inherits the base's stubs and settings.
    var inherit = true
    var seed: Int?
    var settings: GlobalSettings?
    /// Where unmatched requests are proxied; nil for the settings' default.
    var passThrough: ProxyDefinition?
    /// The idle time after which the session ends, in milliseconds.
    var ttlMilliseconds: Int?

    private static let fieldNames = ["name", "port", "httpsPort", "inherit", "seed", "settings", "ttl", "passThrough"]

    /// Makes a document with defaults.
    init() {}

    /// Reads the document.
    /// - Throws: all problems.
    init(json: JSONValue) throws(ModelProblems) {
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
        // Null counts as absent for a known member.
        guard !value.isNull || !Self.fieldNames.contains(member.key) else { return }
        switch member.key {
        case "name":
            name = reader.string(value)
            let most = SessionRequest.longestName
            if let bytes = name?.utf8.count, bytes > most {
                reader.refuse(
                    "the name is too long", expected: "at most \(most) bytes of UTF-8", found: "\(bytes) bytes")
            }
        case "port": port = reader.wholeNumber(value, in: 0...65_535, "a port, or 0 for a free one")
        case "httpsPort": httpsPort = reader.wholeNumber(value, in: 0...65_535, "a port, or 0 for a free one")
        case "inherit": inherit = reader.bool(value) ?? true
        case "seed": seed = reader.wholeNumber(value, in: Int.min...Int.max, "a whole number")
        case "settings": settings = GlobalSettings(value, &reader)
        case "passThrough": passThrough = ProxyDefinition.read(value, allowsTemplate: false, &reader)
        case "ttl": ttlMilliseconds = StubMapping.readTTL(value, &reader)
        default:
            reader.refuse(
                "unknown key \(member.key)", expected: "one of \(Self.fieldNames.joined(separator: ", "))", found: nil,
                suggestion: meantName(by: member.key, among: Self.fieldNames))
        }
    }

    /// A time to live as text.
    static func text(ttl milliseconds: Int) -> String {
        DurationText.text(milliseconds: milliseconds)
    }
}
