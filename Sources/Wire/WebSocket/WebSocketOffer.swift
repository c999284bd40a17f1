public import SDHTTPTransport

/// The offer of a WebSocket request (RFC 6455, section 4.2.1; in HTTP/2 RFC 8441, section 5).
public struct WebSocketOffer: Sendable {
    /// The client's sub-protocols, preferred ones first.
    public let subprotocols: [String]
    /// The value of `Sec-WebSocket-Accept`; nil in HTTP/2, which needs none.
    let accept: String?
    /// The value of `Sec-WebSocket-Extensions` that accepts permessage-deflate; empty if it was not offered.
    let extensions: String
    /// The server's compression window.
    let windowBits: Int

    /// Why a WebSocket request is rejected.
    public struct Refusal: Error, Sendable, Equatable {
        public let status: Int
        /// A sentence.
        public let text: String
        /// Header fields of the error response.
        public var fields: [(name: String, value: String)] {
            status == 426 ? [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket"), ("Connection", "Upgrade")] : []
        }
    }

    /// Whether a request asks for WebSocket at all.
    public static func isMade(by request: Request) -> Bool { request.wantsWebSocket }

    /// - Throws: the missing or invalid part.
    public init(_ request: Request) throws(Refusal) {
        guard request.method.elementsEqual("GET".utf8) else {
            throw Refusal(status: 400, text: "A WebSocket is opened by GET, and not by \(Self.text(request.method)).")
        }
        let versions = Self.values(Self.version, request).map(Self.text)
        guard versions == ["13"] else {
            let found = versions.isEmpty ? "none" : versions.joined(separator: ", ")
            throw Refusal(status: 426, text: "Sec-WebSocket-Version has to be 13; found: \(found).")
        }
        accept = request.version == .http2 ? nil : try Self.accept(request)
        (subprotocols, extensions, windowBits) = try Self.choices(request)
    }

    /// The part that only HTTP/1.1 has.
    private static func accept(_ request: Request) throws(Refusal) -> String {
        let asks = values(connection, request).contains { list in
            WebSocketFields.tokens(list)?.contains { $0.lowercased() == "upgrade" } ?? false
        }
        guard asks else {
            throw Refusal(status: 400, text: "The request has Upgrade: websocket, but not Connection: Upgrade.")
        }
        let keys = values(key, request)
        guard keys.count == 1, let accept = WebSocketFields.accept(keys[0]) else {
            let found = keys.isEmpty ? "none" : keys.map(text).joined(separator: ", ")
            throw Refusal(status: 400, text: "Sec-WebSocket-Key has to be 16 bytes in Base64; found: \(found).")
        }
        return accept
    }

    private static func choices(_ request: Request) throws(Refusal) -> ([String], String, Int) {
        var subprotocols: [String] = []
        for list in values(protocols, request) {
            guard let tokens = WebSocketFields.tokens(list) else {
                throw Refusal(status: 400, text: "Sec-WebSocket-Protocol is not a list of names.")
            }
            subprotocols += tokens
        }
        let offers = values(offered, request)
        guard let terms = WebSocketFields.terms(of: offers) else {
            let found = offers.map(text).joined(separator: ", ")
            throw Refusal(status: 400, text: "Sec-WebSocket-Extensions is malformed: \(found).")
        }
        return (subprotocols, terms.answer, terms.windowBits)
    }

    private static let connection = Array("connection".utf8)
    private static let version = Array("sec-websocket-version".utf8)
    private static let key = Array("sec-websocket-key".utf8)
    private static let protocols = Array("sec-websocket-protocol".utf8)
    private static let offered = Array("sec-websocket-extensions".utf8)

    private static func values(_ name: [UInt8], _ request: Request) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        request.forEachHeaderValue(name) { value in
            values.append(value)
            return true
        }
        return values
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(100), as: UTF8.self)
    }
}
