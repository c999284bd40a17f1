import SDTestSupport

/// A server of HTTP/2 in the clear that answers each frame of a call with frames, as a test says.
final class FrameTarget: Sendable {
    /// The frames that came, but for those about the connection and the windows.
    let frames = Events<HTTP2Frame>()
    private let server: RawServer

    var origin: String { "http://localhost:\(server.port)" }

    init(_ answer: @escaping @Sendable (HTTP2Frame) -> [HTTP2Frame]) throws {
        server = try RawServer { [frames] client, _ in
            guard client.receive(HTTP2Client.preface.count).bytes == HTTP2Client.preface else { return }
            try client.send(HTTP2Frame(.settings, []).bytes)
            while let frame = HTTP2Frame(from: client) {
                let kind = HTTP2Frame.Kind(rawValue: frame.kind)
                if kind == .settings, frame.flags & HTTP2Frame.ack == 0 {
                    try client.send(HTTP2Frame(.settings, HTTP2Frame.ack).bytes)
                } else if kind == .headers || kind == .data || kind == .resetStream {
                    frames.tell(frame)
                    try client.send(answer(frame).flatMap(\.bytes))
                }
            }
        }
    }
}

extension HTTP2Frame {
    var ends: Bool { flags & HTTP2Frame.endStream != 0 }

    /// A header block of one frame.
    static func fields(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = false) -> HTTP2Frame {
        HTTP2Frame(
            .headers, HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            HTTP2Frame.block(fields))
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = false) -> HTTP2Frame {
        HTTP2Frame(.data, ends ? HTTP2Frame.endStream : 0, stream: stream, wire(text))
    }
}
