public import SDJSON

/// An event of the admin API's stream.
public struct TrafficEvent: Sendable {
    public var type: String
    public var data: JSONValue

    public init(type: String, data: JSONValue) {
        self.type = type
        self.data = data
    }
}

/// Parses server-sent events from bytes as they arrive.
public struct EventReader: Sendable {
    private var pending: [UInt8] = []
    private var type = ""
    private var data: [UInt8] = []
    /// The id of the last event, for resuming in another stream.
    public private(set) var lastID: String?

    public init() {}

    /// The maximum length of a line; the daemon sends no longer ones.
    private static let longestLine = 16 << 20

    /// Starts another stream, and drops the incomplete rest of the previous one.
    public mutating func begin() {
        (pending, type, data) = ([], "", [])
    }

    /// Parses bytes, and returns the events that they complete.
    public mutating func read(_ bytes: some Collection<UInt8>) -> [TrafficEvent] {
        var events: [TrafficEvent] = []
        pending += bytes
        var start = pending.startIndex
        while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = pending[start..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let event = take(line) { events.append(event) }
            start = end + 1
        }
        pending.removeSubrange(..<start)
        if pending.count > Self.longestLine { pending = [] }
        return events
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> TrafficEvent? {
        if line.isEmpty {
            defer { (type, data) = ("", []) }
            guard !data.isEmpty, let json = try? JSONValue(parsing: data) else { return nil }
            return TrafficEvent(type: type, data: json)
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id": lastID = String(decoding: value, as: UTF8.self)
        case "data": data += value
        default: break
        }
        return nil
    }
}
