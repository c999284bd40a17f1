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

    /// Stands for an id that is not known yet: the nil UUID.
    static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Costs a call of the system's generator, some microseconds.
    static func randomID() -> ID { UUID() }

    /// An id that depends on `text` alone (RFC 9562 section 5.8, version 8). Not for secrets.
    public static func id(hashing text: String) -> ID {
        var high: UInt64 = 0xCBF2_9CE4_8422_2325
        var low: UInt64 = 0x9AE1_6A3B_2F90_404F
        for byte in text.utf8 {
            // FNV-1a, from two starts.
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low ^= high >> 29
        }
        func byte(_ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(8 * (7 - index % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x80, byte(7),
                byte(8) & 0x3F | 0x80, byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }

    /// The id as WireMock writes it.
    public var idText: String { id.lowercasedString }
}

extension UUID {
    /// In lower case, as Java writes it.
    public var lowercasedString: String { uuidString.lowercased() }
}
