import HTTPTransport
import Synchronization

/// A reader of an event stream, as bytes of `text/event-stream`. Called on any thread.
public protocol EventReader: AnyObject, Sendable {
    /// Receives complete events; must not call the feed.
    /// - Parameter isReplay: whether the events are those that the reader missed, of which there may be many.
    func send(_ events: [UInt8], isReplay: Bool)
    /// Called when the session ends.
    func finish()
}

/// The event stream of a session for all of its readers: each event is encoded once.
///
/// It exists while there is a reader. Requests come in the order of their sequences, each before its response.
/// Everything is sent under the feed's lock, so that all readers get the same order.
final class EventFeed: SessionListener {
    private struct State {
        /// Each with what it is sent by, which is a `LateReader` until it has been told what it missed.
        var readers: [(reader: any EventReader, sink: any EventReader, types: Set<FeedEvent.Kind>)] = []
        var events = OrderedEvents()
        /// The sequences of requests that were sent without their responses, ascending.
        var open: [UInt64] = []
        /// Ended events whose requests have not been sent yet.
        var endedEarly: [UInt64: ServeEvent] = [:]
        var lastChange: UInt64 = 0
        var isStopped = false

        /// The position of a reader that has received everything.
        var position: FeedPosition {
            FeedPosition(
                request: events.last, change: lastChange, answered: open.first.map { $0 - 1 } ?? events.last)
        }
    }

    // The session owns the feed, and so is a parameter where it is needed.
    private let writer: FeedWriter
    private let state = Mutex(State())

    init(_ session: Session, _ encoder: any FeedEncoder) {
        writer = FeedWriter(session, encoder)
    }

    // MARK: Readers

    /// Starts the feed, which is already a listener of the session.
    func begin(_ session: Session) {
        state.withLock { state in
            let (events, served, _) = Self.snapshot(session)
            state.open = events.filter { $0.end == nil }.map(\.sequence).reversed()
            state.lastChange = session.activity.changes.all.last
            let early = state.events.begin(behind: served)
            tell(early, &state)
        }
    }

    /// Adds a reader.
    /// - Parameter text: the reader's last position, see `FeedPosition`; nil for a new reader.
    /// - Returns: false if the feed has ended.
    func join(
        _ session: Session, _ reader: any EventReader, _ types: Set<FeedEvent.Kind>, after text: String?
    ) -> Bool {
        guard let text else {
            return state.withLock { state in
                reader.send(writer.hello(state.position), isReplay: false)
                state.readers.append((reader, reader, types))
                return !state.isStopped
            }
        }
        // What it missed is written without the lock, since those who serve requests wait for that.
        let late = LateReader(reader)
        let (replay, isStopped) = state.withLock { state in
            let now = state.position
            let (events, served, lastEvicted) = Self.snapshot(session)
            // Events in the journal that have not been sent yet are sent to all readers later.
            let told = events.filter { $0.sequence <= state.events.last }
            let replay = FeedReplay(
                told: told, open: Set(state.open), lastEvicted: session.keepsJournal ? lastEvicted : served,
                changes: session.activity.changes.all.kept.filter { $0.number <= state.lastChange }, now: now)
            state.readers.append((reader, late, types))
            return (replay, state.isStopped)
        }
        let missed = replay.bytes(from: FeedPosition(text, of: writer.run), types, writer)
        late.begin(with: writer.hello(replay.now) + missed)
        return !isStopped
    }

    /// Removes a reader.
    /// - Returns: whether no reader is left.
    func leave(_ reader: any EventReader) -> Bool {
        state.withLock { state in
            state.readers.removeAll { $0.reader === reader }
            return state.readers.isEmpty
        }
    }

    private static func snapshot(
        _ session: Session
    ) -> (events: [ServeEvent], served: UInt64, lastEvicted: UInt64) {
        session.state.withLock { ($0.journal.newestFirst(), $0.served, $0.journal.lastEvicted) }
    }

    // MARK: Hearing

    func recorded(_ event: ServeEvent) {
        state.withLock { state in
            let due = state.events.take(event)
            tell(due, &state)
        }
    }

    func ended(_ event: ServeEvent) {
        state.withLock { state in
            let place = state.open.firstIndex(above: event.sequence &- 1)
            if place < state.open.count, state.open[place] == event.sequence {
                state.open.remove(at: place)
                send(.response(event), &state)
            } else if state.events.next.map({ event.sequence >= $0 }) ?? true {
                state.endedEarly[event.sequence] = event
            }
        }
    }

    func changed(_ change: NumberedChange) {
        state.withLock { state in
            guard change.number > state.lastChange else { return }
            state.lastChange = change.number
            send(.change(change.change), &state)
        }
    }

    func stopped() {
        let readers = state.withLock { state in
            state.isStopped = true
            return state.readers.map(\.sink)
        }
        for reader in readers { reader.finish() }
    }

    private func tell(_ events: [ServeEvent], _ state: inout State) {
        for event in events {
            state.open.append(event.sequence)
            send(.request(event), &state)
            if let ended = state.endedEarly.removeValue(forKey: event.sequence) {
                state.open.removeLast()
                send(.response(ended), &state)
            }
        }
    }

    private func send(_ event: FeedEvent, _ state: inout State) {
        guard state.readers.contains(where: { $0.types.contains(event.kind) }) else { return }
        let bytes = writer.bytes(event, state.position)
        for (_, sink, types) in state.readers where types.contains(event.kind) {
            sink.send(bytes, isReplay: false)
        }
    }
}

extension Session {
    /// Adds a reader of events from now on and, with the position of an earlier reader, of those since then.
    /// - Parameter encoder: writes the events for this reader and for all that join while it reads.
    public func join(
        _ reader: any EventReader, types: Set<FeedEvent.Kind>, after position: String?, encoder: any FeedEncoder
    ) {
        let feed = activity.feed.withLock { feed in
            if let feed { return feed }
            let new = EventFeed(self, encoder)
            activity.add(new)
            new.begin(self)
            feed = new
            return new
        }
        if !feed.join(self, reader, types, after: position) { reader.finish() }
    }

    /// Removes a reader added by `join`.
    public func leave(_ reader: any EventReader) {
        activity.feed.withLock { feed in
            guard let old = feed, old.leave(reader) else { return }
            activity.remove(old)
            feed = nil
        }
    }
}
