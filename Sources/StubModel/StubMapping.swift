public import JSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One stub: which requests it answers, and with what. WireMock's stub mapping, field by field.
public struct StubMapping: Sendable, Hashable {
    /// WireMock's priority of a stub that names none; lower numbers win.
    public static let defaultPriority = 5

    public typealias ID = UUID

    /// Identity for `GET`, `PUT` and `DELETE` of the admin API. Also readable as `uuid`, as WireMock 3 does.
    public var id: UUID
    public var name: String?
    public var request: RequestPattern
    public var response: ResponseDefinition
    /// True: saved to disk on creation and edit, its file deleted on removal.
    public var persistent: Bool?
    /// Lower numbers win; nil counts as `defaultPriority`.
    public var priority: Int?
    public var scenarioName: String?
    public var requiredScenarioState: String?
    public var newScenarioState: String?
    /// Kept as written: `[{"name", "parameters"}]`, or the legacy map form.
    public var postServeActions: JSONValue?
    /// Kept as written: `[{"name", "requestPhases", "parameters"}]`.
    public var serveEventListeners: JSONValue?
    /// Free JSON of the user's.
    public var metadata: JSONObject?
    /// The place in the order of insertion; only in persisted files, never in API output.
    public var insertionIndex: Int?

    public init(
        id: UUID = UUID(), name: String? = nil, request: RequestPattern = RequestPattern(),
        response: ResponseDefinition = ResponseDefinition(), priority: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.request = request
        self.response = response
        self.priority = priority
    }
}

extension StubMapping {
    /// Reads an id as WireMock does: 36 characters, letter case irrelevant. Nil if it is none.
    public static func id(text: String) -> ID? {
        text.utf8.count == 36 ? UUID(uuidString: text) : nil
    }

    /// The id as WireMock writes it.
    public var idText: String { id.lowercasedString }
}

extension UUID {
    /// In lower case, as Java writes it.
    public var lowercasedString: String { uuidString.lowercased() }
}
