import HTTPTransport
import Memory
import StubModel
import Synchronization

/// A client that reads a stream with a name.
final class StreamReader: SlowReader {
    let event: ServeEvent
    /// The time at which it came, in monotonic nanoseconds.
    let since: UInt64
    private let stream: HeldStream
    private let end: WireScript
    /// The most bytes that may wait for a slow reader.
    private static let mostPending = 1 << 20

    /// - Parameter end: the end of the answer.
    init(event: ServeEvent, stream: HeldStream, since: UInt64, end: WireScript) {
        self.event = event
        self.stream = stream
        self.since = since
        self.end = end
    }

    /// Sends a piece. A reader with too many bytes waiting is cut off.
    /// - Returns: whether it is not.
    func send(_ bytes: WireBytes) -> Bool {
        guard event.end == nil else { return false }
        let pending = stream.pendingBytes
        guard pending == 0 || pending + bytes.count <= Self.mostPending else {
            cutOff()
            return false
        }
        stream.send(bytes)
        return true
    }

    /// Ends the stream in order.
    func finish() { stream.finish(end) }

    /// Ends the stream with a fault.
    func fail(_ fault: Fault) { stream.finish(WireScript(faultInStream: fault)) }

    var pendingBytes: Int { stream.pendingBytes }

    func cutOff() { stream.cancel() }
}

/// The open streams of a session that have names, under which callers send events to their readers.
final class StreamTable: Sendable {
    private struct Entry {
        /// The readers by the sequences of their requests.
        var readers: [UInt64: StreamReader] = [:]
        /// The number of events that were sent while anybody read.
        var sent = 0
    }

    /// A stream as callers see it.
    struct Shown: Sendable {
        let name: String
        let sent: Int
        /// The readers, the first to come first.
        let readers: [StreamReader]
    }

    private let state = Mutex<[String: Entry]>([:])

    func join(_ name: String, _ reader: StreamReader) {
        state.withLock { $0[name, default: Entry()].readers[reader.event.sequence] = reader }
    }

    func leave(_ name: String, _ reader: StreamReader) {
        state.withLock { entries in
            entries[name]?.readers[reader.event.sequence] = nil
            if entries[name]?.readers.isEmpty == true { entries[name] = nil }
        }
    }

    /// Sends a piece to all readers of a name.
    /// - Parameter count: the number of events in it.
    /// - Returns: how many readers get it.
    func send(_ name: String, _ bytes: WireBytes, count: Int) -> Int {
        state.withLock { entries in
            // Under the lock, so that all readers get the same order.
            guard let readers = entries[name]?.readers.values else { return 0 }
            entries[name]?.sent += count
            return readers.count { $0.send(bytes) }
        }
    }

    /// Takes all readers of a name out, to end their streams.
    func takeReaders(_ name: String) -> [StreamReader] {
        state.withLock { entries in
            (entries.removeValue(forKey: name)?.readers.values).map {
                $0.sorted { $0.event.sequence < $1.event.sequence }
            } ?? []
        }
    }

    var all: [Shown] {
        state.withLock { entries in entries.sorted { $0.key < $1.key }.map { Self.shown($0.key, $0.value) } }
    }

    func stream(_ name: String) -> Shown { state.withLock { Self.shown(name, $0[name] ?? Entry()) } }

    private static func shown(_ name: String, _ entry: Entry) -> Shown {
        Shown(
            name: name, sent: entry.sent,
            readers: entry.readers.values.sorted { $0.event.sequence < $1.event.sequence })
    }
}
