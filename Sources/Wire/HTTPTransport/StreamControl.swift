import SDCReactor

/// The control of a stream while its answer runs: as its observer it learns of the end, and so knows whether there
/// still is a stream to end. The loop keeps it until then.
class StreamControl: StreamObserver, @unchecked Sendable {
    // `stream` and the state of subclasses are touched only on the loop's thread, where all jobs run, and before the
    // stream is handed over to it.
    let loop: Loop
    /// The stream, from the beginning of the answer to its end.
    final var stream: OpaquePointer?
    /// The name of the hold at which the script waits.
    private var heldAt: String?
    /// The holds at which the script will not wait, since they were released before it reached them.
    private var released: Set<String> = []

    /// Whether this object keeps the script alive while it runs.
    var keepsScript: Bool { false }
    /// Whether what the client sends after the request is given to `streamInput`.
    var takesInput: Bool { false }

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Answers the stream. Called on the loop's thread.
    final func begin(_ script: WireScript, on stream: OpaquePointer) {
        self.stream = stream
        if takesInput { cr_stream_take_input(stream) }
        cr_stream_reply(stream, script.block.steps, observerWords(self, keepsScript ? nil : script))
    }

    func streamEnded(_ end: StreamEnd) {
        stream = nil
        heldAt = nil
    }

    /// Called on the loop's thread when the script has come to a hold.
    func streamHeld(at name: String) {
        guard let stream else { return }
        if released.remove(name) == nil {
            heldAt = name
        } else {
            cr_stream_release(stream)
        }
    }

    /// Called on the loop's thread when the script has ended and the stream waits for what follows.
    func streamOpen() {}

    /// Called on the loop's thread with bytes that came after the request of a stream that takes them.
    func streamInput(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Lets the script continue after a hold: at once, or as soon as it gets there. Called on the loop's thread.
    final func release(_ name: String) {
        guard let stream else { return }
        if heldAt == name {
            heldAt = nil
            cr_stream_release(stream)
        } else {
            released.insert(name)
        }
    }

    /// Ends the stream if it has not ended. Called on the loop's thread, and not from a callback.
    final func cancelNow() {
        if let stream { cr_stream_cancel(stream) }
    }
}
