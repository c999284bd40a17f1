package import SDHTTPTransport
package import SDJSON
package import SDStubModel
import SDWebSocket
import Synchronization

/// A channel that carries messages in both directions: a WebSocket that a client has opened, or a fixed name within the
/// server.
package final class Channel: Sendable {
    package enum Kind: Sendable {
        /// A WebSocket, with its opening request.
        case webSocket(Request)
        case fixed(ChannelProvider, name: String)
    }

    package let id: StubMapping.ID
    package let kind: Kind
    /// The number of earlier channels of its session.
    let number: UInt64
    /// The opening time in nanoseconds since 1970.
    package let since: UInt64
    /// Whether its messages are proxied between a client and another server.
    package let isProxied: Bool
    let line = Mutex(Line())

    struct Line: Sendable {
        var isOpen = true
        var hasEnded = false
        var stream: WebSocketStream?
        /// Work to do once the stream exists.
        var early: [@Sendable (WebSocketStream) -> Void] = []
        /// The received messages that are not answered yet, in order.
        var inbox: [WebSocketMessage] = []
        /// Whether the first of them is being processed.
        var isBusy = false
        var isPaused = false
        /// The messages waiting to be sent; nil for none.
        var queue: OutgoingQueue?
        /// The timer for the first of them.
        var timer: (due: UInt64, work: ScheduledWork)?
        /// The waits at gates, by ticket.
        var holds: [UInt64: any MessageHold] = [:]
        /// Whether sending has stopped, although the client believes the channel to be open.
        var isMute = false
        /// Its cached membership in rooms.
        var rooms: [(room: ChannelRoom, place: ChannelRoom.Place)] = []
        /// How often stubs with a sequence have acted on it.
        var turns: [StubMapping.ID: Int] = [:]
        var script: ChannelScript?
    }

    package init(_ kind: Kind, number: UInt64 = 0, since: UInt64, isProxied: Bool = false) {
        id = StubMapping.randomID()
        self.isProxied = isProxied
        self.kind = kind
        self.number = number
        self.since = since
    }

    package var isOpen: Bool { line.withLock { $0.isOpen } }

    package var isWebSocket: Bool { if case .webSocket = kind { true } else { false } }

    /// The opening request; nil for a fixed channel.
    package var request: Request? { if case .webSocket(let request) = kind { request } else { nil } }

    /// The path of the opening request, for messages.
    var path: String { request.map { String(decoding: $0.path, as: UTF8.self) } ?? "" }

    /// The loop of its stream; nil before there is one, and for a fixed channel.
    package var loop: Loop? { line.withLock { $0.stream?.loop } }

    package var subprotocol: String? { line.withLock { $0.stream?.subprotocol } }

    // MARK: The stream

    func attach(_ stream: WebSocketStream) {
        let early = line.withLock { line in
            defer { line.early = [] }
            line.stream = stream
            return line.early
        }
        for work in early { work(stream) }
    }

    func withStream(_ work: @escaping @Sendable (WebSocketStream) -> Void) {
        let stream = line.withLock { line -> WebSocketStream? in
            guard line.isOpen else { return nil }
            if line.stream == nil { line.early.append(work) }
            return line.stream
        }
        if let stream { work(stream) }
    }

    /// Sends frames to several channels, with one task for each loop.
    /// - Returns: the channels to which they were not sent, because other messages wait there.
    static func transmit(_ frames: WebSocketFrames, to channels: [Channel]) -> [Channel] {
        var groups: [ObjectIdentifier: [WebSocketStream]] = [:]
        var others: [Channel] = []
        for channel in channels {
            if let stream = channel.line.withLock({ $0.queue == nil && !$0.isMute ? $0.stream : nil }) {
                groups[ObjectIdentifier(stream.loop), default: []].append(stream)
            } else {
                others.append(channel)
            }
        }
        for streams in groups.values {
            for start in stride(from: 0, to: streams.count, by: 32) {
                let some = streams[start..<min(start + 32, streams.count)]
                streams[start].loop.perform { for stream in some { stream.send(frames) } }
            }
        }
        return others
    }

    /// Closes the channel at once; waiting messages are dropped.
    package func close(_ code: Int, _ reason: String) {
        forgetQueue()
        withStream { $0.close(code, reason) }
    }

    /// Marks the channel as closing: nothing more is sent.
    func isClosing() {
        defer { forgetQueue() }
        line.withLock { line in
            line.isOpen = false
            line.early = []
        }
    }

    /// Marks the channel as ended.
    /// - Returns: false if it was marked before.
    func ended() -> Bool {
        defer { forgetQueue() }
        let (isNew, script) = line.withLock { line in
            defer { line.hasEnded = true }
            line.isOpen = false
            line.stream = nil
            line.early = []
            line.inbox = []
            line.rooms = []
            line.turns = [:]
            return (!line.hasEnded, line.script.take())
        }
        script?.end()
        return isNew
    }
}

/// A provider of fixed channels.
package final class ChannelProvider: Sendable {
    private let state: Mutex<String>
    package let driver: String
    /// The settings as the call gave them.
    package let settings: JSONObject

    init(_ name: String, driver: String, settings: JSONObject) {
        state = Mutex(name)
        self.driver = driver
        self.settings = settings
    }

    package var name: String { state.withLock { $0 } }

    package func rename(_ name: String) { state.withLock { $0 = name } }
}
