import SDHTTPTransport
public import SDJournal
import SDPlatform
import Synchronization

/// A batch: the journal events that replicas exchange. All numbers but the length of a part have seven bits a byte.
///
///     "SDJ", version, number of the replica,
///     then for each session: its id (empty for the default one), era, stubs, and events and notes, each as a part,
///     and a checksum at the end
enum JournalBatch {
    static let mark = Array("SDJ".utf8)
    static let version: UInt8 = 1
}

extension SharedJournal {
    /// Takes events that other replicas do not know.
    /// - Parameters:
    ///   - all: whether to include answers that have not ended, because a client reads the journal; they are sent again
    ///   at
    ///     their end.
    ///   - maxBytes: the approximate size at which the batch ends; one event may exceed it. The next call continues
    ///   with the
    ///     remaining events.
    /// - Returns: a batch for `SessionRegistry.ingest` of each other replica; nil if there is nothing to send.
    public func takeBatch(all: Bool, maxBytes: Int) -> [UInt8]? {
        let outboxes = listed.withLock { listed in
            defer { listed = [] }
            return listed
        }
        let noted = noted.withLock { noted in
            defer { noted = [] }
            return noted.compactMap { $0 as? Session }
        }
        let sessions = outboxes.compactMap { $0.owner as? Session }
        let others = noted.filter { one in !sessions.contains { $0 === one } }
        var writer = PackedWriter(reserving: 1 << 10)
        var count = 0
        for (place, session) in (sessions + others).enumerated() {
            if writer.bytes.count >= maxBytes {
                let left = (sessions + others)[place...]
                listed.withLock { $0 += outboxes.filter { outbox in left.contains { $0 === outbox.owner } } }
                self.noted.withLock { $0 += left.map { $0 } }
                break
            }
            let room = maxBytes - writer.bytes.count
            let (stubs, entries, era) = session.state.withLock { state in
                var stubs = PackedStubs()
                guard let outbox = state.journal.outbox else { return (stubs, [PackedEvent](), UInt64(0)) }
                let taken = outbox.take(all: all, most: room)
                let entries = taken.map { PackedEvent($0, &stubs, in: state) }
                return (stubs, entries, outbox.change)
            }
            let notes = session.notes?.take() ?? []
            guard !entries.isEmpty || !notes.isEmpty else { continue }
            if count == 0 {
                for byte in JournalBatch.mark { writer.add(byte: byte) }
                writer.add(byte: JournalBatch.version)
                writer.add(number)
            }
            count += entries.count + notes.count
            writer.add(session.options.label ?? "")
            writer.add(era)
            stubs.pack(to: &writer)
            writer.add(count: entries.count)
            for entry in entries { writer.add { entry.pack(to: &$0) } }
            writer.add(count: notes.count)
            for note in notes {
                writer.add { part in
                    part.add(byte: note.kind.rawValue)
                    for byte in note.bytes { part.add(byte: byte) }
                }
            }
        }
        guard count > 0 else { return nil }
        writer.seal()
        return writer.bytes
    }
}

extension SessionRegistry {
    /// The journal events to send to other replicas; nil without replicas.
    public var sharedJournal: SharedJournal? { base.shared.journal }

    /// Queues all requests again that other replicas may have dropped.
    /// - Parameter all: whether to include the known requests that other replicas have answered.
    public func requeue(all: Bool) {
        for session in allSessions { session.withJournal { $0.requeue(all: all) } }
    }

    /// Whether a call of any session waits for requests, or streams events.
    public var isWaited: Bool { allSessions.contains { $0.activity.isHeard } }
}
