import SDCReactor
import Synchronization

/// An answer that is sent later or step by step, without a waiting thread or timer: a long poll, server-sent events, a
/// body that another server is still sending.
///
/// The answer ends once: by `finish`, by `cancel`, because the client closes the connection, or with the server. A
/// draining server ends it as soon as everything given to it is sent. Dropping the last reference without `finish`
/// cancels the answer, so that the client does not wait for ever.
public final class StreamingReply: Sendable {
    private let control: StreamingReplyControl

    fileprivate init(_ control: StreamingReplyControl) {
        self.control = control
    }

    deinit {
        control.loop.post(Work { [control] in control.abandon() })
    }

    /// Sends a slice of the body after the earlier ones, framed as the head announced. Callable on any thread; the
    /// calls' order is kept. Ignored after `finish` and after the end.
    public func send(_ bytes: WireBytes) {
        guard bytes.count > 0 else { return }
        control.pendingBytes.add(bytes.count, ordering: .relaxed)
        if !control.loop.post(BodySlice(bytes, control)) {
            control.pendingBytes.subtract(bytes.count, ordering: .relaxed)
        }
    }

    /// Like `send`, but writes at once if the stream is waiting. On the loop's thread.
    package func sendAtOnce(_ bytes: WireBytes) {
        guard bytes.count > 0 else { return }
        control.pendingBytes.add(bytes.count, ordering: .relaxed)
        control.send(bytes)
    }

    /// The number of bytes given to `send` and not yet sent, for limiting what a slow reader can pile up. Up to 16
    /// slices are sent together, and count until all of them are sent. 0 after the end. Any thread.
    public var pendingBytes: Int { max(control.pendingBytes.load(ordering: .relaxed), 0) }

    /// Ends the answer with a script, after the slices. Callable on any thread. Only the first call counts; ignored
    /// after the end.
    public func finish(_ script: WireScript) {
        control.loop.post(Work { [control] in control.finish(script) })
    }

    /// Sends the parts that `source` makes, each once everything before it is sent, until the source makes an ending.
    /// Slices given to `send` meanwhile are sent between two parts. Callable on any thread; ignored after `finish` and
    /// after the end.
    /// - Parameter shape: the transforms of everything sent from now on.
    public func run(_ source: any ScriptSource, shape: BodyShape = BodyShape()) {
        control.loop.post(Work { [control] in control.run(source, shape) })
    }

    /// Sends a script after everything given before; at once on the loop's thread if the stream is waiting. A script
    /// with an ending ends the answer, like `finish`. It may have one relay, from which its body comes. Callable on any
    /// thread; ignored after `finish` and after the end.
    /// - Parameter shape: the transforms of everything sent from now on, this script included; nil leaves them as they
    ///   are.
    package func play(_ script: WireScript, shape: BodyShape? = nil) {
        guard !loop.isCurrent else { return control.play(script, shape) }
        control.loop.post(Work { [control] in control.play(script, shape) })
    }

    /// Switches to another protocol after the head that is played next. From then on the client's bytes go to
    /// `onInput`, and bytes sent no longer belong to the answer. For its observer the answer ends once that head is
    /// sent. On the loop's thread, while everything given so far is sent.
    /// - Parameters:
    ///   - onDrained: as in `Reply.hold`, like `onInput`.
    ///   - onEnd: called once, on the loop's thread.
    /// - Returns: false, with nothing changed, if the connection cannot switch or the stream has ended.
    package func goOn(
        onDrained: @escaping @Sendable () -> Void, onInput: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (StreamEnd) -> Void
    ) -> Bool {
        control.goOn(onDrained, onInput, onEnd)
    }

    /// Calls the source again after it had nothing to send. Callable on any thread.
    public func resume() {
        control.loop.post(Work { [control] in control.resume() })
    }

    /// The loop of the answer's connection.
    public var loop: Loop { control.loop }

    /// The stream; nil after its end. On the loop's thread.
    var raw: OpaquePointer? { control.stream }

    /// Lets a script continue past its hold of that name, like `StreamHandle.release`.
    public func release(_ name: String = "") {
        control.loop.post(Work { [control] in control.release(name) })
    }

    /// Resumes or pauses reading from the client, for an answer with `onInput`. While paused, the client's bytes wait
    /// at the client. Callable on any thread; ignored after the end.
    public func readInput(_ reads: Bool) {
        control.loop.post(Work { [control] in control.readInput(reads) })
    }

    /// Ends the stream and its connection soon, dropping what is unsent: with a reset if part of the answer was sent,
    /// otherwise in order (FIN). `onEnd` receives `.cancelled`, never inside this call. Callable on any thread, at any
    /// time.
    public func cancel() {
        control.loop.post(Work { [control] in control.cancelNow() })
    }
}

/// Makes an answer while it is sent. An endless answer is made at the client's pace and needs no memory.
public protocol ScriptSource: AnyObject, Sendable {
    /// The next part of the answer (see `WireScript.part`), or its ending; nil to pause until `StreamingReply.resume`.
    /// Called on the loop's thread, when everything before it is sent.
    ///
    /// A source that never pauses must make parts that wait, so that other streams are served.
    func next() -> WireScript?
}

extension WireScript {
    /// A part of an answer, after which more follows.
    /// - Precondition: no step is `end` or `abort`, and every range lies inside its bytes.
    public static func part(_ steps: [WireStep]) -> WireScript { WireScript(opening: steps) }
}

extension Reply {
    /// Sends `opening` (steps without an ending; may be empty) and leaves the stream open until it is finished or
    /// cancelled, or the client closes the connection. No thread and no timer waits.
    /// - Parameters:
    ///   - shape: the transforms of the body, however it is sent.
    ///   - onDrained: called on the loop's thread whenever everything given so far is sent: the first time after the
    ///     opening, perhaps before this returns. It must not take long.
    ///   - onScript: called with each script just before it is sent: with the opening before this returns, with all
    ///     others on the loop's thread.
    ///   - onInput: called on the loop's thread with the bytes that the client sends after its request, for protocols
    ///     other than HTTP. Without it they are the next requests. The connection ends with the answer. The first call,
    ///     with bytes that have already arrived, may come before this returns. It must not take long. Ignored if the
    ///     connection's protocol does not support it.
    ///   - onEnd: called once, on the loop's thread; before this returns if the client has already closed the
    ///     connection.
    /// - Precondition: `opening` has no `end` and no `abort`, and every range lies within its bytes.
    public consuming func hold(
        _ opening: [WireStep] = [], shape: BodyShape = BodyShape(), onDrained: (@Sendable () -> Void)? = nil,
        onScript: (@Sendable (WireScript) -> Void)? = nil, onInput: (@Sendable (consuming [UInt8]) -> Void)? = nil,
        onEnd: @escaping @Sendable (StreamEnd) -> Void
    ) -> StreamingReply {
        let control = StreamingReplyControl(loop, shape, onScript, onDrained, onInput, onEnd)
        let held = StreamingReply(control)
        let script = control.begin(with: WireScript(opening: opening))
        answer(script, control)
        return held
    }
}

/// A body slice on its way to a stream.
private final class BodySlice: Job {
    private let bytes: WireBytes
    private let control: StreamingReplyControl

    init(_ bytes: WireBytes, _ control: StreamingReplyControl) {
        self.bytes = bytes
        self.control = control
    }

    override func run() {
        control.send(bytes)
    }
}

/// The unsent slices of a streaming reply. Everything except `pendingBytes` is used on the loop's thread only.
private final class StreamingReplyControl: StreamControl, @unchecked Sendable {
    /// The maximum number of slices sent in one write.
    private static let batch = 16

    let pendingBytes = Atomic<Int>(0)
    // Accessed like the state of `StreamControl`.
    private var onEnd: ((StreamEnd) -> Void)?
    /// Called when the answer ends because the connection switches to another protocol.
    private var onAnswered: ((StreamEnd) -> Void)?
    private var onScript: ((WireScript) -> Void)?
    private var onDrained: (() -> Void)?
    private var onInput: ((consuming [UInt8]) -> Void)?
    private var shape: BodyShape
    /// The script that the loop is reading.
    private var running: WireScript?
    private var runningBytes = 0
    private var isHeld = false
    /// The slices still to be sent, from index `next`.
    private var pieces: [WireBytes] = []
    private var next = 0
    private var ending: WireScript?
    /// The source of the answer after the slices.
    private var source: (any ScriptSource)?
    /// The scripts to play after the slices.
    private var played: [Played] = []
    /// The relay that feeds the stream, retained until the stream ends.
    private var relay: BodyRelay?

    private enum Played {
        case script(WireScript)
        /// A relay's bytes, sent as scripts of its slices.
        case pieces(BodyRelay)
    }

    override var keepsScript: Bool { true }
    override var takesInput: Bool { onInput != nil }

    init(
        _ loop: Loop, _ shape: BodyShape, _ onScript: ((WireScript) -> Void)?, _ onDrained: (() -> Void)?,
        _ onInput: ((consuming [UInt8]) -> Void)?, _ onEnd: @escaping (StreamEnd) -> Void
    ) {
        self.onScript = onScript
        self.onInput = onInput
        self.onDrained = onDrained
        self.onEnd = onEnd
        self.shape = shape
        super.init(loop)
    }

    /// Makes the first script, transformed, and retains it while the loop reads it.
    func begin(with opening: WireScript) -> WireScript {
        let script = shape.apply(to: opening)
        onScript?(script)
        running = script
        return script
    }

    func send(_ bytes: WireBytes) {
        guard stream != nil, ending == nil else {
            pendingBytes.subtract(bytes.count, ordering: .relaxed)
            return
        }
        if isHeld, pieces.isEmpty {
            runningBytes = bytes.count
            return give(WireScript(piece: bytes))
        }
        pieces.append(bytes)
        advance()
    }

    func finish(_ script: WireScript) {
        guard stream != nil, ending == nil else { return }
        ending = script
        advance()
    }

    func run(_ source: any ScriptSource, _ shape: BodyShape) {
        guard stream != nil, ending == nil else { return }
        self.source = source
        self.shape = shape
        advance()
    }

    func resume() {
        advance()
    }

    func goOn(
        _ onDrained: @escaping () -> Void, _ onInput: @escaping ([UInt8]) -> Void,
        _ onEnd: @escaping (StreamEnd) -> Void
    ) -> Bool {
        guard let stream, ending == nil, self.onInput == nil, cr_stream_accept_input(stream) else { return false }
        onAnswered = self.onEnd
        (self.onDrained, self.onInput, self.onEnd) = (onDrained, onInput, onEnd)
        return true
    }

    /// Reports the end of the answer to its owner; bytes sent later do not belong to it.
    private func tellAnswered(_ end: StreamEnd) {
        guard let onAnswered = onAnswered.take() else { return }
        onScript = nil
        shape = BodyShape()
        onAnswered(end)
    }

    func play(_ script: WireScript, _ shape: BodyShape?) {
        guard let stream, ending == nil else { return }
        if let shape { self.shape = shape }
        var script = script
        if let relay = script.relay {
            self.relay = relay
            cr_relay_attach(relay.raw, stream)
            // Transforms and observers see the body slice by slice.
            if !self.shape.isEmpty || onScript != nil, let (before, after) = script.partedAtRelay {
                if !before.isEmptyPart { played.append(.script(before)) }
                played.append(.pieces(relay))
                relay.takePieces { [weak self] in self?.advance() }
                script = after
            }
        }
        if !script.isPart { ending = script } else if !script.isEmptyPart { played.append(.script(script)) }
        advance()
    }

    /// Ends a stream that nothing can finish any more.
    func abandon() {
        if ending == nil { cancelNow() }
    }

    override func streamInput(_ bytes: UnsafeBufferPointer<UInt8>) {
        onInput?(Array(bytes))
    }

    func readInput(_ reads: Bool) {
        if let stream, takesInput { cr_stream_set_input_reading(stream, reads) }
    }

    override func streamOpen() {
        running = nil
        pendingBytes.subtract(runningBytes, ordering: .relaxed)
        runningBytes = 0
        isHeld = true
        if onAnswered != nil, let stream { tellAnswered(StreamEnd(cr_stream_progress(stream))) }
        advance()
        if isHeld { onDrained?() }
    }

    /// Gives a waiting stream its next script, if any.
    private func advance() {
        if isHeld, stream != nil, let next = nextScript() { give(next) }
    }

    private func give(_ next: WireScript) {
        guard let stream else { return }
        isHeld = false
        let script = shape.apply(to: next)
        onScript?(script)
        running = script
        cr_stream_extend(stream, script.block.steps)
    }

    private func nextScript() -> WireScript? {
        guard next < pieces.count else { return nextPlayed() }
        let end = min(next + Self.batch, pieces.count)
        let batch = pieces[next..<end]
        next = end
        for piece in batch { runningBytes += piece.count }
        if next == pieces.count {
            pieces = []
            next = 0
        }
        return WireScript(pieces: batch)
    }

    private func nextPlayed() -> WireScript? {
        guard let first = played.first else { return ending ?? madeScript() }
        if case .pieces(let relay) = first {
            let sizes = relay.next(Self.batch)
            guard sizes.isEmpty else { return WireScript(pieces: sizes, of: relay) }
            guard relay.isClosed else { return nil }
        }
        played.removeFirst()
        if case .script(let script) = first { return script }
        return nextPlayed()
    }

    /// The script that the source makes next.
    private func madeScript() -> WireScript? {
        // A draining server makes no more parts: the stream stays held, and ends with the server.
        guard let source, let stream, let loop = cr_stream_loop(stream), !cr_loop_is_draining(loop),
            let script = source.next()
        else { return nil }
        if !script.isPart { ending = script }
        return script
    }

    override func streamEnded(_ end: StreamEnd) {
        super.streamEnded(end)
        var unsent = runningBytes
        for piece in pieces[next...] { unsent += piece.count }
        pendingBytes.subtract(unsent, ordering: .relaxed)
        running = nil
        runningBytes = 0
        isHeld = false
        pieces = []
        next = 0
        ending = nil
        source = nil
        played = []
        relay = nil
        onScript = nil
        onDrained = nil
        onInput = nil
        tellAnswered(end)
        onEnd.take()?(end)
    }
}
