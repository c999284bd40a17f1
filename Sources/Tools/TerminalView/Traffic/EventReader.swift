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

/// Reads server-sent events from bytes as they come.
public struct EventReader: Sendable {
    private var pending: [UInt8] = []
    private var type = ""
    private var data: [UInt8] = []
    /// The id of the last event, with which another stream resumes.
    public private(set) var lastID: String?

    public init() {}

    /// The longest line; a longer one is none of ours.
    private static let longestLine = 16 << 20

    /// Begins another stream, and drops what an earlier one left unfinished.
    public mutating func begin() {
        (pending, type, data) = ([], "", [])
    }

    /// Reads bytes, and returns the events that they complete.
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
