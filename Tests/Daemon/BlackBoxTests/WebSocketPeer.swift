import SDTestSupport

/// A side of a WebSocket on a connection, for short frames: its client, or its server.
final class WebSocketPeer {
    enum Received: Equatable {
        case text(String)
        case close(Int)
        case other(UInt8)
        case nothing
    }

    struct NoWebSocket: Error {
        let answer: String
    }

    let raw: RawClient
    /// The head by which it was opened: the answer for a client, the request for a server.
    let head: String
    private let masks: Bool

    /// Opens one as a client.
    init(port: UInt16, path: String, fields: [String] = []) throws {
        raw = try RawClient(port: port)
        masks = true
        try raw.send(
            "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        head = raw.receive(until: "\r\n\r\n").text
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw NoWebSocket(answer: head) }
    }

    /// Agrees as a server to what a client with the key of RFC 6455 asks.
    /// - Parameter accept: the value of its field; that of the key if it is nil.
    init(serving client: RawClient, accept: String = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", fields: [String] = []) throws {
        raw = client
        masks = false
        head = client.receive(until: "\r\n\r\n").text
        guard !head.isEmpty else { throw NoWebSocket(answer: "") }
        try client.send(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n"
                + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Sends a frame of at most 125 bytes. The mask is zero, which changes nothing.
    func send(_ head: UInt8, _ payload: [UInt8]) throws {
        try raw.send([head, (masks ? 0x80 : 0) | UInt8(payload.count)] + (masks ? [0, 0, 0, 0] : []) + payload)
    }

    func send(_ text: String) throws { try send(0x81, Array(text.utf8)) }

    func close(_ code: Int) throws { try send(0x88, [UInt8(code >> 8), UInt8(code & 255)]) }

    func receive() -> Received {
        let head = raw.receive(2).bytes
        guard head.count == 2 else { return .nothing }
        let mask = head[1] & 0x80 == 0 ? [0, 0, 0, 0] : raw.receive(4).bytes
        guard mask.count == 4 else { return .nothing }
        let payload = raw.receive(Int(head[1] & 0x7F)).bytes.enumerated().map { $1 ^ mask[$0 & 3] }
        switch head[0] & 15 {
        case 1: return .text(String(decoding: payload, as: UTF8.self))
        case 8: return .close(payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]))
        default: return .other(head[0] & 15)
        }
    }
}
