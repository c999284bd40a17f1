public import SDHTTPTransport
public import SDPlatform
import Synchronization

extension Reply {
    /// Sends a response of the daemon itself. A large body is charged until the client has received it; when memory is
    /// short, its client may be disconnected.
    public consuming func send(_ response: PlainResponse, to request: Request, _ memory: MemoryLedger) {
        let script = response.script(for: request, memory)
        guard let count = response.ownCount else {
            send(script)
            return
        }
        let answer = LargeAnswer(count, memory)
        answer.begin(sendCancellable(script, observer: answer))
    }
}

/// A large answer on its way to a client.
private final class LargeAnswer: StreamObserver, SlowReader {
    private struct State {
        var handle: StreamHandle?
        var isOver = false
    }

    let pendingBytes: Int
    private let memory: MemoryLedger
    private let state = Mutex(State())

    init(_ count: Int, _ memory: MemoryLedger) {
        pendingBytes = count
        self.memory = memory
    }

    func begin(_ handle: StreamHandle) {
        let isUnderWay = state.withLock { state in
            if !state.isOver { state.handle = handle }
            return !state.isOver
        }
        guard isUnderWay else { return }
        memory.add(self)
        // The answer may have ended meanwhile.
        if state.withLock({ $0.isOver }) { memory.remove(self) }
    }

    func cutOff() {
        state.withLock { $0.handle }?.cancel()
    }

    func streamEnded(_ end: StreamEnd) {
        state.withLock { $0 = State(isOver: true) }
        memory.remove(self)
    }
}
