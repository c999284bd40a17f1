import SDHTTPTransport
public import SDJournal
import SDPlatform
import Synchronization

/// A batch: what replicas hand to each other of their journals. All numbers but the length of a part have seven bits a byte.
///
///     "SDJ", version, number of the replica,
///     then for each session: its id (empty for the first), era, stubs, and events, each as a part,
///     and a check sum at the end
enum JournalBatch {
    static let mark = Array("SDJ".utf8)
    static let version: UInt8 = 1
}

extension SharedJournal {
    /// Takes events that the other replicas do not know of.
    /// - Parameters:
    ///   - all: whether to take those whose answers have not ended, too, as somebody reads the journal; at their end they come
    ///     again, in place of what was handed in.
    ///   - mostBytes: the size after which the batch ends, about; an event may be larger. With events left, the next call goes
    ///     on.
    /// - Returns: a batch for `SessionRegistry.ingest` of each other replica; nil if there is nothing to tell.
    public func takeBatch(all: Bool, mostBytes: Int) -> [UInt8]? {
        let outboxes = listed.withLock { listed in
            defer { listed = [] }
            return listed
        }
        var writer = PackedWriter(reserving: 1 << 10)
        var count = 0
        for (place, outbox) in outboxes.enumerated() {
            if writer.bytes.count >= mostBytes {
                listed.withLock { $0 += outboxes[place...] }
                break
            }
            guard let session = outbox.keeper as? Session else { continue }
            let room = mostBytes - writer.bytes.count
            let (stubs, entries, era) = session.state.withLock { state in
                var stubs = HandedStubs()
                let taken = outbox.take(all: all, most: room)
                let entries = taken.map { HandedEvent($0, &stubs, in: state) }
                return (stubs, entries, max(outbox.era, completeChange))
            }
            guard !entries.isEmpty else { continue }
            if count == 0 {
                for byte in JournalBatch.mark { writer.add(byte: byte) }
                writer.add(byte: JournalBatch.version)
                writer.add(number)
            }
            count += entries.count
            writer.add(session.options.label ?? "")
            writer.add(era)
            stubs.pack(to: &writer)
            writer.add(count: entries.count)
            for entry in entries { writer.add { entry.pack(to: &$0) } }
        }
        guard count > 0 else { return nil }
        writer.seal()
        return writer.bytes
    }
}

extension SessionRegistry {
    /// What of the journals other replicas have still to be told; nil if there are none.
    public var sharedJournal: SharedJournal? { base.shared.journal }

    /// Whether a call of any session waits for requests, or reads events as they come.
    public var isWaited: Bool { allSessions.contains { $0.activity.isHeard } }
}
