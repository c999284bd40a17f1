import SDHTTPTransport
import SDPlatform
import Synchronization

/// A long document as an answer: each slice is written, off the loop, when the client has received the one before.
final class PiecewiseAnswer: SlowReader {
    /// The approximate size of a slice in bytes.
    static let pieceSize = 256 << 10

    private struct State {
        var document: LongDocument?
        var stream: StreamingReply?
        /// Whether the client received everything before the stream was attached.
        var isWanted = false
        var isOver = false
    }

    private let state: Mutex<State>
    private let work: WorkQueue
    private let closes: Bool
    private let memory: MemoryLedger

    /// - Parameters:
    ///   - closes: whether the connection closes after the answer.
    ///   - memory: the ledger for unsent slices.
    init(_ document: LongDocument, on work: WorkQueue, closes: Bool, _ memory: MemoryLedger) {
        state = Mutex(State(document: document))
        self.work = work
        self.closes = closes
        self.memory = memory
    }

    /// Attaches the stream until the answer is over.
    func attach(_ stream: StreamingReply) {
        let (isWanted, isOver) = state.withLock { state in
            if !state.isOver { state.stream = stream }
            return (state.isWanted, state.isOver)
        }
        if !isOver { memory.add(self) }
        // It may have ended meanwhile.
        if state.withLock({ $0.isOver }) { memory.remove(self) }
        if isWanted { wanted() }
    }

    var pendingBytes: Int { state.withLock { $0.stream }?.pendingBytes ?? 0 }

    func cutOff() {
        state.withLock { $0.stream }?.cancel()
    }

    /// The client has received everything so far.
    func wanted() {
        let isKnown = state.withLock { state in
            state.isWanted = state.stream == nil
            return !state.isWanted
        }
        if isKnown { work.add { [self] in writeNext() } }
    }

    /// The client has disconnected, or has the whole answer.
    func ended() {
        state.withLock { $0 = State(isOver: true) }
        memory.remove(self)
    }

    /// Writes the next slice. Only one is written at a time, so no other thread uses the document meanwhile.
    private func writeNext() {
        guard let (stream, document) = state.withLock({ state in state.stream.map { ($0, state.document.take()) } }),
            var document
        else { return }
        let piece = document.nextPiece(of: Self.pieceSize)
        let isOver = document.isOver
        state.withLock { [document] state in if !state.isOver { state.document = document } }
        stream.send(WireBytes(piece, in: memory.account(.answers)))
        if isOver { stream.finish(WireScript([.end(closes ? .close : .keepAlive)])) }
    }
}
