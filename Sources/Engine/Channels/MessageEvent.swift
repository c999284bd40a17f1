import SDHTTPTransport
package import SDJSON
package import SDJournal
import SDPlatform
import SDStubModel
package import SDWebSocket

/// A message in the journal: WireMock's message serve event.
package final class MessageEvent: Sendable {
    package enum Direction: String, Sendable {
        case received, sent
    }

    /// The number of earlier messages in the session.
    package let number: UInt64
    package let direction: Direction
    package let channel: Channel
    package let message: WebSocketMessage
    /// The stub that answered.
    package let stub: CompiledMessageStub?
    /// Why the stub's actions failed; nil if they did not.
    package let failure: String?
    /// The time in milliseconds since 1970.
    package let time: Int64

    init(
        _ number: UInt64, _ direction: Direction, _ message: WebSocketMessage, on channel: Channel,
        stub: CompiledMessageStub? = nil, failure: String? = nil
    ) {
        self.number = number
        self.direction = direction
        self.message = message
        self.channel = channel
        self.stub = stub
        self.failure = failure
        time = SystemCalls.wallClockMilliseconds()
    }

    package var wasMatched: Bool { direction == .sent || stub != nil || channel.isProxied }

    /// Includes the channel's opening request, which nothing else may retain.
    var byteCount: Int { 200 + message.bytes.count + (channel.request?.byteCount ?? 0) }

    /// The event for event readers.
    func note(_ ids: EventIDs) -> MessageNote {
        MessageNote(
            id: ids.text(number), direction: direction.rawValue, channel: channel.noted,
            isText: message.kind == .text, bytes: message.bytes, wasMatched: wasMatched, stubID: stub?.stub.idText,
            stubName: stub?.stub.name, failure: failure)
    }

    /// The event in WireMock's format.
    /// - Parameter details: adds the bytes of a binary message.
    package func json(_ ids: EventIDs, details: Bool = false) -> JSONValue {
        var json = JSONObject()
        json["id"] = .string(ids.text(number))
        json["eventType"] = .string(direction.rawValue)
        json["channel"] = channel.json(isOpen: true)
        json["message"] = .string(message.text)
        json["stubMapping"] = stub?.stub.json
        json["wasMatched"] = .bool(wasMatched)
        json["timestamp"] = .string(Timestamp(milliseconds: time).shortest)
        if details, message.kind == .binary { json["messageAsBase64"] = .string(Base64.encode(message.bytes)) }
        if let failure { json["subEvents"] = [["type": "ERROR", "data": ["message": .string(failure)]]] }
        return .object(json)
    }
}

extension Channel {
    /// The channel for event readers.
    package var noted: NotedChannel {
        switch kind {
        case .webSocket(let request):
            NotedChannel(id: id.lowercasedString, url: String(decoding: request.url, as: UTF8.self))
        case .fixed(let provider, let name):
            NotedChannel(id: id.lowercasedString, provider: provider.name, name: name)
        }
    }

    package func json(isOpen: Bool) -> JSONValue {
        var json = JSONObject()
        json["type"] = isWebSocket ? "websocket" : "fixed"
        json["id"] = .string(id.lowercasedString)
        json["open"] = .bool(isOpen)
        switch kind {
        case .webSocket(let request):
            var shown = LoggedRequest(request, bodyLimit: 0).json.objectValue ?? JSONObject()
            shown["browserProxyRequest"] = nil
            shown["formParams"] = nil
            for name in ["cookies", "queryParams"] where shown[name]?.objectValue?.isEmpty == true { shown[name] = nil }
            json["initiatingRequest"] = .object(shown)
        case .fixed(let provider, let name):
            json["providerName"] = .string(provider.name)
            json["channelName"] = .string(name)
        }
        return .object(json)
    }
}
