import SDBasics

/// One output of a launched daemon, drained as it arrives so that the daemon never blocks on a full pipe.
final class DaemonOutput: WatchedDescriptor {
    private struct State {
        var bytes: [UInt8] = []
        /// The beginning of an incomplete line, while the ready line is awaited.
        var line: [UInt8] = []
        var deadline: ContinuousClock.Instant?
    }

    /// The number of trailing bytes to keep.
    private static let limit = 64 * 1024

    let descriptor: Int32
    /// Fulfilled with the ready line, or with nil if none comes in time.
    let readyLine = Promise<ReadyLine?>()
    /// Fulfilled when the daemon has closed this output.
    let end = Promise<Void>()
    private let state: Lock<State>

    /// - Parameter deadline: when to stop looking for the ready line; nil does not look for it.
    init(_ descriptor: Int32, readyUntil deadline: ContinuousClock.Instant? = nil) throws(MockServerError) {
        self.descriptor = descriptor
        state = Lock(State(deadline: deadline))
        try SocketThread.shared.add(self)
    }

    /// The kept part of the output.
    var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    var wish: WatchInterest { WatchInterest(deadline: state.withLock { $0.deadline }) }

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

    /// Looks for the ready line in the next bytes. Skips other lines, such as those of a script around the daemon.
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
