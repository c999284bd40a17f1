import HTTPTransport
import JSON
import StubModel

/// One event of a session's event stream.
public enum FeedEvent: Sendable {
    /// A request was decided.
    case request(ServeEvent)
    /// The response to a request has ended.
    case response(ServeEvent)
    case change(SessionChange)

    /// The type that tells readers what an event is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case request, response, stub, scenario, reset, reload
    }

    var kind: Kind {
        switch self {
        case .request: .request
        case .response: .response
        case .change(let change):
            switch change {
            case .stub, .imported, .allStubsRemoved: .stub
            case .scenario: .scenario
            case .reset, .requestsForgotten, .scenariosReset: .reset
            case .reload: .reload
            }
        }
    }
}

/// A reader's position in the stream, as stated by the `id` of an event.
struct FeedPosition: Sendable, Hashable {
    /// The sequence of the last request.
    var request: UInt64
    /// The number of the last change.
    var change: UInt64
    /// The sequence up to which the responses to all requests were read.
    var answered: UInt64

    init(request: UInt64, change: UInt64, answered: UInt64) {
        self.request = request
        self.change = change
        self.answered = answered
    }

    /// Parses an event's id. A bare number is the sequence of a request.
    /// - Parameter run: the text that tells the session's ids from those of other runs.
    /// - Returns: nil for an id of another run, and for other text.
    init?(_ text: String, of run: String) {
        if let sequence = UInt64(text) {
            self.init(request: sequence, change: .max, answered: sequence)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { UInt64($0) }
        guard parts.count == 4, numbers.count == 3, parts[0] == run else { return nil }
        self.init(request: numbers[0], change: numbers[1], answered: numbers[2])
    }

    /// Whether the id does not state which changes were read.
    var isBare: Bool { change == .max }

    func text(_ run: String) -> String { "\(run).\(request).\(change).\(answered)" }
}

/// Writes events as text.
struct FeedWriter: Sendable {
    /// The largest number of bytes shown of a request's body.
    static let bodyLimit = 8 * 1024

    /// The text that tells the session's ids from those of other runs.
    let run: String
    private let ids: EventIDs
    private let redaction: Redaction?

    init(_ session: Session) {
        ids = session.eventIDs
        redaction = session.options.redaction
        run = String(ids.text(0).prefix(8))
    }

    /// The first event for a reader: its position.
    func hello(_ position: FeedPosition) -> [UInt8] {
        Array(": events\nid: \(position.text(run))\n\n".utf8)
    }

    func bytes(_ event: FeedEvent, _ position: FeedPosition) -> [UInt8] {
        let data: JSONValue =
            switch event {
            case .request(let event): request(event)
            case .response(let event): response(event)
            case .change(let change): change.json
            }
        return bytes(event.kind.rawValue, data, position)
    }

    /// An event about requests or changes that the reader has missed for good.
    func gap(_ data: JSONValue, _ position: FeedPosition) -> [UInt8] {
        bytes("gap", data, position)
    }

    private func bytes(_ type: String, _ data: JSONValue, _ position: FeedPosition) -> [UInt8] {
        Array("event: \(type)\nid: \(position.text(run))\ndata: ".utf8) + data.compactBytes + [0x0a, 0x0a]
    }

    // MARK: Exchanges

    private func request(_ event: ServeEvent) -> JSONValue {
        let size = event.extras?.wholeBody ?? event.request.body.count
        let isLong = event.request.body.count > Self.bodyLimit
        let shown = LoggedRequest(isLong ? event.request.cut(bodyTo: Self.bodyLimit) : event.request)
        var logged = redaction.shown(shown).json.objectValue ?? JSONObject()
        if isLong || event.extras?.wholeBody != nil { logged["bodyTruncatedFrom"] = number(size) }
        var json = head(event)
        json["wasMatched"] = .bool(!event.isUnmatched)
        json["stub"] = event.stubJSON
        json["status"] = event.status.map { number($0) }
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        json["request"] = .object(logged)
        return .object(json)
    }

    private func response(_ event: ServeEvent) -> JSONValue {
        var json = head(event)
        json["status"] = event.status.map { number($0) }
        json["fault"] = event.fault.map { .string($0.rawValue) }
        guard let end = event.end else { return .object(json) }
        let begin = event.request.clockTime
        json["end"] = .string(end.outcome.name)
        json["bytesSent"] = number(end.bytesSent)
        json["durationMs"] = number(end.endTime > begin ? (end.endTime - begin) / 1_000_000 : 0)
        return .object(json)
    }

    private func head(_ event: ServeEvent) -> JSONObject {
        [
            "sequence": number(event.sequence), "id": .string(ids.text(event.sequence)),
            "method": .string(String(decoding: event.request.method, as: UTF8.self)),
            "url": .string(redaction.shownURL(String(decoding: event.request.url, as: UTF8.self))),
        ]
    }
}

extension Redaction? {
    /// The request without the values to hide.
    func shown(_ request: LoggedRequest) -> LoggedRequest {
        guard self != nil else { return request }
        func fields(_ fields: [ResponseHeader]) -> [ResponseHeader] {
            fields.map { field in ResponseHeader(field.name, field.values.map { shown(field.name, $0) }) }
        }
        var result = request
        result.url = request.url.map(shownURL)
        result.absoluteURL = request.absoluteURL.map(shownURL)
        result.headers = request.headers.map(fields)
        result.cookies = request.cookies?.map { cookie in
            ResponseHeader(cookie.name, cookie.values.map { shown("Cookie", $0) })
        }
        result.query = fields(request.query)
        return result
    }
}

extension SessionChange {
    var json: JSONValue {
        switch self {
        case .stub(let edit, let stub):
            var json: JSONObject = ["change": .string(edit.rawValue), "id": .string(stub.id.lowercasedString)]
            json["name"] = stub.name.map { .string($0) }
            json["key"] = .string(stub.key)
            return .object(json)
        case .imported(let count): return ["change": "imported", "count": number(count)]
        case .allStubsRemoved: return ["change": "allRemoved"]
        case .reset: return ["what": "all"]
        case .requestsForgotten: return ["what": "requests"]
        case .scenariosReset: return ["what": "scenarios"]
        case .scenario(let name, let state): return ["name": .string(name), "state": .string(state)]
        case .reload(let reload):
            var json = JSONObject()
            json["files"] = reload.files.map { .array($0.map { .string($0) }) }
            json["problems"] = .array(
                reload.problems.map {
                    ["severity": $0.isError ? "error" : "warning", "message": .string($0.text)]
                })
            return .object(json)
        }
    }
}
