import SDHTTPTransport
public import SDJSON
import SDPlatform

/// Something that was done for a request once it was decided, as WireMock's journal lists it below the request.
public struct SubEvent: Sendable {
    /// Its kind: `WEBHOOK_REQUEST`, `WEBHOOK_RESPONSE`, `ERROR`.
    public let type: String
    /// The time since the request came, in nanoseconds; nil for an error, as in WireMock.
    public let offset: UInt64?
    /// The data as text, which takes a fraction of the memory of the value.
    private let text: [UInt8]

    /// - Parameter begin: when the request came, in monotonic nanoseconds.
    package init(_ type: String, _ data: JSONValue, since begin: UInt64) {
        self.type = type
        let now = SystemCalls.monotonicNanoseconds()
        offset = type == "ERROR" ? nil : now > begin ? now - begin : 0
        text = Array(data.compactBytes)
    }

    public var data: JSONValue { (try? JSONValue(parsing: text)) ?? .null }

    /// The approximate size in memory, in bytes.
    package var byteCount: Int { text.count + 96 }
}

extension JournalKeeper {
    /// Adds a sub-event to an event that has room for it. Callable on any thread, whatever became of the event.
    package func append(_ type: String, _ data: JSONValue, to event: ServeEvent) {
        guard keepsJournal, let extras = event.extras else { return }
        let added = SubEvent(type, data, since: event.request.clockTime)
        extras.append(added)
        withJournal { $0.charge(added.byteCount, for: event) }
    }
}
