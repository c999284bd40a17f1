import SDJSON
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

/// `memory` and `health`: who holds the memory that grows with what clients do.
@Suite struct MemoryRouteTests {
    @Test func everyHolderAndJournalIsShown() throws {
        let mock = try TestMock()
        let session = try #require(
            try mock.admin("POST", "/sessions", #"{"name": "one"}"#, status: 201)["id"]?.stringValue)
        _ = try Exchange(mock.port, "POST", "/a", body: String(repeating: "x", count: 20_000))
        let memory = try mock.admin("GET", "/memory")
        #expect(memory.objectValue?.keys.sorted() == ["holders", "journals", "limit", "total"])
        #expect(memory["limit"]?.intValue == .max)
        let holders = try #require(memory["holders"]?.objectValue)
        #expect(
            Array(holders.keys) == [
                "journals", "bodies", "messages", "answers", "events", "uploads", "data", "state", "recordings",
                "webhooks", "connections", "names",
            ])
        let bytes = try #require(memory["journals"]?[0]?["bytes"]?.intValue)
        #expect(bytes > 20_000)
        #expect(memory["journals"]?[0] == ["session": .null, "name": .null, "requests": 1, "bytes": number(bytes)])
        #expect(memory["journals"]?[1] == ["session": .string(session), "name": "one", "requests": 0, "bytes": 0])
        #expect(holders["journals"] == number(bytes))
        #expect(holders["names"] == 3)
        #expect(memory["total"] == number(bytes + 3))
        let health = try Exchange(mock.port, "GET", "/__admin/health").headers
        let counts =
            [("limit", Int.max), ("total", bytes + 3)] + holders.members.map { ($0.key, $0.value.intValue ?? -1) }
        let header = counts.map { "\($0)=\($1)" }.joined(separator: ", ")
        #expect(health.first { $0.name == "X-StuntDouble-Memory" }?.value == header)
    }

    private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

    /// Events, pieces of lists and whole answers count until their readers have them, or are gone.
    @Test func whatReadersDoNotTakeCounts() throws {
        let mock = try TestMock()
        let memory = mock.session.memory
        let client = try PersistentConnection(port: mock.port)
        // Twice what the system takes for a reader that reads nothing, in events with at most 8 KiB of a body.
        for _ in 0..<400 { _ = try client.request("POST", "/a", body: String(repeating: "x", count: 20_000)) }
        func begin(_ path: String, _ version: String = "1.1") throws -> RawClient {
            let reader = try RawClient(port: mock.port)
            reader.shrinkReceiveBuffer(to: 4_096)
            try reader.send("GET /__admin\(path) HTTP/\(version)\r\nHost: localhost\r\n\r\n")
            #expect(reader.receive(12, within: 60_000).text == "HTTP/1.1 200")
            return reader
        }
        let list = try begin("/requests")
        #expect(eventually(within: 60_000) { memory.bytes(of: .answers) > 0 ? true : nil } == true)
        let piece = memory.bytes(of: .answers)
        #expect(piece < 1 << 20)
        let whole = try begin("/requests", "1.0")
        #expect(eventually(within: 60_000) { memory.bytes(of: .answers) > 8_000_000 ? true : nil } == true)
        whole.reset()
        #expect(eventually(within: 60_000) { memory.bytes(of: .answers) < 1 << 20 ? true : nil } == true)
        let events = try begin("/events?after=0")
        #expect(eventually(within: 60_000) { memory.bytes(of: .events) > 0 ? true : nil } == true)
        for reader in [list, events] { reader.reset() }
        #expect(
            eventually(within: 60_000) { memory.bytes(of: .answers) + memory.bytes(of: .events) == 0 ? true : nil }
                == true,
            "\(memory.bytes(of: .answers)) and \(memory.bytes(of: .events)) bytes are left")
        mock.session.clearJournal()
        #expect(eventually(within: 60_000) { memory.total == 0 ? true : nil } == true, "\(memory.total) bytes are left")
    }
}
