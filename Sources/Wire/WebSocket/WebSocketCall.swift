private import SDBasics
public import SDHTTPTransport

/// How another server is asked to switch to WebSocket for a client, and which answers are valid (RFC 6455, section
/// 4.1).
public struct WebSocketCall: Sendable {
    public let offer: WebSocketOffer
    /// The names of the client's fields that are not forwarded, in lower case.
    public let removed: Set<String>
    /// The fields sent instead.
    public let fields: [(name: String, value: String)]
    private let accept: String

    /// - Parameter request: the client's request, which makes the offer.
    public init(_ offer: WebSocketOffer, of request: Request) {
        self.offer = offer
        var fields: [(name: String, value: String)] = []
        var removed: Set<String> = ["sec-websocket-extensions"]
        if let accept = offer.accept {
            self.accept = accept
        } else {
            // An HTTP/2 request has no key.
            let key = base64((0..<16).map { _ in UInt8.random(in: 0 ... .max) })
            accept = WebSocketFields.accept(Array(key.utf8)[...]) ?? ""
            fields.append(("Sec-WebSocket-Key", key))
            removed.insert("sec-websocket-key")
        }
        if !offer.extensions.isEmpty { fields.append(("Sec-WebSocket-Extensions", WebSocketFields.ownOffer)) }
        (self.fields, self.removed) = (fields, removed)
    }

    /// Whether the fields of a 101 agree to compression.
    public func isCompressed(by answer: [(name: String, value: String)]) -> Bool {
        WebSocketFields.isCompressed(by: Self.values("sec-websocket-extensions", answer)) ?? false
    }

    /// The problem with a 101, appended to the server's name; nil if it agrees to the request.
    public func objection(to answer: [(name: String, value: String)]) -> String? {
        let accepts = Self.values("sec-websocket-accept", answer)
        guard accepts == [accept] else {
            let found = accepts.isEmpty ? "none" : accepts.map(Self.shown).joined(separator: ", ")
            return "switched to WebSocket with a wrong Sec-WebSocket-Accept: expected \(accept), found \(found)"
        }
        let chosen = Self.values("sec-websocket-protocol", answer)
        if chosen.count > 1 || chosen.contains(where: { !offer.subprotocols.contains($0) }) {
            let offered = offer.subprotocols.isEmpty ? "none" : offer.subprotocols.joined(separator: ", ")
            let found = chosen.map(Self.shown).joined(separator: ", ")
            return "switched to WebSocket with the sub-protocol \(found), of which the client offers \(offered)"
        }
        let agreed = Self.values("sec-websocket-extensions", answer)
        let isCompressed = WebSocketFields.isCompressed(by: agreed)
        guard isCompressed == false || isCompressed == true && !offer.extensions.isEmpty else {
            let found = agreed.map(Self.shown).joined(separator: ", ")
            let offered = offer.extensions.isEmpty ? "none" : WebSocketFields.ownOffer
            return "switched to WebSocket with the extension \(found), where \(offered) was offered"
        }
        return nil
    }

    private static func values(_ name: String, _ fields: [(name: String, value: String)]) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    private static func shown(_ text: String) -> String { Printable.line(text.prefix(100)) }
}

/// A client's frames, each a whole message or a control frame.
public enum WebSocketClientFrames {
    public static func message(_ message: WebSocketMessage) -> [UInt8] { WebSocketFrameWriter.maskedFrame(of: message) }
    public static func ping(_ payload: [UInt8]) -> [UInt8] { WebSocketFrameWriter.ping(payload, masks: true) }
    public static func pong(_ payload: [UInt8]) -> [UInt8] { WebSocketFrameWriter.pong(payload, masks: true) }

    /// - Parameter code: 1005 for none.
    public static func close(_ code: Int, _ reason: String) -> [UInt8] {
        WebSocketFrameWriter.close(code, reason, masks: true)
    }
}
