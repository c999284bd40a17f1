import SDBasics

/// One of the outputs of a launched daemon: read as it comes, so that the daemon never waits for a reader.
final class DaemonOutput: WatchedDescriptor {
    private struct State {
        var bytes: [UInt8] = []
        /// The beginning of a line whose end has not come, while a line is looked for.
        var line: [UInt8] = []
        var deadline: ContinuousClock.Instant?
    }

    /// The number of bytes that are kept, the last ones.
    private static let limit = 64 * 1024

    let descriptor: Int32
    /// Comes with what was made of the first line of which something could be made, or with nil if there is none in time.
    let readyLine = Promise<ReadyLine?>()
    /// Comes when the daemon has closed this output.
    let end = Promise<Void>()
    private let state: Lock<State>

    /// - Parameter deadline: until when the line is looked for that says that the daemon is ready; nil looks for none.
    init(_ descriptor: Int32, readyUntil deadline: ContinuousClock.Instant? = nil) throws(MockServerError) {
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
        let found = state.withLock { state -> ReadyLine? in
            state.bytes += bytes
            if state.bytes.count > Self.limit { state.bytes.removeFirst(state.bytes.count - Self.limit) }
            guard state.deadline != nil else { return nil }
            let found = Self.readyLine(in: bytes, after: &state.line)
            if found != nil { state.deadline = nil }
            return found
        }
        if let found { readyLine.fulfil(found) }
    }

    /// Looks for the line in the next bytes. Others, such as those of a script around the daemon, are passed over.
    private static func readyLine(in bytes: ArraySlice<UInt8>, after line: inout [UInt8]) -> ReadyLine? {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let found = ReadyLine(line + rest[..<end]) { return found }
            line = []
            rest = rest[(end + 1)...]
        }
        if line.count + rest.count <= limit { line += rest }
        return nil
    }

    func deadlinePassed() -> Bool {
        state.withLock { $0.deadline = nil }
        readyLine.fulfil(nil)
        return true
    }

    func closed() {
        end.fulfil(())
        readyLine.fulfil(nil)
    }
}
