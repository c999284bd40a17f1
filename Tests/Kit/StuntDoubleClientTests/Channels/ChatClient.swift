import Foundation
import SDTestSupport
import StuntDoubleClient

/// The code under test: a client of WebSocket for short messages. `URLSession` on Linux has none: its libcurl is built
/// without.
final class ChatClient {
    enum Heard: Equatable {
        case text(String)
        case bytes([UInt8])
        case close(Int)
        case nothing
    }

    private let client: RawClient

    /// - Throws: if the server answers with anything but a WebSocket.
    init(_ url: URL) throws {
        client = try RawClient(port: UInt16(url.port ?? 80))
        try client.send(
            "GET \(url.path)\(url.query.map { "?" + $0 } ?? "") HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            let next = client.receive(1)
            guard !next.bytes.isEmpty else { break }
            head += next.text
        }
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw URLError(.badServerResponse) }
    }

    /// Sends a text.
    func say(_ text: String) throws { try send(1, Array(text.utf8)) }

    /// Sends bytes.
    func say(_ bytes: [UInt8]) throws { try send(2, bytes) }

    /// The mask is zero, which changes nothing.
    private func send(_ opcode: UInt8, _ bytes: [UInt8]) throws {
        try client.send([0x80 | opcode, 0x80 | UInt8(bytes.count), 0, 0, 0, 0] + bytes)
    }

    /// The next message, or how it ends.
    func hear() -> Heard {
        let head = client.receive(2).bytes
        guard head.count == 2 else { return .nothing }
        let payload = client.receive(Int(head[1])).bytes
        switch head[0] & 15 {
        case 1: return .text(String(decoding: payload, as: UTF8.self))
        case 8: return .close(payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]))
        default: return .bytes(payload)
        }
    }
}
