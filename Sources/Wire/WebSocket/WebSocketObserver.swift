/// The observer of a WebSocket. Called on its loop's thread, so it must return soon. Retained until the end.
public protocol WebSocketObserver: AnyObject, Sendable {
    /// A complete message was received.
    func received(_ message: WebSocketMessage, on stream: WebSocketStream)
    /// A ping was received; it is answered if the settings say so.
    func pinged(_ payload: [UInt8], on stream: WebSocketStream)
    func ponged(_ payload: [UInt8], on stream: WebSocketStream)
    /// Everything given so far has been sent.
    func drained(_ stream: WebSocketStream)
    /// The client does not read, and the output limit would be exceeded. The stream is reset next.
    /// - Parameter waiting: the number of unsent bytes.
    func overflowed(_ stream: WebSocketStream, waiting: Int)
    /// Called once, when the first close frame was received or is about to be sent; no messages are sent from then on.
    /// Not called if the connection ends without a close frame.
    func closing(_ cause: WebSocketEnd.Cause, code: Int, reason: String, on stream: WebSocketStream)
    /// Called once, when the connection has ended.
    func ended(_ end: WebSocketEnd, on stream: WebSocketStream)
}

extension WebSocketObserver {
    public func pinged(_ payload: [UInt8], on stream: WebSocketStream) {}
    public func ponged(_ payload: [UInt8], on stream: WebSocketStream) {}
    public func drained(_ stream: WebSocketStream) {}
    public func overflowed(_ stream: WebSocketStream, waiting: Int) {}
    public func closing(_ cause: WebSocketEnd.Cause, code: Int, reason: String, on stream: WebSocketStream) {}
}

/// The end of a WebSocket.
public struct WebSocketEnd: Sendable, Equatable {
    public enum Cause: Sendable, Equatable {
        /// The client's close frame came first.
        case client
        /// `WebSocketStream.close` was called first.
        case server
        /// The client violated the protocol or a limit.
        case fault(WebSocketFault)
        /// No bytes were received or sent for too long.
        case idle
        /// The client did not read.
        case slowReader
        /// The client disconnected without a close frame.
        case gone
        /// `WebSocketStream.breakOff` or `cancel` was called.
        case brokenOff
        /// The server stopped.
        case stopped
    }

    public let cause: Cause
    /// The code and reason of the first close frame from either side: 1005 if it has no code, 1006 without a frame.
    public let code: Int
    public let reason: String
    /// Whether both sides have sent their close frames.
    public let wasClean: Bool
    /// The number of bytes sent, including the answer's head.
    public let bytesSent: UInt64
}
