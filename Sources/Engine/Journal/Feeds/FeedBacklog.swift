import Synchronization

/// The events that a reader missed, sent in parts, so that a slow reader costs no more memory than one part.
public final class FeedBacklog: Sendable {
    private struct State {
        var replay: FeedReplay
        var hasStarted = false
        var isOver = false
    }

    private let feed: EventFeed
    private let session: any JournalOwner
    /// Held while events are sent to the reader, so that they come in order. Under it: the feed, and the reader's locks and
    /// loop.
    private let state: Mutex<State>

    package init(_ feed: EventFeed, _ session: any JournalOwner, _ replay: FeedReplay) {
        self.feed = feed
        self.session = session
        state = Mutex(State(replay: replay))
    }

    /// Sends the reader the next part. Any thread.
    /// - Returns: whether to call this again once the client has consumed the part. Otherwise the reader gets events
    ///   live.
    public func replayMore(to reader: any EventReader) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            let isMore = feed.replayMissed(session, reader, &state.replay, isFirst: !state.hasStarted)
            state.hasStarted = true
            state.isOver = !isMore
            return isMore
        }
    }
}
