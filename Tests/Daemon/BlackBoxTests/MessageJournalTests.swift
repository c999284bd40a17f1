import SDJSON
import SDTestSupport
import Testing

/// The journal of messages is bounded, and drops the oldest ones.
@Suite struct MessageJournalTests {
    @Test func theOldestAreDroppedAndTheOthersStayInOrder() throws {
        let daemon = try Daemon(files: [:], ["--max-request-journal-entries", "70"])
        _ = try daemon.request(
            "POST", "/__admin/channel-providers", body: #"{"name": "bus", "driverType": "in-memory"}"#)
        let channel = #"{"providerName": "bus", "channelName": "all"}"#
        #expect(try daemon.request("POST", "/__admin/channels", body: channel).status == 201)
        for number in 0..<300 {
            let sent =
                #"{"type": "fixed", "providerName": "bus", "channelName": "all", "message": {"body": "\#(number)"}}"#
            #expect(try daemon.request("POST", "/__admin/channels/send", body: sent).status == 200)
        }
        let events = try events(daemon)
        #expect(events.map { $0["message"]?.stringValue } == (230..<300).reversed().map(String.init))
        for event in [events[0], events[35], events[69]] {
            let id = try #require(event["id"]?.stringValue)
            #expect(try JSONValue(parsing: daemon.get("/__admin/messages/\(id)").text)["message"] == event["message"])
        }
        let odd = #"{"body": {"matches": ".*[13579]"}}"#
        #expect(try daemon.request("POST", "/__admin/messages/remove", body: odd).status == 200)
        let rest = try self.events(daemon).map { $0["message"]?.stringValue }
        #expect(rest == (115..<150).reversed().map { "\($0 * 2)" })
        #expect(try daemon.request("DELETE", "/__admin/messages").status == 200)
        #expect(try self.events(daemon).isEmpty)
    }

    private func events(_ daemon: Daemon) throws -> [JSONValue] {
        try JSONValue(parsing: daemon.get("/__admin/messages").text)["messageServeEvents"]?.arrayValue ?? []
    }
}
