/// The events that a reader has lost for good.
public struct FeedGap: Sendable {
    /// Whether the reader's position is of another run, so that everything is new.
    public let isOfAnotherRun: Bool
    /// The sequence number of the last lost request; 0 if none is lost.
    public let requestsUpTo: UInt64
}

/// Encodes a session's events, once for all readers. Called under the feed's lock.
public protocol FeedEncoder: Sendable {
    /// The first bytes for a reader.
    /// - Parameter position: the `id` from which the reader continues.
    func hello(_ position: String, _ form: FeedForm) -> [UInt8]
    /// An event.
    /// - Parameter position: the `id` of a reader that has received it, made only if the form has ids.
    func bytes(_ event: FeedEvent, _ position: @autoclosure () -> String, _ form: FeedForm) -> [UInt8]
    /// A gap.
    /// - Parameter position: the `id` of a reader that knows of the gap.
    func gap(_ gap: FeedGap, _ position: String, _ form: FeedForm) -> [UInt8]
}

/// Writes events with positions.
package struct FeedWriter: Sendable {
    /// The text that distinguishes the session's ids from those of other runs.
    package let run: String
    private let encoder: any FeedEncoder
    /// How the events are written.
    private var form = FeedForm()

    package init(_ session: any JournalOwner, _ encoder: any FeedEncoder) {
        run = session.feedRun
        self.encoder = encoder
    }

    /// A writer of events in a form.
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
