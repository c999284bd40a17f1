package import SDHTTPTransport
import Synchronization

/// The slow answers of a session: delayed, paced, dribbled, or not made yet. Each can be ended from outside.
package final class InFlightTable: Sendable {
    fileprivate struct Entry {
        let event: ServeEvent
        /// The handle; nil until the loop has created the stream.
        var handle: Handle?
        var isCancelled = false
        /// The actions to take at its end.
        var atEnd: [@Sendable () -> Void] = []
    }

    /// A handle to end a slow answer.
    fileprivate enum Handle {
        case timed(StreamHandle)
        case held(StreamingReply)

        func cancel() {
            switch self {
            case .timed(let stream): stream.cancel()
            case .held(let stream): stream.cancel()
            }
        }
    }

    fileprivate struct State {
        var entries: [UInt64: Entry] = [:]
        /// The arrival of the last request before a reset; requests up to it are no longer answered.
        var endedThrough: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Sends a slow answer, which stays in the table until its end.
    /// - Parameter observer: receives the end: the event, or an observer that forwards to it.
    package func send(
        _ script: WireScript, _ event: ServeEvent, _ observer: any StreamObserver, _ reply: consuming Reply
    ) {
        insert(event)
        attach(.timed(reply.sendCancellable(script, observer: InFlightAnswer(event, observer, self))), event)
    }

    /// Keeps the client waiting for an answer that is made later. It stays in the table until its end.
    /// - Parameters:
    ///   - observer: receives the end: the event, or an observer that forwards to it.
    ///   - onScript: called with each script just before it is sent.
    package func hold(
        _ event: ServeEvent, _ observer: any StreamObserver, onScript: (@Sendable (WireScript) -> Void)?,
        _ reply: consuming Reply
    ) -> StreamingReply {
        insert(event)
        let answer = InFlightAnswer(event, observer, self)
        let stream = reply.hold(onScript: onScript) { answer.streamEnded($0) }
        attach(.held(stream), event)
        return stream
    }

    private func insert(_ event: ServeEvent) {
        state.withLock { state in
            let isLate = event.arrival <= state.endedThrough
            state.entries[event.sequence] = Entry(event: event, isCancelled: isLate)
        }
    }

    private func attach(_ handle: Handle, _ event: ServeEvent) {
        let isCancelled = state.withLock { state in
            state.entries[event.sequence]?.handle = handle
            return state.entries[event.sequence]?.isCancelled ?? false
        }
        if isCancelled { handle.cancel() }
    }

    fileprivate func remove(_ sequence: UInt64) {
        let entry = state.withLock { $0.entries.removeValue(forKey: sequence) }
        for work in entry?.atEnd ?? [] { work() }
    }

    /// Calls `work` once when the answer to an event ends, or at once if it has.
    package func whenEnded(_ event: ServeEvent, _ work: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            guard state.entries[event.sequence] != nil else { return false }
            state.entries[event.sequence]?.atEnd.append(work)
            return true
        }
        if !isThere { work() }
    }

    /// The events in the table, oldest first.
    package var events: [ServeEvent] {
        state.withLock { $0.entries.values.filter { !$0.isCancelled }.map(\.event) }.sorted {
            $0.sequence < $1.sequence
        }
    }

    /// Ends one answer; false if the table has none of that sequence number.
    package func end(_ sequence: UInt64) -> Bool {
        let (isThere, handle) = state.withLock { $0.cancel(sequence) }
        handle?.cancel()
        return isThere
    }

    /// Ends the answers to requests up to an arrival, including those that are not in the table yet.
    /// - Returns: the number of answers ended in the table.
    @discardableResult
    package func endAll(through last: UInt64) -> Int {
        let ended = state.withLock { state in
            state.endedThrough = max(state.endedThrough, last)
            let doomed = state.entries.filter { $0.value.event.arrival <= last }.keys
            return doomed.map { state.cancel($0) }.filter(\.isThere)
        }
        for one in ended { one.handle?.cancel() }
        return ended.count
    }
}

extension InFlightTable.State {
    fileprivate mutating func cancel(_ sequence: UInt64) -> (isThere: Bool, handle: InFlightTable.Handle?) {
        guard let entry = entries[sequence], !entry.isCancelled else { return (false, nil) }
        entries[sequence]?.isCancelled = true
        return (true, entry.handle)
    }
}

/// Observes the end of an answer in the table.
private final class InFlightAnswer: StreamObserver {
    private let event: ServeEvent
    private let observer: any StreamObserver
    private let table: InFlightTable

    init(_ event: ServeEvent, _ observer: any StreamObserver, _ table: InFlightTable) {
        self.event = event
        self.observer = observer
        self.table = table
    }

    func streamEnded(_ end: StreamEnd) {
        table.remove(event.sequence)
        observer.streamEnded(end)
    }
}
