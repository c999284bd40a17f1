import SDCapture
import SDJSON
import SDStubModel

extension RecordedExchange {
    /// Whether the answer is a stream of server-sent events.
    var isEventStream: Bool {
        RecordedType(responseHeaders.first(named: "Content-Type")).mediaType?.lowercased() == "text/event-stream"
    }
}

/// An answer of server-sent events as the items of a stream: events, and raw slices of the body where an event would
/// not be reproduced exactly.
struct RecordedEvents {
    let stream: StreamDefinition

    /// The maximum number of bytes in raw slices beside events.
    private static let maxInPieces = 8 << 10

    /// - Returns: nil for an answer that is better a plain body.
    init?(_ exchange: RecordedExchange, keepsTiming: Bool) {
        let (body, isPlain) = exchange.plainBody
        guard !body.isEmpty, isPlain else { return nil }
        let clock = keepsTiming ? Clock(exchange.chunks, body.count) : nil
        var items: [StreamDefinition.Item] = []
        var (piece, bytesInPieces, events) = (0..<0, 0, 0)
        func add(_ content: StreamDefinition.Content, _ range: Range<Int>) {
            items.append(StreamDefinition.Item(content, after: clock?.gap(range)))
        }
        func endPiece() {
            if !piece.isEmpty { add(Self.piece(body[piece]), piece) }
            piece = piece.upperBound..<piece.upperBound
        }
        for block in Self.blocks(body) {
            if let event = StreamEvent(recorded: Array(body[block])) {
                endPiece()
                add(.event(event), block)
                events += 1
                piece = block.upperBound..<block.upperBound
            } else {
                // Without times there is no reason to separate slices.
                if clock != nil { endPiece() }
                piece = piece.lowerBound..<block.upperBound
                bytesInPieces += block.count
            }
        }
        endPiece()
        guard keepsTiming || events > 0 && bytesInPieces <= Self.maxInPieces else { return nil }
        stream = StreamDefinition(items)
    }

    private static func piece(_ bytes: ArraySlice<UInt8>) -> StreamDefinition.Content {
        if let text = String(validating: bytes, as: UTF8.self) { .chunk(text) } else { .base64(Base64.encode(bytes)) }
    }

    /// The arrival times of a body's chunks.
    private struct Clock {
        /// In nanoseconds since the head, by the end offset of each chunk.
        private var ends: [(end: Int, time: UInt64)] = []

        /// - Parameter count: the size of the body in bytes; the chunks of another body are ignored.
        init(_ chunks: [RecordedExchange.Chunk], _ count: Int) {
            guard chunks.reduce(0, { $0 + $1.count }) == count else { return }
            for chunk in chunks {
                ends.append(((ends.last?.end ?? 0) + chunk.count, (ends.last?.time ?? 0) + chunk.gap))
            }
        }

        /// The milliseconds between the previous part's arrival and this one's; nil for less than one.
        func gap(_ range: Range<Int>) -> Int? {
            let before = range.lowerBound == 0 ? 0 : time(of: range.lowerBound) ?? 0
            let gap = Int((max(time(of: range.upperBound) ?? before, before) - before) / 1_000_000)
            return gap > 0 ? gap : nil
        }

        private func time(of end: Int) -> UInt64? {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].end < end { low = middle + 1 } else { high = middle }
            }
            return low < ends.count ? ends[low].time : nil
        }
    }

    /// The blocks that end with an empty line, with any kind of line end.
    private static func blocks(_ body: [UInt8]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var (start, line, index) = (0, 0, 0)
        while index < body.count {
            let byte = body[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            let isEmpty = index - 1 == line
            if byte == 0x0D, index < body.count, body[index] == 0x0A { index += 1 }
            line = index
            guard isEmpty else { continue }
            blocks.append(start..<index)
            start = index
        }
        if start < body.count { blocks.append(start..<body.count) }
        return blocks
    }
}

extension StreamEvent {
    /// Parses a block of lines as an event; nil if a file cannot express it, or it would be sent differently.
    fileprivate init?(recorded block: [UInt8]) {
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
        if !data.isEmpty { self.data = Self.data(data.joined(separator: "\n")) }
        guard bytes == block, isReadBack else { return nil }
    }

    /// The text, or the JSON value that is written as exactly this text.
    private static func data(_ text: String) -> JSONValue {
        guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = try? JSONValue(parsing: Array(text.utf8)[...]), json.isShallow, json.compactText == text
        else { return .string(text) }
        return json
    }

    /// Whether a file can express it.
    private var isReadBack: Bool {
        var reader = ModelReader()
        let stream = StreamDefinition([StreamDefinition.Item(.event(self))])
        return StreamDefinition.read(stream.json, &reader) == stream && reader.problems.isEmpty
    }
}
