public import SDHTTPTransport
import SDPlatform
package import Synchronization

/// A reader of an event stream, as bytes of `text/event-stream`. Called on any thread.
public protocol EventReader: AnyObject, Sendable {
    /// Receives complete events, whose bytes all readers share. Must not call the feed.
    func send(_ events: WireBytes)
    /// Called when the session ends.
    func finish()
}

/// The event stream of a session for all of its readers: each event is encoded once.
///
/// It exists while there is a reader. Requests are ordered by sequence number, each before its response. All is sent
/// under the feed's lock, so that all readers get the same order.
package final class EventFeed: SessionListener {
    private struct Reader {
        let reader: any EventReader
        let wants: FeedSubscription
        /// Whether it gets events live, because its replay is complete.
        var isLive = true
        /// The last request broadcast before the reader was live. Its pace does not limit answers to requests up to it.
        var livesSince: UInt64 = 0
        // Cached, because they are read for each request and each answer.
        let wantsRequests: Bool
        let wantsAnswers: Bool

        init(_ reader: any EventReader, _ wants: FeedSubscription, isLive: Bool = true) {
            self.reader = reader
            self.wants = wants
            self.isLive = isLive
            wantsRequests = wants.types.contains(.request)
            wantsAnswers = wants.types.contains(.response)
        }

        func wants(_ event: FeedEvent) -> Bool {
            switch event {
            case .request: wantsRequests
            case .response: wantsAnswers
            case .change: wants.types.contains(event.kind)
            }
        }

        /// Decides whether a live reader gets an event.
        func judge(_ event: FeedEvent) -> FeedPace.Verdict {
            guard let pace = wants.pace else { return .told }
            switch event {
            case .change(.message(let note)): return pace.judge(note)
            case .change: return .told
            case .request(let event): return pace.judge(event, isAnswerTold: wantsAnswers)
            case .response(let event):
                return event.arrival > livesSince ? pace.judgeAnswer(event, isRequestTold: wantsRequests) : .told
            }
        }
    }

    private struct State {
        var readers: [Reader] = []
        var events = OrderedEvents()
        /// The arrivals of requests that were sent without their responses, ascending.
        var open: [UInt64] = []
        /// Ended events whose requests have not been sent yet.
        var endedEarly: [UInt64: ServeEvent] = [:]
        var lastChange: UInt64 = 0
        var isStopped = false

        /// The last request that was sent. If several are due at once, each is sent with its own position: the
        /// connection may end before the next one.
        var told: UInt64 = 0

        /// The position of a reader that has received everything sent so far.
        var position: FeedPosition {
            FeedPosition(request: told, change: lastChange, answered: open.first.map { $0 - 1 } ?? told)
        }
    }

    // The session owns the feed, and so is passed as a parameter.
    private let writer: FeedWriter
    /// The order of what readers are sent. Under it: the session, and a reader's locks and loop.
    private let state = Mutex(State())
    /// The number of readers of this session alone; they keep it in use.
    private let ownReaders = Atomic(0)
    /// Counts the bytes that readers have not consumed.
    private let memory: MemoryAccount

    package init(_ session: any JournalOwner, _ encoder: any FeedEncoder) {
        writer = FeedWriter(session, encoder)
        memory = session.memory.account(.events)
    }

    // MARK: Readers

    /// Starts the feed, which is already a listener of the session.
    package func start(_ session: any JournalOwner) {
        state.withLock { state in
            let (events, served) = session.withJournal { ($0.newestFirst(), $0.served) }
            state.open = events.filter { $0.end == nil }.map(\.arrival).sorted()
            state.lastChange = session.activity.changes.all.last
            state.told = served
            let early = state.events.start(after: served)
            broadcast(early, &state)
        }
    }

    /// Adds a reader that gets the events from now on.
    /// - Returns: false if the feed has ended.
    package func addReader(_ reader: any EventReader, _ wants: FeedSubscription) -> Bool {
        state.withLock { state in
            reader.send(WireBytes(writer.writing(wants.form).hello(state.position), in: memory))
            add(Reader(reader, wants), &state)
            return !state.isStopped
        }
    }

    /// Adds a reader that gets live events once its replay, by `tellMissed`, is complete.
    /// - Parameter text: the reader's last position, see `FeedPosition`.
    /// - Returns: the replay.
    package func addReader(
        _ session: any JournalOwner, _ reader: any EventReader, _ wants: FeedSubscription, after text: String
    ) -> FeedReplay {
        state.withLock { state in
            add(Reader(reader, wants, isLive: false), &state)
            return FeedReplay(
                from: FeedPosition(text, of: writer.run).map(session.arrival), wants.types, wants.form,
                now: state.position,
                changes: session.activity.changes.all.kept)
        }
    }

    /// The approximate number of missed bytes that are written at a time.
    private static let pieceSize = 64 << 10
    /// The largest number of missed events that are written under the lock.
    private static let few = 8

    /// Sends a reader more of what it missed, oldest first. After the last event, the reader is live, and gets the end
    /// if the feed has ended. Must not be called concurrently for the same reader.
    /// - Parameter isFirst: whether this is the first call.
    /// - Returns: whether there may be more, to be sent once the client has consumed this.
    func replayMissed(_ session: any JournalOwner, _ reader: any EventReader, _ replay: inout FeedReplay, isFirst: Bool)
        -> Bool
    {
        let writer = writer.writing(replay.form)
        if isFirst { reader.send(WireBytes(writer.hello(replay.position), in: memory)) }
        while let missed = finishReplay(session, reader, &replay) {
            // Outside the lock, because serving requests waits for it.
            let (bytes, isAll) = replay.write(missed, size: Self.pieceSize, writer)
            reader.send(WireBytes(bytes, in: memory))
            if !isAll { return true }
        }
        return false
    }

    /// Sends a reader the rest of what it missed and makes it live, if the rest is short.
    /// - Returns: the missed events, if there are more; nil if the reader is live now, or was removed.
    private func finishReplay(
        _ session: any JournalOwner, _ reader: any EventReader, _ replay: inout FeedReplay
    ) -> FeedReplay.Kept? {
        let (missed, isOver) = state.withLock { state -> (FeedReplay.Kept?, Bool) in
            guard let place = state.readers.firstIndex(where: { $0.reader === reader && !$0.isLive }) else {
                return (nil, false)
            }
            let kept = Self.kept(session, for: replay, state)
            guard kept.isWhole, kept.count(for: replay) <= Self.few else { return (kept, false) }
            reader.send(WireBytes(replay.write(kept, size: .max, writer.writing(replay.form)).bytes, in: memory))
            state.readers[place].isLive = true
            state.readers[place].livesSince = state.told
            return (nil, state.isStopped)
        }
        if isOver { reader.finish() }
        return missed
    }

    /// Removes a reader.
    /// - Returns: whether no reader is left.
    package func removeReader(_ reader: any EventReader) -> Bool {
        state.withLock { state in
            state.readers.removeAll { $0.reader === reader }
            ownReaders.store(state.readers.count { !$0.wants.form.isMerged }, ordering: .relaxed)
            return state.readers.isEmpty
        }
    }

    private func add(_ reader: Reader, _ state: inout State) {
        state.readers.append(reader)
        state.readers[state.readers.count - 1].livesSince = state.told
        if !reader.wants.form.isMerged { ownReaders.add(1, ordering: .relaxed) }
    }

    package var keepsInUse: Bool { ownReaders.load(ordering: .relaxed) > 0 }

    /// The stored events and changes for a replay that other readers have already received.
    private static func kept(_ session: any JournalOwner, for replay: FeedReplay, _ state: State) -> FeedReplay.Kept {
        // Later events in the journal will be broadcast to all readers.
        let last = state.told
        let changes = session.activity.changes.all.kept.filter { $0.number <= state.lastChange }
        return session.withJournal { journal in
            let events = journal.arrivals(after: replay.walked, most: FeedReplay.Kept.maxEvents)
            return FeedReplay.Kept(
                events: events.filter { $0.arrival <= last }, isWhole: events.count < FeedReplay.Kept.maxEvents,
                answered: journal.events(arrived: replay.unanswered), open: Set(state.open),
                lastEvicted: journal.limits.events > 0 ? journal.lastEvictedArrival : journal.served,
                lastEvictedSequence: journal.limits.events > 0 ? journal.lastEvicted : journal.lastSequence,
                changes: changes, now: state.position)
        }
    }

    // MARK: Listening

    package func recorded(_ event: ServeEvent) {
        state.withLock { state in
            if state.events.passes(event) {
                broadcast(event, &state)
            } else {
                broadcast(state.events.insert(event), &state)
            }
        }
    }

    package func answerEnded(_ event: ServeEvent) {
        state.withLock { state in
            let place = state.open.firstIndex(above: event.arrival &- 1)
            if place < state.open.count, state.open[place] == event.arrival {
                state.open.remove(at: place)
                send(.response(event), &state)
            } else if state.events.next.map({ event.arrival >= $0 }) ?? true {
                state.endedEarly[event.arrival] = event
            }
        }
    }

    package func changed(_ change: NumberedChange) {
        state.withLock { state in
            guard change.number > state.lastChange else { return }
            state.lastChange = change.number
            send(.change(change.change), &state)
        }
    }

    package func noted(_ change: SessionChange) {
        state.withLock { state in send(.change(change), &state) }
    }

    package func stopped() {
        let readers = state.withLock { state in
            state.isStopped = true
            return state.readers.filter(\.isLive).map(\.reader)
        }
        for reader in readers { reader.finish() }
    }

    private func broadcast(_ events: [ServeEvent], _ state: inout State) {
        for event in events { broadcast(event, &state) }
    }

    private func broadcast(_ event: ServeEvent, _ state: inout State) {
        state.told = event.arrival
        state.open.append(event.arrival)
        send(.request(event), &state)
        if !state.endedEarly.isEmpty, let ended = state.endedEarly.removeValue(forKey: event.arrival) {
            state.open.removeLast()
            send(.response(ended), &state)
        }
    }

    private func send(_ event: FeedEvent, _ state: inout State) {
        // Each form is encoded once for all of its readers.
        var written: [FeedForm: WireBytes] = [:]
        for reader in state.readers where reader.isLive && reader.wants(event) {
            let form = reader.wants.form
            switch reader.judge(event) {
            case .told: break
            case .leftOut: continue
            case .toldLate(let late): reader.reader.send(bytes(.request(late), form, state))
            }
            let bytes = written[form] ?? bytes(event, form, state)
            written[form] = bytes
            reader.reader.send(bytes)
        }
    }

    private func bytes(_ event: FeedEvent, _ form: FeedForm, _ state: State) -> WireBytes {
        WireBytes(writer.writing(form).bytes(event, state.position), in: memory)
    }
}

extension JournalOwner {
    /// The text that distinguishes positions in the session's events from those of another run, or of another replica,
    /// which numbers arrivals itself.
    var feedRun: String {
        let run = String(eventIDs.text(0).prefix(8))
        return withJournal { $0.outbox }.map { "\(run)-\($0.journal.number)" } ?? run
    }

    /// Converts a reader's position to arrivals. With replicas, a bare position is a sequence number, and events that
    /// arrived earlier may have later numbers.
    func arrival(of position: FeedPosition) -> FeedPosition {
        guard position.isBare else { return position }
        return withJournal { journal in
            guard journal.outbox != nil else { return position }
            let missed = journal.newestFirst().filter { $0.sequence > position.request }.map(\.arrival).min()
            let last = missed.map { $0 - 1 } ?? journal.served
            return FeedPosition(request: last, change: position.change, answered: last)
        }
    }

    /// The position of a reader that received everything until a time, as text. Events that were dropped count as
    /// missed.
    /// - Parameter time: milliseconds since 1970.
    package func position(at time: UInt64) -> String {
        let told = events.filter { $0.request.wallTime / 1_000_000 <= time }
        let open = told.filter { $0.ending.map { $0 > time } ?? true }.map(\.arrival).min()
        let last = told.map(\.arrival).max() ?? 0
        let change = activity.changes.all.kept.last { $0.time <= time }?.number ?? 0
        return FeedPosition(request: last, change: change, answered: open.map { $0 - 1 } ?? last).text(feedRun)
    }
}

extension ServeEvent {
    /// The time at which the answer ended, in milliseconds since 1970; nil until then.
    fileprivate var ending: UInt64? { duration.map { (request.wallTime + $0) / 1_000_000 } }
}

/// The feed of a session, while it has readers.
package final class EventFeeds: Sendable {
    package let current = Mutex<EventFeed?>(nil)

    package init() {}
}

/// The owner of a journal that can be followed.
package protocol FeedOwner: JournalOwner {
    var feeds: EventFeeds { get }
}

extension FeedOwner {
    /// Adds a reader of events from now on; with the position of an earlier reader also of those since then.
    /// - Parameter encoder: encodes the events, for this reader and all that join while it reads.
    /// - Returns: the rest of the missed events, after the first part was sent; nil if there is none.
    package func addReader(
        _ reader: any EventReader, _ wants: FeedSubscription, after position: String?, encoder: any FeedEncoder
    ) -> FeedBacklog? {
        let feed = feeds.current.withLock { feed in
            if let feed { return feed }
            let new = EventFeed(self, encoder)
            activity.add(new)
            new.start(self)
            feed = new
            return new
        }
        guard let position else {
            if !feed.addReader(reader, wants) { reader.finish() }
            return nil
        }
        let backlog = FeedBacklog(feed, self, feed.addReader(self, reader, wants, after: position))
        return backlog.replayMore(to: reader) ? backlog : nil
    }

    /// Removes a reader added by `join`.
    package func removeReader(_ reader: any EventReader) {
        feeds.current.withLock { feed in
            guard let old = feed, old.removeReader(reader) else { return }
            activity.remove(old)
            feed = nil
        }
    }
}
