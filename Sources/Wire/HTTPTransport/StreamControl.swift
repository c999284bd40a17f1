import SDCReactor

/// Controls a stream while its answer runs. As the stream's observer it learns of the end, so it knows whether there
/// still is a stream to end. The loop retains it until then.
class StreamControl: StreamObserver, @unchecked Sendable {
    // `stream` and the state of subclasses are touched only on the loop's thread, where all jobs run, or before the
    // stream is handed over to it.
    let loop: Loop
    /// The stream, from the start of the answer to its end.
    final var stream: OpaquePointer?
    /// The name of the hold at which the script waits.
    private var heldAt: String?
    /// Holds released before the script reached them: it will not wait there.
    private var released: Set<String> = []

    /// Whether this object keeps the script alive while it runs.
    var keepsScript: Bool { false }
    /// Whether bytes that the client sends after the request are passed to `streamInput`.
    var takesInput: Bool { false }

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Starts the answer. Called on the loop's thread.
    final func begin(_ script: WireScript, on stream: OpaquePointer) {
        self.stream = stream
        if takesInput { cr_stream_accept_input(stream) }
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

    /// Called on the loop's thread when the script has ended and the stream waits for more to send.
    func streamOpen() {}

    /// Called on the loop's thread with bytes that the client sent after its request, if `takesInput`.
    func streamInput(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Lets the script continue past a hold: now, or when it gets there. Called on the loop's thread.
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
