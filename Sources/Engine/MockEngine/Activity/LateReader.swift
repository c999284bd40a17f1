import Synchronization

/// A reader that is sent what it missed, and then what has come since it joined.
final class LateReader: EventReader {
    private struct State {
        /// The events that came before what was missed was written; nil afterwards.
        var waiting: [[UInt8]]? = []
        var isFinished = false
    }

    private let reader: any EventReader
    /// Held while the reader is sent something, so that all comes in order.
    private let state = Mutex(State())

    init(_ reader: any EventReader) {
        self.reader = reader
    }

    /// Sends what was missed, and then what waits for that.
    func begin(with missed: [UInt8]) {
        state.withLock { state in
            reader.send(missed, isReplay: true)
            for events in state.waiting.take() ?? [] { reader.send(events, isReplay: false) }
            if state.isFinished { reader.finish() }
        }
    }

    func send(_ events: [UInt8], isReplay: Bool) {
        state.withLock { state in
            if state.waiting?.append(events) == nil { reader.send(events, isReplay: isReplay) }
        }
    }

    func finish() {
        let isToFinish = state.withLock { state in
            state.isFinished = true
            return state.waiting == nil
        }
        if isToFinish { reader.finish() }
    }
}
