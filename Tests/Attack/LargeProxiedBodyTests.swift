import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Large bodies pass in flat memory, up and down, however they are framed and whatever the client speaks, and each byte is the one
/// that was sent. 64 MiB; `STUNTDOUBLE_LARGE_BODY_MIB` says how many.
@Suite(.serialized) struct LargeProxiedBodyTests {
    enum Way: String, CaseIterable, Sendable {
        case http1 = "HTTP/1.1"
        case tls = "HTTPS"
        case http2 = "HTTP/2"
    }

    private static let size =
        (ProcessInfo.processInfo.environment["STUNTDOUBLE_LARGE_BODY_MIB"].flatMap { Int($0) } ?? 64) << 20
    /// Beyond what the daemon takes without such bodies.
    private static let most = 96 << 20

    /// The bytes of a body, which begin anew after a length that divides none of the sizes of buffers.
    private struct Pattern {
        private static let period = 65_521
        private static let bytes = (0..<2 * period).map { UInt8(truncatingIfNeeded: ($0 % period) * 31 >> 3) }
        private(set) var count = 0
        private(set) var isRight = true

        /// The next bytes.
        mutating func next(_ most: Int) -> [UInt8] {
            let begin = count % Self.period
            let length = min(most, Self.period)
            count += length
            return Array(Self.bytes[begin..<(begin + length)])
        }

        /// Takes bytes that should be the next ones.
        mutating func take(_ bytes: [UInt8]) {
            var at = 0
            while at < bytes.count {
                let begin = count % Self.period
                let length = min(bytes.count - at, Self.period)
                isRight = isRight && Self.isEqual(bytes[at..<(at + length)], Self.bytes[begin..<(begin + length)])
                at += length
                count += length
            }
        }

        private static func isEqual(_ some: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
            some.withUnsafeBytes { some in
                other.withUnsafeBytes { other in
                    guard let first = some.baseAddress, let second = other.baseAddress else { return some.isEmpty }
                    return memcmp(first, second, some.count) == 0
                }
            }
        }
    }

    // MARK: Down

    @Test(arguments: Way.allCases, [false, true]) func theyComeDown(way: Way, isChunked: Bool) throws {
        let size = Self.size
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
            try client.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            var pattern = Pattern()
            while pattern.count < size {
                let piece = pattern.next(min(size - pattern.count, 50_000))
                try client.send(isChunked ? chunk(piece) : piece)
            }
            if isChunked { try client.send("0\r\n\r\n") }
        }
        let (daemon, client) = try Self.client(way, server.port)
        try client.ask("GET", body: nil)
        var pattern = Pattern()
        try client.receiveBody { pattern.take($0) }
        #expect(pattern.count == size && pattern.isRight)
        let name = "\(size >> 20) MiB down through \(way.rawValue)"
        daemon.expectPeakMemory(below: Self.most, isChunked ? name + " in chunks" : name)
    }

    // MARK: Up

    @Test(arguments: Way.allCases, [false, true]) func theyGoUp(way: Way, isChunked: Bool) throws {
        let size = Self.size
        let server = try RawServer { client, _ in
            let head = client.receive(until: "\r\n\r\n").text
            var pattern = Pattern()
            func take(_ count: Int) {
                var left = count
                while left > 0 {
                    let bytes = client.receive(min(left, 65_536)).bytes
                    if bytes.isEmpty { return }
                    pattern.take(bytes)
                    left -= bytes.count
                }
            }
            if head.contains("Transfer-Encoding: chunked") {
                while let chunk = Int(client.receive(until: "\r\n").text.dropLast(), radix: 16), chunk > 0 {
                    take(chunk)
                    _ = client.receive(2)
                }
                _ = client.receive(2)
            } else {
                take(size)
            }
            let text = "\(pattern.count) \(pattern.isRight)"
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        let (daemon, client) = try Self.client(way, server.port)
        var pattern = Pattern()
        try client.ask("POST", body: (size, isChunked, { pattern.next($0) }))
        var answer: [UInt8] = []
        try client.receiveBody { answer += $0 }
        #expect(String(decoding: answer, as: UTF8.self) == "\(size) true")
        let name = "\(size >> 20) MiB up through \(way.rawValue)"
        daemon.expectPeakMemory(below: Self.most, isChunked ? name + " in chunks" : name)
    }

    // MARK: Clients

    private static func client(_ way: Way, _ port: UInt16) throws -> (Daemon, any BodyClient) {
        let state = try TemporaryFolder()
        let secured = way == .tls ? ["--https-port", "0", "--state-dir", state.path] : []
        let daemon = try Daemon(["--workers", "1", "--proxy-all", "http://127.0.0.1:\(port)"] + secured)
        switch way {
        case .http1:
            let client = try RawClient(port: daemon.port)
            return (daemon, LinesClient(send: { try client.send($0) }, receive: { client.receive($0).bytes }))
        case .tls:
            let port = UInt16(try #require(daemon.ready["httpsPort"]?.intValue))
            let client = try TLSClient.connected(to: port) { $0.protocols = ["http/1.1"] }
            return (daemon, LinesClient(send: { try client.send($0) }, receive: { client.receive($0).bytes }))
        case .http2: return (daemon, try FramesClient(RawClient(port: daemon.port)))
        }
    }
}

private func chunk(_ bytes: [UInt8]) -> [UInt8] {
    wire(String(bytes.count, radix: 16) + "\r\n") + bytes + wire("\r\n")
}

/// A client that sends and receives one body, of which it holds little.
private protocol BodyClient {
    /// - Parameter body: its size, whether that is not told beforehand, and what makes the next bytes, so many at the most.
    func ask(_ method: String, body: (size: Int, isChunked: Bool, next: (Int) -> [UInt8])?) throws
    func receiveBody(_ take: ([UInt8]) -> Void) throws
}

/// One of HTTP/1.1.
private struct LinesClient: BodyClient {
    let send: ([UInt8]) throws -> Void
    /// Receives so many bytes.
    let receive: (Int) -> [UInt8]

    func ask(_ method: String, body: (size: Int, isChunked: Bool, next: (Int) -> [UInt8])?) throws {
        let framing =
            body.map { $0.isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \($0.size)\r\n" } ?? ""
        try send(wire("\(method) /a HTTP/1.1\r\nHost: a\r\n\(framing)\r\n"))
        guard let body else { return }
        var left = body.size
        while left > 0 {
            let piece = body.next(min(left, 50_000))
            left -= piece.count
            try send(body.isChunked ? chunk(piece) : piece)
        }
        if body.isChunked { try send(wire("0\r\n\r\n")) }
    }

    private func line() -> String {
        var line: [UInt8] = []
        while line.suffix(2) != [0x0d, 0x0a], case let byte = receive(1), !byte.isEmpty { line += byte }
        return String(decoding: line, as: UTF8.self)
    }

    private func receive(_ count: Int, _ take: ([UInt8]) -> Void) {
        var left = count
        while left > 0, case let bytes = receive(min(left, 65_536)), !bytes.isEmpty {
            take(bytes)
            left -= bytes.count
        }
    }

    func receiveBody(_ take: ([UInt8]) -> Void) throws {
        var (length, isChunked) = (0, false)
        while case let field = line(), field.utf8.count > 2 {
            if field.hasPrefix("Content-Length: ") { length = Int(field.dropFirst(16).dropLast()) ?? 0 }
            if field == "Transfer-Encoding: chunked\r\n" { isChunked = true }
        }
        guard isChunked else { return receive(length, take) }
        while let chunk = Int(line().dropLast(), radix: 16), chunk > 0 {
            receive(chunk, take)
            _ = receive(2)
        }
    }
}

private enum FramesFailure: Error { case reset, ended }

/// One of HTTP/2, on its first stream.
private final class FramesClient: BodyClient {
    private let client: RawClient
    /// What the daemon takes: on the connection, and on the stream.
    private var windows = (65_535, 65_535)
    private var early: [HTTP2Frame] = []

    init(_ client: RawClient) throws {
        self.client = client
        // It takes anything.
        let window = HTTP2Frame.number(0x7fff_0000)
        try client.send(
            HTTP2Client.preface + HTTP2Client.settings([(4, 0x7fff_ffff)]).bytes
                + HTTP2Frame(.windowUpdate, stream: 0, window).bytes)
        // Its settings say how much it takes of a stream.
        while try receive().kind != HTTP2Frame.Kind.settings.rawValue {}
    }

    func ask(_ method: String, body: (size: Int, isChunked: Bool, next: (Int) -> [UInt8])?) throws {
        let length = body.flatMap { $0.isChunked ? nil : [("content-length", "\($0.size)")] } ?? []
        try client.send(HTTP2Client.head(1, "/a", method: method, length, ends: body == nil).bytes)
        guard let body else { return }
        var left = body.size
        while left > 0 {
            let room = min(windows.0, windows.1, left, 16_384)
            guard room > 0 else {
                note(try receive())
                continue
            }
            let piece = body.next(room)
            left -= piece.count
            windows = (windows.0 - piece.count, windows.1 - piece.count)
            try client.send(HTTP2Frame(.data, left == 0 ? HTTP2Frame.endStream : 0, stream: 1, piece).bytes)
        }
    }

    func receiveBody(_ take: ([UInt8]) -> Void) throws {
        while true {
            let frame = early.isEmpty ? try receive() : early.removeFirst()
            guard frame.stream == 1 else { continue }
            switch HTTP2Frame.Kind(rawValue: frame.kind) {
            case .data: take(frame.payload)
            case .resetStream: throw FramesFailure.reset
            default: break
            }
            if [0, 1].contains(frame.kind), frame.flags & HTTP2Frame.endStream != 0 { return }
        }
    }

    private func note(_ frame: HTTP2Frame) {
        switch HTTP2Frame.Kind(rawValue: frame.kind) {
        case .windowUpdate:
            let count = Int(HTTP2Frame.number(at: 0, in: frame.payload))
            if frame.stream == 0 { windows.0 += count } else { windows.1 += count }
        case .settings: break
        default: early.append(frame)
        }
    }

    /// Receives a frame, and what settings say.
    private func receive() throws -> HTTP2Frame {
        let head = client.receive(9).bytes
        guard head.count == 9 else { throw FramesFailure.ended }
        let length = Int(HTTP2Frame.number(at: 0, in: head) >> 8)
        let stream = HTTP2Frame.number(at: 5, in: head) & 0x7fff_ffff
        let frame = HTTP2Frame(kind: head[3], head[4], stream: stream, length > 0 ? client.receive(length).bytes : [])
        if frame.kind == HTTP2Frame.Kind.settings.rawValue, frame.flags & HTTP2Frame.ack == 0 {
            for at in stride(from: 0, to: frame.payload.count, by: 6) where frame.payload[at + 1] == 4 {
                windows.1 += Int(HTTP2Frame.number(at: at + 2, in: frame.payload)) - 65_535
            }
            try client.send(HTTP2Frame(.settings, HTTP2Frame.ack).bytes)
        }
        return frame
    }
}
