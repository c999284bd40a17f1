import SDBasics
import SDJSON

extension StreamDefinition {
    /// How often the items are sent.
    public enum Rounds: Sendable, Hashable {
        /// That many times, then the response ends.
        case times(Int)
        /// Until the client disconnects or the stream is ended.
        case forever
    }

    /// An event, a chunk or a hold, with the gap before it.
    public struct Item: Sendable, Hashable {
        /// The gap before it, in milliseconds; nil for none.
        public var after: Int?
        /// The event or chunk to send, or the gate to wait at.
        public var content: Content

        /// Makes an item.
        public init(_ content: Content, after: Int? = nil) {
            self.content = content
            self.after = after
        }
    }

    /// The content of an item.
    public enum Content: Sendable, Hashable {
        /// A server-sent event.
        case event(StreamEvent)
        /// A chunk of the body, sent unchanged.
        case chunk(String)
        /// A chunk of the body in Base64.
        case base64(String)
        /// Waits at a gate.
        case hold(GateHold)
    }

    /// Whether the condition holds for any of its texts.
    package func hasText(where condition: (String) -> Bool) -> Bool {
        items.contains { item in
            switch item.content {
            case .event(let event):
                [event.comment, event.event, event.id, event.dataText].contains { $0.map(condition) ?? false }
            case .chunk(let text): condition(text)
            case .base64, .hold: false
            }
        }
    }

    /// The maximum number of steps and bytes of a stream that is rendered completely before its first byte is sent.
    package static let maxWhole = (steps: 1_000, bytes: 256 << 10)

    /// Whether it is rendered while it is sent, so that its length is unknown until its end.
    /// - Parameter isTemplated: whether its texts are templates.
    package func isMadeWhileSent(isTemplated: Bool) -> Bool {
        if name != nil || items.isEmpty { return true }
        if items.contains(where: { if case .hold = $0.content { true } else { false } }) { return true }
        if isTemplated, hasText(where: { $0.contains(text: "{{") }) { return true }
        let count: Int
        switch rounds {
        case nil: count = 1
        case .times(let times): count = times
        case .forever: return true
        }
        let steps = items.reduce(0) { $0 + (($1.after ?? 0) > 0 ? 2 : 1) }
        let size = items.reduce(0) { $0 + $1.content.bytes.count }
        return count > Self.maxWhole.steps || count * steps > Self.maxWhole.steps
            || count * size > Self.maxWhole.bytes
    }

    /// Whether it is a stream of server-sent events: it has events, or a test can push some.
    public var hasEvents: Bool {
        name != nil || items.contains { if case .event = $0.content { true } else { false } }
    }
}

extension StreamDefinition.Content {
    /// The bytes to send; empty for a hold.
    package var bytes: [UInt8] {
        switch self {
        case .event(let event): event.bytes
        case .chunk(let text): Array(text.utf8)
        case .base64(let text): (try? Base64.decode(text)) ?? []
        case .hold: []
        }
    }
}

extension StreamEvent {
    /// The data as it is sent.
    public var dataText: String? { data.map { $0.stringValue ?? $0.compactText } }

    /// The event in wire format: a line for each field, and for each line of the data.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ field: String, _ value: Substring) {
            bytes += Array(field.utf8)
            bytes.append(UInt8(ascii: ":"))
            if !value.isEmpty {
                bytes.append(UInt8(ascii: " "))
                bytes += Array(value.utf8)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        for line in Self.lines(of: comment) { add("", line) }
        if let event { add("event", Self.oneLine(event)) }
        if let id { add("id", Self.oneLine(id)) }
        if let retryMilliseconds { add("retry", String(retryMilliseconds)[...]) }
        for line in Self.lines(of: dataText) { add("data", line) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The lines of a text, separated by LF, CR or CRLF.
    private static func lines(of text: String?) -> [Substring] {
        // CRLF is a single `Character`.
        text?.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" } ?? []
    }

    /// The first line of a text: only data may have several.
    private static func oneLine(_ text: String) -> Substring { lines(of: text).first ?? "" }
}
