import SDBasics

/// One of the outputs of a launched daemon: read as it comes, so that the daemon never waits for a reader.
final class DaemonOutput: WatchedDescriptor {
    private struct State {
        var bytes: [UInt8] = []
        var deadline: ContinuousClock.Instant?
    }

    /// The number of bytes that are kept, the last ones.
    private static let limit = 64 * 1024

    let descriptor: Int32
    /// Comes with the first line, without its end, or with nil if there is none in time.
    let firstLine = Promise<String?>()
    /// Comes when the daemon has closed this output.
    let end = Promise<Void>()
    private let state: Lock<State>

    init(_ descriptor: Int32, firstLineUntil deadline: ContinuousClock.Instant? = nil) throws(MockServerError) {
        self.descriptor = descriptor
        state = Lock(State(deadline: deadline))
        try SocketThread.shared.add(self)
    }

    /// The text that is kept of it.
    var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    var wish: WatchedWish { WatchedWish(deadline: state.withLock { $0.deadline }) }

    func ready(toRead: Bool, toWrite: Bool, _ buffer: inout [UInt8]) -> Bool {
        guard toRead else { return true }
        while true {
            switch SocketCalls.receive(descriptor, into: &buffer) {
            case .later: return true
            case .end, .failed: return false
            case .bytes(let count): take(buffer[..<count])
            }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        let line = state.withLock { state -> String? in
            state.bytes += bytes
            defer { if state.bytes.count > Self.limit { state.bytes.removeFirst(state.bytes.count - Self.limit) } }
            guard state.deadline != nil, let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            state.deadline = nil
            return String(decoding: state.bytes[..<end], as: UTF8.self)
        }
        if let line { firstLine.fulfil(line) }
    }

    func deadlinePassed() -> Bool {
        state.withLock { $0.deadline = nil }
        firstLine.fulfil(nil)
        return true
    }

    func closed() {
        firstLine.fulfil(nil)
        end.fulfil(())
    }
}
