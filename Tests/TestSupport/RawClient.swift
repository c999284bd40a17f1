/// A raw client: it sends bytes and reports the bytes and the ending that it receives. Blocking, with deadlines. For
/// one thread at a time.
public final class RawClient {
    /// The state of a connection when the client stopped receiving.
    public enum Ending: Sendable, Equatable {
        /// Still open: more may arrive.
        case open
        /// The server closed its side in order.
        case fin
        /// The server reset it (ECONNRESET).
        case rst
    }

    public struct Received: Sendable, Equatable, CustomStringConvertible {
        public var bytes: [UInt8]
        public var ending: Ending

        public init(_ bytes: [UInt8], _ ending: Ending) {
            self.bytes = bytes
            self.ending = ending
        }

        public var text: String { String(decoding: bytes, as: UTF8.self) }
        public var description: String { "\(readable(bytes))<\(ending)>" }
    }

    private var descriptor: Int32

    public init(port: UInt16, address: String = "127.0.0.1") throws(CallFailure) {
        descriptor = try Sockets.connect(address: address, port: port)
    }

    public init(unixSocket path: String) throws(CallFailure) {
        descriptor = try Sockets.connect(path: path)
    }

    /// Takes over a connection.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    /// Sets a receive buffer of about this many bytes, so that the server soon notices that nobody reads.
    public func shrinkReceiveBuffer(to bytes: Int32) {
        Sockets.shrinkReceiveBuffer(descriptor, to: bytes)
    }

    // MARK: Sending

    /// Sends all bytes, waiting while the socket is full.
    public func send(_ bytes: [UInt8]) throws(CallFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try Sockets.send(descriptor, rest)
            rest = rest.dropFirst(count)
            if count == 0, !Sockets.wait(descriptor, toWrite: true, milliseconds: 10_000) {
                throw CallFailure("send: the server took nothing for 10 s")
            }
        }
    }

    public func send(_ text: String) throws(CallFailure) {
        try send(wire(text))
    }

    /// Sends as much as the socket accepts at once, and returns the number of bytes.
    public func sendWithoutWaiting(_ bytes: [UInt8]) throws(CallFailure) -> Int {
        try Sockets.send(descriptor, bytes[...])
    }

    /// Waits until the socket accepts bytes. Returns false if the time is over first.
    public func waitUntilSendable(milliseconds: Int) -> Bool {
        Sockets.wait(descriptor, toWrite: true, milliseconds: milliseconds)
    }

    /// Closes only the sending side; answers still arrive.
    public func finishSending() {
        Sockets.shutSending(descriptor)
    }

    /// Closes both sides.
    public func close() {
        if descriptor >= 0 { Sockets.close(descriptor) }
        descriptor = -1
    }

    /// Closes with a reset.
    public func reset() {
        if descriptor >= 0 { Sockets.close(descriptor, reset: true) }
        descriptor = -1
    }

    // MARK: Receiving

    /// Waits until there are bytes, or the server has ended the connection. Returns false if the time is over first.
    public func waitUntilReadable(microseconds: Int) -> Bool {
        Sockets.wait(descriptor, microseconds: microseconds)
    }

    /// Receives until there are `count` bytes, the server ends the connection, or the time is over.
    public func receive(_ count: Int, within milliseconds: Int = 60_000) -> Received {
        receive(within: milliseconds) { $0.count < count ? min(count - $0.count, 65_536) : 0 }
    }

    /// Waits for the first bytes and receives what there is, for callers who learn from it how much will follow.
    public func receiveSome(within milliseconds: Int = 60_000) -> Received {
        receive(within: milliseconds) { $0.isEmpty ? 65_536 : 0 }
    }

    /// Receives until the bytes end with `text`, the server ends the connection, or the time is over.
    public func receive(until text: String, within milliseconds: Int = 60_000) -> Received {
        let end = wire(text)
        // As many bytes as are missing at least, so that nothing behind the end is taken.
        return receive(within: milliseconds) { received in
            end.indices.first { received.suffix(end.count - $0).elementsEqual(end.dropLast($0)) } ?? end.count
        }
    }

    /// Receives until the server ends the connection, or the time is over.
    public func receiveAll(within milliseconds: Int = 60_000) -> Received {
        receive(within: milliseconds) { _ in 65_536 }
    }

    /// Receives `count` bytes as a slow client does: a portion, then a pause.
    public func receiveSlowly(_ count: Int, portion: Int, everyMilliseconds pause: Int) -> Received {
        var received = Received([], .open)
        while received.bytes.count < count, received.ending == .open {
            let part = receive(min(portion, count - received.bytes.count))
            received = Received(received.bytes + part.bytes, part.ending)
            if part.bytes.isEmpty { break }
            Sockets.pause(milliseconds: pause)
        }
        return received
    }

    /// Receives until nothing arrives for a while. Only for showing that nothing arrives.
    public func receiveUntilQuiet(milliseconds: Int) -> Received {
        var received = Received([], .open)
        while Sockets.wait(descriptor, milliseconds: milliseconds), take(65_536, into: &received) {}
        return received
    }

    /// Receives while `wanted` returns a number of bytes for what has arrived so far.
    private func receive(within milliseconds: Int, wanted: ([UInt8]) -> Int) -> Received {
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(milliseconds)
        var received = Received([], .open)
        while case let limit = wanted(received.bytes), limit > 0 {
            let left = (deadline - clock.now) / .milliseconds(1)
            guard left > 0, Sockets.wait(descriptor, milliseconds: Int(left) + 1) else { break }
            guard take(limit, into: &received) else { break }
        }
        return received
    }

    /// Reads once. Returns false at the end of the connection.
    private func take(_ limit: Int, into received: inout Received) -> Bool {
        do {
            switch try Sockets.receive(descriptor, upTo: limit) {
            case .bytes(let bytes): received.bytes += bytes
            case .nothing: break
            case .end: received.ending = .fin
            }
        } catch {
            received.ending = .rst
        }
        return received.ending == .open
    }
}
