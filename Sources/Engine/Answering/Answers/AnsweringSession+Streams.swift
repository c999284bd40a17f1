import SDHTTPTransport
public import SDJournal
import SDPlatform
package import SDStubModel

/// Named streams, to whose readers callers send events.
extension AnsweringSession {
    /// The streams with readers, by name.
    package var streams: [StreamStatus] {
        let now = SystemCalls.monotonicNanoseconds()
        return streamTable.all.map { StreamStatus($0, now: now) }
    }

    package func stream(_ name: String) -> StreamStatus {
        StreamStatus(streamTable.stream(name), now: SystemCalls.monotonicNanoseconds())
    }

    /// Sends events and chunks to all readers of a stream, in order and without other events in between.
    /// - Returns: the number of readers that get them. A reader that is too slow is disconnected.
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

    /// Ends the streams of all readers normally.
    /// - Returns: the number of readers.
    package func closeStream(_ name: String) -> Int {
        let readers = streamTable.takeReaders(name)
        for reader in readers { reader.finish() }
        return readers.count
    }

    /// Ends the streams of all readers with a fault.
    /// - Returns: the number of readers.
    package func failStream(_ name: String, with fault: Fault) -> Int {
        let readers = streamTable.takeReaders(name)
        for reader in readers { reader.fail(fault) }
        return readers.count
    }
}

/// A named stream as callers see it.
public struct StreamStatus: Sendable {
    public let name: String
    /// The number of events sent to its readers.
    public let sent: Int
    /// The readers, in order of arrival.
    public let readers: [Reader]

    public struct Reader: Sendable {
        public let event: ServeEvent
        /// The time since it connected, in nanoseconds.
        public let age: UInt64
        /// The bytes that it has not consumed yet.
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
