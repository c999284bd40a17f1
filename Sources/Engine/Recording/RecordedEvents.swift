import SDJSON
import SDStubModel

extension RecordedExchange {
    /// Whether the answer is a stream of server-sent events.
    var isEventStream: Bool {
        RecordedType(responseHeaders.first(named: "Content-Type")).mediaType?.lowercased() == "text/event-stream"
    }
}

/// An answer of server-sent events as the items of a stream: events where they would be sent as they came, otherwise
/// the pieces of the body.
struct RecordedEvents {
    let stream: StreamDefinition

    /// - Returns: nil for an answer without a body.
    init?(_ exchange: RecordedExchange, keepsTiming: Bool) {
        let (body, isPlain) = exchange.plainBody
        guard !body.isEmpty, isPlain else { return nil }
        // When each piece had come, by the index of its end, in nanoseconds since the head.
        var ends: [(end: Int, time: UInt64)] = []
        for chunk in exchange.chunks {
            ends.append(((ends.last?.end ?? 0) + chunk.count, (ends.last?.time ?? 0) + chunk.gap))
        }
        if ends.last?.end != body.count { ends = [(body.count, 0)] }
        /// The time between what ends at one index and what ends at another, in milliseconds.
        func gap(from start: Int, to end: Int) -> Int? {
            guard keepsTiming else { return nil }
            let before = start == 0 ? 0 : ends.first { $0.end >= start }?.time ?? 0
            let milliseconds = Int(((ends.first { $0.end >= end }?.time ?? before) - before) / 1_000_000)
            return milliseconds > 0 ? milliseconds : nil
        }
        let blocks = Self.blocks(body)
        let events = blocks.compactMap { StreamEvent(Array(body[$0])) }
        if events.count == blocks.count, events.flatMap(\.bytes) == body {
            stream = StreamDefinition(
                zip(blocks, events).map { block, event in
                    StreamDefinition.Item(.event(event), after: gap(from: block.lowerBound, to: block.upperBound))
                })
            return
        }
        var start = 0
        var items: [StreamDefinition.Item] = []
        for (end, _) in ends where end > start {
            let piece = Array(body[start..<end])
            let content: StreamDefinition.Content =
                if let text = String(validating: piece, as: UTF8.self) { .chunk(text) } else {
                    .base64(Base64.encode(piece))
                }
            items.append(StreamDefinition.Item(content, after: gap(from: start, to: end)))
            start = end
        }
        stream = StreamDefinition(items)
    }

    /// The places of what ends with an empty line.
    private static func blocks(_ body: [UInt8]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = 0
        var index = 0
        while index + 1 < body.count {
            if body[index] == 0x0A, body[index + 1] == 0x0A {
                blocks.append(start..<(index + 2))
                start = index + 2
                index = start
            } else {
                index += 1
            }
        }
        if start < body.count { blocks.append(start..<body.count) }
        return blocks
    }
}

extension StreamEvent {
    /// Reads an event that is a block of lines; nil if it has other fields.
    fileprivate init?(_ block: [UInt8]) {
        guard let text = String(validating: block, as: UTF8.self) else { return nil }
        self.init()
        var (comments, data): ([Substring], [Substring]) = ([], [])
        for line in text.split(separator: "\n" as Character, omittingEmptySubsequences: true) {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            var value = line[line.index(after: colon)...]
            if value.first == " " { value = value.dropFirst() }
            switch line[..<colon] {
            case "": comments.append(value)
            case "event": event = String(value)
            case "id": id = String(value)
            case "retry": retryMilliseconds = Int(value)
            case "data": data.append(value)
            default: return nil
            }
        }
        if !comments.isEmpty { comment = comments.joined(separator: "\n") }
        guard !data.isEmpty else { return }
        let joined = data.joined(separator: "\n")
        let json = try? JSONValue(parsing: Array(joined.utf8)[...])
        self.data =
            switch json {
            case .object?, .array?: json?.compactText == joined ? json : .string(joined)
            default: .string(joined)
            }
    }
}
