import SDJSON
import SDTestSupport
import Testing

/// A client that reads server-sent events one by one.
final class EventStreamClient {
    struct Event: Equatable, CustomStringConvertible {
        var type: String?
        var id: String?
        var data: JSONValue?

        var description: String { "\(type ?? "–") \(id ?? "–") \(data?.compactText ?? "–")" }
    }

    let client: RawClient
    let head: Exchange
    /// The id of the last event received.
    private(set) var lastID: String?
    private var text = ""

    /// Connects and reads the first event, which only gives the position.
    init(_ port: UInt16, _ query: String = "", lastEventID: String? = nil) throws {
        client = try RawClient(port: port)
        let resume = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try client.send("GET /__admin/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(resume)\r\n")
        let bytes = client.receive(until: "\r\n\r\n")
        head = try Exchange(bytes, isHead: true)
        guard head.status == 200 else { return }
        let first = try #require(next())
        #expect(first.type == nil && first.data == nil)
    }

    /// The next event; nil if the stream ends or nothing arrives in time.
    func next(within milliseconds: Int = 60_000) -> Event? {
        while true {
            if let end = text.firstRange(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                return event(block)
            }
            guard let chunk = chunk(within: milliseconds) else { return nil }
            text += chunk
        }
    }

    private func chunk(within milliseconds: Int) -> String? {
        let line = client.receive(until: "\r\n", within: milliseconds).text
        guard line.hasSuffix("\r\n"), let size = Int(line.dropLast(1), radix: 16), size > 0 else { return nil }
        let bytes = client.receive(size + 2, within: milliseconds).bytes
        return bytes.count == size + 2 ? String(decoding: bytes.dropLast(2), as: UTF8.self) : nil
    }

    private func event(_ block: Substring) -> Event {
        var event = Event()
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
            switch parts[0] {
            case "event": event.type = value
            case "id": event.id = value
            case "data": event.data = try? JSONValue(parsing: value)
            default: Issue.record("a line of another kind: \(line)")
            }
        }
        lastID = event.id ?? lastID
        return event
    }

    /// The next `count` events, each as its type and what distinguishes it.
    func words(_ count: Int) -> [String] {
        (0..<count).map { _ in next().map(Self.word) ?? "nothing" }
    }

    static func word(_ event: Event) -> String {
        var what = ""
        for key in ["reason", "state", "what", "change"] { what = event.data?[key]?.stringValue ?? what }
        if let sequence = event.data?["sequence"]?.intValue { what = "#\(sequence)" }
        return "\(event.type ?? "–") \(what)"
    }
}
