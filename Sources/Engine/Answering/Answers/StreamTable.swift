package import SDHTTPTransport
package import SDJournal
import SDPlatform
package import SDStubModel
import Synchronization

/// A client that reads a named stream.
package final class StreamReader: SlowReader {
    package let context: StreamContext
    package var event: ServeEvent { context.event }
    /// The time at which it connected, in monotonic nanoseconds.
    package let since: UInt64
    private let stream: StreamingReply
    private let end: WireScript
    /// The largest number of bytes that may wait for a slow reader.
    private static let maxPending = 1 << 20

    /// - Parameter end: the end of the answer.
    package init(_ context: StreamContext, _ stream: StreamingReply, since: UInt64, end: WireScript) {
        self.context = context
        self.stream = stream
        self.since = since
        self.end = end
    }

    /// Sends bytes. A reader with too many waiting bytes is disconnected.
    /// - Returns: false if it is disconnected or has ended.
    package func send(_ bytes: WireBytes) -> Bool {
        guard event.end == nil else { return false }
        let pending = stream.pendingBytes
        guard pending == 0 || pending + bytes.count <= Self.maxPending else {
            cutOff()
            return false
        }
        context.body.add(bytes)
        stream.send(bytes)
        return true
    }

    /// Ends the stream normally.
    package func finish() { stream.finish(end) }

    /// Ends the stream with a fault.
    package func fail(_ fault: Fault) {
        context.body.end(with: fault)
        stream.finish(WireScript(faultInStream: fault))
    }

    package var pendingBytes: Int { stream.pendingBytes }

    package func cutOff() { stream.cancel() }
}

/// The open named streams of a session, to whose readers callers send events.
package final class StreamTable: Sendable {
    private struct Entry {
        /// The readers by the sequence numbers of their requests.
        var readers: [UInt64: StreamReader] = [:]
        /// The number of events sent while there was a reader.
        var sent = 0
        /// The events that reconnecting readers may have missed.
        var kept = ReplayBuffer()
        /// The number of the last push with stored events.
        var lastPush: UInt64 = 0
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var pushes: UInt64 = 0
    }

    /// The largest number of names with stored events.
    private static let maxKept = 100

    /// A stream as callers see it.
    package struct Shown: Sendable {
        package let name: String
        package let sent: Int
        /// The readers, in order of arrival.
        package let readers: [StreamReader]
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a reader, and sends it the events after the last one that it has seen.
    /// - Parameter last: the id of that event; nil for a reader that does not reconnect.
    package func addReader(_ name: String, _ reader: StreamReader, after last: ArraySlice<UInt8>?) {
        state.withLock { state in
            var entry = state.entries[name] ?? Entry()
            if let last {
                for bytes in entry.kept.after(last) { _ = reader.send(bytes) }
            }
            entry.readers[reader.event.sequence] = reader
            state.entries[name] = entry
        }
    }

    package func removeReader(_ name: String, _ reader: StreamReader) {
        state.withLock { state in
            state.entries[name]?.readers[reader.event.sequence] = nil
            Self.tidy(name, &state)
        }
    }

    /// Removes the readers' data of a name without readers.
    private static func tidy(_ name: String, _ state: inout State) {
        guard state.entries[name]?.readers.isEmpty == true else { return }
        if state.entries[name]?.kept.isEmpty == true { state.entries[name] = nil }
        state.entries[name]?.sent = 0
    }

    /// Whether an event of that id was sent to a name, and the following ones are stored.
    package func keeps(_ id: ArraySlice<UInt8>, of name: String) -> Bool {
        state.withLock { $0.entries[name]?.kept.has(id) ?? false }
    }

    /// Sends bytes to all readers of a name.
    /// - Parameters:
    ///   - count: the number of events in it.
    ///   - ids: the ids of its events, and the offset in the bytes at which each event ends.
    /// - Returns: the readers that get them.
    package func send(_ name: String, _ bytes: WireBytes, count: Int, ids: [(id: [UInt8], end: Int)]) -> [StreamReader]
    {
        state.withLock { state in
            // Under the lock, so that all readers get the same order.
            var entry = state.entries[name] ?? Entry()
            entry.kept.add(bytes, ids: ids)
            let readers = entry.readers.values
            if !readers.isEmpty { entry.sent += count }
            if !entry.kept.isEmpty {
                state.pushes += 1
                entry.lastPush = state.pushes
            }
            state.entries[name] = readers.isEmpty && entry.kept.isEmpty ? nil : entry
            Self.dropOldest(&state)
            return readers.filter { $0.send(bytes) }
        }
    }

    /// Drops the stored events of the least recently used name, if there are too many.
    private static func dropOldest(_ state: inout State) {
        guard state.entries.count > maxKept else { return }
        let kept = state.entries.filter { !$0.value.kept.isEmpty }
        guard kept.count > maxKept, let oldest = kept.min(by: { $0.value.lastPush < $1.value.lastPush }) else {
            return
        }
        state.entries[oldest.key]?.kept = ReplayBuffer()
        tidy(oldest.key, &state)
    }

    /// Drops all events stored for reconnecting readers.
    package func forgetKept() {
        state.withLock { state in
            for name in Array(state.entries.keys) {
                state.entries[name]?.kept = ReplayBuffer()
                Self.tidy(name, &state)
            }
        }
    }

    /// Removes and returns all readers of a name, to end their streams.
    func takeReaders(_ name: String) -> [StreamReader] {
        state.withLock { state in
            let readers = state.entries[name]?.readers.values.sorted { $0.event.sequence < $1.event.sequence } ?? []
            state.entries[name]?.readers = [:]
            Self.tidy(name, &state)
            return readers
        }
    }

    /// The streams that have readers.
    package var all: [Shown] {
        state.withLock { state in
            state.entries.filter { !$0.value.readers.isEmpty }.sorted { $0.key < $1.key }.map {
                Self.shown($0.key, $0.value)
            }
        }
    }

    package func stream(_ name: String) -> Shown { state.withLock { Self.shown(name, $0.entries[name] ?? Entry()) } }

    private static func shown(_ name: String, _ entry: Entry) -> Shown {
        Shown(
            name: name, sent: entry.sent,
            readers: entry.readers.values.sorted { $0.event.sequence < $1.event.sequence })
    }
}
