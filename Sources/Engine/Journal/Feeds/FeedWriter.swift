/// The events that a reader has missed for good.
public struct FeedGap: Sendable {
    /// Whether the reader's position is of another run, so that everything is new.
    public let isOfAnotherRun: Bool
    /// The sequence of the last request that was missed; 0 if none was.
    public let requestsUpTo: UInt64
}

/// Writes a session's events for the readers of its stream, once for all of them. Called under the feed's lock.
public protocol FeedEncoder: Sendable {
    /// The first bytes for a reader.
    /// - Parameter position: the `id` from which the reader goes on.
    func hello(_ position: String, _ form: FeedForm) -> [UInt8]
    /// An event.
    /// - Parameter position: the `id` of a reader that has received it, made only where the form has it.
    func bytes(_ event: FeedEvent, _ position: @autoclosure () -> String, _ form: FeedForm) -> [UInt8]
    /// A gap.
    /// - Parameter position: the `id` of a reader that knows of it.
    func gap(_ gap: FeedGap, _ position: String, _ form: FeedForm) -> [UInt8]
}

/// Writes events at positions.
package struct FeedWriter: Sendable {
    /// The text that tells the session's ids from those of other runs.
    package let run: String
    private let encoder: any FeedEncoder
    /// How the events are written.
    private var form = FeedForm()

    package init(_ session: any JournalKeeper, _ encoder: any FeedEncoder) {
        run = session.feedRun
        self.encoder = encoder
    }

    /// The writer of events in a form.
    package func writing(_ form: FeedForm) -> FeedWriter {
        var writer = self
        writer.form = form
        return writer
    }

    package func hello(_ position: FeedPosition) -> [UInt8] { encoder.hello(position.text(run), form) }

    package func bytes(_ event: FeedEvent, _ position: @autoclosure () -> FeedPosition) -> [UInt8] {
        encoder.bytes(event, position().text(run), form)
    }

    package func gap(_ gap: FeedGap, _ position: FeedPosition) -> [UInt8] {
        encoder.gap(gap, position.text(run), form)
    }
}
