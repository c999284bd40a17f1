public import SDJSON

/// A channel in live events.
public struct NotedChannel: Sendable, Hashable {
    public let id: String
    /// The path and query of the opening request; nil for a fixed channel.
    public let url: String?
    /// The provider's and the channel's name, for a fixed channel.
    public let provider, name: String?

    package init(id: String, url: String) {
        (self.id, self.url) = (id, url)
        (provider, name) = (nil, nil)
    }

    package init(id: String, provider: String, name: String) {
        (self.id, self.provider, self.name) = (id, provider, name)
        url = nil
    }

    public func json(_ redaction: Redaction?) -> JSONObject {
        var json: JSONObject = ["type": url == nil ? "fixed" : "websocket", "id": .string(id)]
        json["url"] = url.map { .string(redaction.redactedURL($0)) }
        json["providerName"] = provider.map { .string(redaction.redactedURL($0)) }
        json["channelName"] = name.map { .string(redaction.redactedURL($0)) }
        return json
    }
}

/// The opening or the end of a channel.
public struct ChannelNote: Sendable, Hashable {
    /// How a channel ended.
    public struct End: Sendable, Hashable {
        /// The code of the close frame; 1005 for a frame without a code, 1006 without a frame.
        public let code: Int
        public let reason: String
        /// The cause of the end, such as `client`.
        public let cause: String

        package init(code: Int, reason: String, cause: String) {
            (self.code, self.reason, self.cause) = (code, reason, cause)
        }
    }

    public let channel: NotedChannel
    /// Nil for an opening, and for a fixed channel.
    public let end: End?
    let isOpened: Bool

    package init(opened channel: NotedChannel) {
        self.channel = channel
        (end, isOpened) = (nil, true)
    }

    package init(closed channel: NotedChannel, _ end: End?) {
        (self.channel, self.end) = (channel, end)
        isOpened = false
    }

    public func json(_ redaction: Redaction?) -> JSONObject {
        var json: JSONObject = ["change": isOpened ? "opened" : "closed"]
        for member in channel.json(redaction).members { json[member.key] = member.value }
        if let end {
            json["code"] = .number(JSONNumber(end.code))
            if !end.reason.isEmpty { json["reason"] = .string(redaction.redactedURL(end.reason)) }
            json["cause"] = .string(end.cause)
        }
        return json
    }
}

/// A message that was received or is sent.
public struct MessageNote: Sendable, Hashable {
    /// The message's id in the journal of messages.
    public let id: String
    /// `received` or `sent`.
    public let direction: String
    public let channel: NotedChannel
    public let isText: Bool
    public let bytes: [UInt8]
    public let wasMatched: Bool
    /// The id and the name of the message stub that answered.
    public let stubID, stubName: String?
    /// Why the stub could not act as defined.
    public let failure: String?

    package init(
        id: String, direction: String, channel: NotedChannel, isText: Bool, bytes: [UInt8], wasMatched: Bool,
        stubID: String?, stubName: String?, failure: String?
    ) {
        (self.id, self.direction, self.channel) = (id, direction, channel)
        (self.isText, self.bytes, self.wasMatched) = (isText, bytes, wasMatched)
        (self.stubID, self.stubName, self.failure) = (stubID, stubName, failure)
    }

    /// Whether it is reported even to readers with a limited rate.
    var isRemarkable: Bool { !wasMatched || failure != nil }

    /// - Parameter most: the largest number of bytes to show.
    public func json(_ redaction: Redaction?, most: Int) -> JSONObject {
        var json: JSONObject = [
            "id": .string(id), "direction": .string(direction), "channel": .object(channel.json(redaction)),
            "kind": isText ? "text" : "binary", "size": .number(JSONNumber(bytes.count)),
            "message": .string(redaction.redacted(message: bytes, most: most)), "wasMatched": .bool(wasMatched),
        ]
        if let stubID {
            json["stub"] = [
                "id": .string(stubID), "name": stubName.map { .string(redaction.redactedURL($0)) } ?? .null,
            ]
        }
        json["failure"] = failure.map { .string(redaction.redactedURL($0)) }
        return json
    }
}

/// The message bytes that are searched for secrets before the text is cut.
private let readAtOnce = 8 << 10

extension Redaction? {
    /// The beginning of a message as text, with secrets redacted; bytes that are not UTF-8 become U+FFFD.
    package func redacted(message: [UInt8], most: Int) -> String {
        let shown = redacted(body: Array(message.prefix(max(most, readAtOnce))), type: nil)
        if shown.count <= most, message.count <= max(most, readAtOnce) { return String(decoding: shown, as: UTF8.self) }
        var kept = shown.prefix(most)
        // Cut only between characters.
        while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
        if let last = kept.last, last & 0x80 != 0 { kept.removeLast() }
        return String(decoding: kept, as: UTF8.self) + "…"
    }
}
