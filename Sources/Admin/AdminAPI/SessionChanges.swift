import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine

/// Reports to a reader of events which of the call's sessions start and end.
final class SessionChanges: SessionsObserver {
    private let connection: EventStreamConnection
    private let caller: Session
    private let sessions: SessionRegistry

    init(_ connection: EventStreamConnection, _ call: AdminCall) {
        self.connection = connection
        caller = call.session
        sessions = call.sessions
    }

    func begin() { sessions.add(self) }
    func end() { sessions.remove(self) }

    func began(_ live: LiveSession) { tell("begun", live) }
    func ended(_ live: LiveSession, verdict: String) { tell("ended", live, ("verdict", .string(verdict))) }

    private func tell(_ change: String, _ live: LiveSession, _ more: (String, JSONValue)? = nil) {
        guard sessions.isVisible(live, to: caller) else { return }
        var json: JSONObject = ["change": .string(change), "id": .string(live.id.text)]
        json["name"] = live.redactedName.map { .string($0) }
        if let (key, value) = more { json[key] = value }
        json["session"] = RequestRow(of: live.session).session
        let text = "event: session\ndata: \(JSONValue.object(json).compactText)\n\n"
        connection.send(WireBytes(Array(text.utf8)))
    }
}
