import CReactor

/// The hold that a handle has on a stream while its answer runs: it hears the end, and so knows whether there still is a
/// stream to end. The loop keeps it until then.
class StreamControl: StreamObserver, @unchecked Sendable {
    // `stream` and what subclasses vary is touched on the loop's thread only, where all jobs run, and before the stream is
    // handed over to it.
    let mailbox: Mailbox
    /// From the beginning of the answer to its end.
    final var stream: OpaquePointer?
    /// The name of the hold at which its script waits.
    private var heldAt: String?
    /// The holds at which it will not wait, since they were released before it came there.
    private var released: Set<String> = []

    /// Whether it keeps the script while that runs.
    var keepsScript: Bool { false }

    init(_ mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    /// Answers the stream. On the loop's thread.
    final func begin(_ script: WireScript, on stream: OpaquePointer) {
        self.stream = stream
        cr_stream_reply(stream, script.block.steps, observerWords(self, keepsScript ? nil : script))
    }

    func streamEnded(_ end: StreamEnd) {
        stream = nil
        heldAt = nil
    }

    /// The script has come to a hold. On the loop's thread.
    func streamHeld(at name: String) {
        guard let stream else { return }
        if released.remove(name) == nil {
            heldAt = name
        } else {
            cr_stream_release(stream)
        }
    }

    /// The script has ended, and the stream waits for what follows. On the loop's thread.
    func streamOpen() {}

    /// Lets the script go on behind a hold: at once, or as soon as it comes there. On the loop's thread.
    final func release(_ name: String) {
        guard let stream else { return }
        if heldAt == name {
            heldAt = nil
            cr_stream_release(stream)
        } else {
            released.insert(name)
        }
    }

    /// Ends the stream where it has not ended. On the loop's thread, and not from a callback.
    final func cancelNow() {
        if let stream { cr_stream_cancel(stream) }
    }
}
