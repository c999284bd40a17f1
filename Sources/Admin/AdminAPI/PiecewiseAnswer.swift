import HTTPTransport
import Platform
import Synchronization

/// The answer with a long document: each piece is written, beside the loop, when the client has taken the one before it.
final class PiecewiseAnswer: Sendable {
    /// The bytes of a piece, about.
    static let pieceSize = 256 << 10

    private struct State {
        var document: LongDocument?
        var stream: HeldStream?
        /// Whether the client took everything before the stream was known here.
        var isWanted = false
        var isOver = false
    }

    private let state: Mutex<State>
    private let work: WorkQueue
    private let closes: Bool

    /// - Parameter closes: whether the connection ends with the answer.
    init(_ document: LongDocument, on work: WorkQueue, closes: Bool) {
        state = Mutex(State(document: document))
        self.work = work
        self.closes = closes
    }

    /// Keeps the stream until the answer is over.
    func keep(_ stream: HeldStream) {
        let isWanted = state.withLock { state in
            if !state.isOver { state.stream = stream }
            return state.isWanted
        }
        if isWanted { wanted() }
    }

    /// The client has taken everything so far.
    func wanted() {
        let isKnown = state.withLock { state in
            state.isWanted = state.stream == nil
            return !state.isWanted
        }
        if isKnown { work.add { [self] in writeNext() } }
    }

    /// The client left, or has the whole answer.
    func ended() {
        state.withLock { $0 = State(isOver: true) }
    }

    /// Only one piece is written at a time, so the document is nobody else's meanwhile.
    private func writeNext() {
        guard let (stream, document) = state.withLock({ state in state.stream.map { ($0, state.document.take()) } }),
            var document
        else { return }
        let piece = document.nextPiece(of: Self.pieceSize)
        let isOver = document.isOver
        state.withLock { [document] state in if !state.isOver { state.document = document } }
        stream.send(WireBytes(piece))
        if isOver { stream.finish(WireScript([.end(closes ? .close : .keepAlive)])) }
    }
}
