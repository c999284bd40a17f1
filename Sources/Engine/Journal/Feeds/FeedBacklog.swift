import Synchronization

/// The events that a reader missed, told a piece at a time, so that a slow reader costs no more memory than one piece.
public final class FeedBacklog: Sendable {
    private struct State {
        var replay: FeedReplay
        var isBegun = false
        var isOver = false
    }

    private let feed: EventFeed
    private let session: any JournalKeeper
    /// Held while the reader is told a piece, so that all comes in order.
    private let state: Mutex<State>

    package init(_ feed: EventFeed, _ session: any JournalKeeper, _ replay: FeedReplay) {
        self.feed = feed
        self.session = session
        state = Mutex(State(replay: replay))
    }

    /// Tells the reader the next piece. Any thread.
    /// - Returns: whether to call this again, when the client has taken the piece. Otherwise the reader gets events as
    ///   they come.
    public func tellMore(to reader: any EventReader) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            let isMore = feed.tellMissed(session, reader, &state.replay, isFirst: !state.isBegun)
            state.isBegun = true
            state.isOver = !isMore
            return isMore
        }
    }
}
