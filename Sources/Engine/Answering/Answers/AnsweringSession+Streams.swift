import SDHTTPTransport
public import SDJournal
import SDPlatform
package import SDStubModel

/// The streams with names, to whose readers callers send events.
extension AnsweringSession {
    /// The streams that anybody reads, by name.
    package var streams: [StreamStatus] {
        let now = SystemCalls.monotonicNanoseconds()
        return streamTable.all.map { StreamStatus($0, now: now) }
    }

    package func stream(_ name: String) -> StreamStatus {
        StreamStatus(streamTable.stream(name), now: SystemCalls.monotonicNanoseconds())
    }

    /// Sends events and pieces to all readers of a stream, in order and without another event between them.
    /// - Returns: the number of readers that get them: one that takes nothing for too long is cut off.
    package func push(_ contents: [StreamDefinition.Content], to name: String) -> Int {
        var bytes: [UInt8] = []
        var ids: [(id: [UInt8], end: Int)] = []
        for content in contents {
            bytes += content.bytes
            if case .event(let event) = content, let id = event.id { ids.append((Array(id.utf8), bytes.count)) }
        }
        let readers = streamTable.send(
            name, WireBytes(bytes, in: memory.account(.events)), count: contents.count, ids: ids)
        for reader in readers { reader.context.chargeJournal() }
        return readers.count
    }

    /// Ends the streams of all readers in order.
    /// - Returns: the number of readers.
    package func closeStream(_ name: String) -> Int {
        let readers = streamTable.takeReaders(name)
        for reader in readers { reader.finish() }
        return readers.count
    }

    /// Breaks the streams of all readers.
    /// - Returns: the number of readers.
    package func failStream(_ name: String, with fault: Fault) -> Int {
        let readers = streamTable.takeReaders(name)
        for reader in readers { reader.fail(fault) }
        return readers.count
    }
}

/// A stream with a name as callers see it.
public struct StreamStatus: Sendable {
    public let name: String
    /// The number of events that callers have sent to its readers.
    public let sent: Int
    /// The readers, the first to come first.
    public let readers: [Reader]

    public struct Reader: Sendable {
        public let event: ServeEvent
        /// The time since it came, in nanoseconds.
        public let age: UInt64
        /// The bytes that it has still to take.
        public let pendingBytes: Int
    }

    package init(_ stream: StreamTable.Shown, now: UInt64) {
        name = stream.name
        sent = stream.sent
        readers = stream.readers.map {
            Reader(event: $0.event, age: now > $0.since ? now - $0.since : 0, pendingBytes: $0.pendingBytes)
        }
    }
}
