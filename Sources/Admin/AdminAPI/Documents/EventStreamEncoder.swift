import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel

/// Writes a session's events as server-sent events (HTML Living Standard, section 9.2).
struct EventStreamEncoder: FeedEncoder {
    /// The maximum number of request body bytes shown.
    static let bodyLimit = 8 * 1024
    /// The maximum number of bytes of a message shown in a row.
    static let rowLimit = 400

    private let rows: RequestRow
    private var redaction: Redaction? { rows.redaction }

    init(_ session: Session) {
        rows = RequestRow(of: session)
    }

    /// The first event for a reader: its position.
    func hello(_ position: String, _ form: FeedForm) -> [UInt8] {
        // A merged stream reports a position of its own.
        form.isMerged ? [] : Array(": events\nid: \(position)\n\n".utf8)
    }

    func bytes(_ event: FeedEvent, _ position: @autoclosure () -> String, _ form: FeedForm) -> [UInt8] {
        switch event {
        case .request(let request):
            guard !form.isBrief else { return row(event, position(), form) { rows.add(request, to: &$0) } }
            return bytes(event.kind.name, self.request(request), position(), form)
        case .response(let answered):
            guard !form.isBrief else { return row(event, position(), form) { rows.add(ended: answered, to: &$0) } }
            return bytes(event.kind.name, response(answered), position(), form)
        case .change(let change):
            return bytes(event.kind.name, change.json(redaction, rows, isBrief: form.isBrief), position(), form)
        }
    }

    /// Rows are frequent, so they are written directly, without JSON values.
    private func row(
        _ event: FeedEvent, _ position: @autoclosure () -> String, _ form: FeedForm,
        _ add: (inout JSONMembers) -> Void
    ) -> [UInt8] {
        let id = form.isMerged ? "" : "id: \(position())\n"
        var row = JSONMembers(behind: "event: \(event.kind.name)\n\(id)data: ")
        add(&row)
        let session = rows.session
        if form.isMerged || session != nil { row.add("session", session ?? .null) }
        return row.end(before: "\n\n")
    }

    /// An event about requests or changes that the reader can no longer get.
    func gap(_ gap: FeedGap, _ position: String, _ form: FeedForm) -> [UInt8] {
        var json: JSONObject = ["reason": .string(gap.isOfAnotherRun ? "another run" : "no longer kept")]
        if gap.requestsUpTo > 0 { json["requestsUpTo"] = number(gap.requestsUpTo) }
        return bytes("gap", json, position, form)
    }

    private func bytes(
        _ type: String, _ data: JSONObject, _ position: @autoclosure () -> String, _ form: FeedForm
    ) -> [UInt8] {
        var data = data
        if form.isMerged { data["session"] = rows.session ?? .null }
        let id = form.isMerged ? "" : "id: \(position())\n"
        return Array("event: \(type)\n\(id)data: ".utf8) + JSONValue.object(data).compactBytes + [0x0a, 0x0a]
    }

    // MARK: Exchanges

    private func request(_ event: ServeEvent) -> JSONObject {
        var logged = LoggedRequest(event.request, bodyLimit: Self.bodyLimit)
        logged.wholeBody = event.wholeBody ?? logged.wholeBody
        var json = head(event)
        json["wasMatched"] = .bool(!event.isUnmatched)
        json["stub"] = event.stubJSON(redaction)
        json["status"] = event.status.map { number($0) }
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        json["request"] = redaction.redacted(logged).json
        return json
    }

    private func response(_ event: ServeEvent) -> JSONObject {
        var json = head(event)
        json["status"] = event.status.map { number($0) }
        rows.add(answerOf: event, to: &json)
        json["session"] = rows.session
        return json
    }

    private func head(_ event: ServeEvent) -> JSONObject {
        var json = JSONObject()
        rows.addHead(event, to: &json)
        json["url"] = .string(redaction.url(of: event.request))
        return json
    }
}

extension SessionChange {
    fileprivate func json(_ redaction: Redaction?, _ rows: RequestRow, isBrief: Bool) -> JSONObject {
        switch self {
        case .stub(let edit, let stub):
            var json: JSONObject = ["change": .string(edit.rawValue), "id": .string(stub.id.lowercasedString)]
            json["name"] = stub.name.map { .string(redaction.redactedURL($0)) }
            json["key"] = .string(redaction.redactedURL(stub.key))
            return json
        case .imported(let count): return ["change": "imported", "count": number(count)]
        case .allStubsRemoved: return ["change": "allRemoved"]
        case .reset: return ["what": "all"]
        case .requestsForgotten: return ["what": "requests"]
        case .scenariosReset: return ["what": "scenarios"]
        case .scenario(let name, let state), .scenarioMoved(let name, let state):
            return ["name": .string(redaction.redactedURL(name)), "state": .string(state)]
        case .gate(let note):
            var json: JSONObject = [
                "name": .string(redaction.redactedURL(note.name)), "change": .string(note.change.rawValue),
            ]
            json["count"] = note.count.map { number($0) }
            json["sequence"] = note.sequence.map { number($0) }
            json["id"] = note.sequence.map { .string(rows.ids.text($0)) }
            return json
        case .fault(let edit, let id, let name):
            var json: JSONObject = ["change": .string(edit.rawValue)]
            json["id"] = id.map { .string($0.lowercasedString) }
            json["name"] = name.map { .string(redaction.redactedURL($0)) }
            return json
        case .recording(let isStarted): return ["change": isStarted ? "started" : "stopped"]
        case .setting: return [:]
        case .channel(let note): return note.json(redaction)
        case .message(let note):
            return note.json(
                redaction, most: isBrief ? EventStreamEncoder.rowLimit : EventStreamEncoder.bodyLimit)
        case .reload(let reload):
            var json = JSONObject()
            json["files"] = reload.files.map { .array($0.map { .string($0) }) }
            json["problems"] = .array(
                reload.problems.map {
                    ["severity": $0.isError ? "error" : "warning", "message": .string($0.text)]
                })
            return json
        }
    }
}
