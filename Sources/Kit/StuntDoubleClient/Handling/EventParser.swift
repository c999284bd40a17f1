import SDJSON

/// Reads server-sent events (HTML Living Standard, section 9.2) from bytes as they arrive.
struct EventParser {
    struct Event: Sendable, Hashable {
        var type = ""
        /// The id of the event, sent as `Last-Event-ID` on reconnection.
        var id: String?
        var data: [UInt8] = []
    }

    private var event = Event()
    private var line: [UInt8] = []

    /// Consumes bytes and returns the events that they complete.
    mutating func consume(_ bytes: ArraySlice<UInt8>) -> [Event] {
        var events: [Event] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line += rest[..<end]
            rest = rest[(end + 1)...]
            if let whole = consumeLine() { events.append(whole) }
            line.removeAll(keepingCapacity: true)
        }
        line += rest
        return events
    }

    /// Consumes a line; returns the event that it completes, if any.
    private mutating func consumeLine() -> Event? {
        if line.isEmpty {
            defer { event = Event() }
            return event.id == nil && event.data.isEmpty ? nil : event
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event.type = String(decoding: value, as: UTF8.self)
        case "id": event.id = String(decoding: value, as: UTF8.self)
        case "data":
            if !event.data.isEmpty { event.data.append(UInt8(ascii: "\n")) }
            event.data += value
        default: break
        }
        return nil
    }
}
