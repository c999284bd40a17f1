import SDCReactor
import Synchronization

/// An answer that comes later, or in pieces, while the stream waits without a thread or a timer: a call that waits for
/// an event, server-sent events, a body that another server is still sending.
///
/// The answer ends once: by `finish`, by `cancel`, because the client closes the connection, or with the server. A
/// draining server ends it as soon as everything given to it is sent. Dropping the last reference without `finish`
/// cancels it, so that no client waits for ever.
public final class HeldStream: Sendable {
    private let control: HeldControl

    fileprivate init(_ control: HeldControl) {
        self.control = control
    }

    deinit {
        control.loop.post(Work { [control] in control.abandon() })
    }

    /// Sends a piece of the body after the earlier ones, framed as the head announced. Callable on any thread, in the
    /// order of the calls. Ignored after `finish` and after the end.
    public func send(_ bytes: WireBytes) {
        guard bytes.count > 0 else { return }
        control.pendingBytes.add(bytes.count, ordering: .relaxed)
        if !control.loop.post(Piece(bytes, control)) {
            control.pendingBytes.subtract(bytes.count, ordering: .relaxed)
        }
    }

    /// The number of bytes given to `send` and not yet sent, for limiting what a slow reader can pile up. Up to sixteen
    /// pieces are sent together, and count until all of them are sent; 0 after the end. Readable on any thread.
    public var pendingBytes: Int { max(control.pendingBytes.load(ordering: .relaxed), 0) }

    /// Ends the answer with a script, after the pieces. Callable on any thread. Only the first call counts; after the
    /// end it does nothing.
    public func finish(_ script: WireScript) {
        control.loop.post(Work { [control] in control.finish(script) })
    }

    /// Sends what `source` makes, each part once everything before it is sent, until it makes an ending. Pieces given
    /// to `send` meanwhile come between two parts. Callable on any thread; ignored after `finish` and after the end.
    /// - Parameter shape: the transforms of all that is sent from now on.
    public func run(_ source: any ScriptSource, shape: BodyShape = BodyShape()) {
        control.loop.post(Work { [control] in control.run(source, shape) })
    }

    /// Sends a script after what was given before, on the loop's thread at once if the stream waits for it; one that is no
    /// part ends the answer, like that of `finish`. It may have one relay, through which its body comes. Callable on any
    /// thread; ignored after `finish` and after the end.
    /// - Parameter shape: the transforms of all that is sent from now on, this script included; nil leaves them as they are.
    package func play(_ script: WireScript, shape: BodyShape? = nil) {
        guard !loop.isCurrent else { return control.play(script, shape) }
        control.loop.post(Work { [control] in control.play(script, shape) })
    }

    /// Asks the source again, which had nothing to send. Callable on any thread.
    public func resume() {
        control.loop.post(Work { [control] in control.resume() })
    }

    /// The loop of its connection.
    public var loop: Loop { control.loop }

    /// The stream, until its end. On the loop's thread.
    var raw: OpaquePointer? { control.stream }

    /// Lets a script continue after its hold of that name, like `StreamHandle.release`.
    public func release(_ name: String = "") {
        control.loop.post(Work { [control] in control.release(name) })
    }

    /// Begins or stops to read what the client sends, for an answer with `onInput`: what comes meanwhile waits with the
    /// client. Callable on any thread; after the end it does nothing.
    public func readInput(_ reads: Bool) {
        control.loop.post(Work { [control] in control.readInput(reads) })
    }

    /// Ends the stream and its connection soon, whatever is still to be sent: with a reset if part of the answer was
    /// sent, and otherwise in order (FIN). `onEnd` is told `.cancelled`, never inside this call. Callable on any
    /// thread, at any time.
    public func cancel() {
        control.loop.post(Work { [control] in control.cancelNow() })
    }
}

/// Makes an answer while it is sent: what has no end is made as its client takes it, and costs no memory.
public protocol ScriptSource: AnyObject, Sendable {
    /// The next part of the answer (see `WireScript.part`), or its ending; nil while there is nothing to send, until
    /// `HeldStream.resume`. Called on the loop's thread, when everything before it is sent.
    ///
    /// A source that never waits makes parts that do, so that other streams have their turn.
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
    ///   - shape: the transforms of the body, whatever is sent as the body.
    ///   - onDrained: called on the loop's thread whenever everything given so far is sent: the first time after the
    ///     opening, perhaps before this returns. It must not take long.
    ///   - onScript: called with each script just before it is sent: with the opening before this returns, with all
    ///     others on the loop's thread.
    ///   - onInput: called on the loop's thread with what the client sends after its request, which would else be its
    ///     next ones: for what is no longer HTTP. The connection ends with the answer. The first time, with what
    ///     has come already, perhaps before this returns. It must not take long. Ignored if the connection's protocol
    ///     has no place for it.
    ///   - onEnd: called once, on the loop's thread; before this returns if the client has closed the connection
    ///     already.
    /// - Precondition: `opening` has no `end` and no `abort`, and every range lies within its bytes.
    public consuming func hold(
        _ opening: [WireStep] = [], shape: BodyShape = BodyShape(), onDrained: (@Sendable () -> Void)? = nil,
        onScript: (@Sendable (WireScript) -> Void)? = nil, onInput: (@Sendable ([UInt8]) -> Void)? = nil,
        onEnd: @escaping @Sendable (StreamEnd) -> Void
    ) -> HeldStream {
        let control = HeldControl(loop, shape, onScript, onDrained, onInput, onEnd)
        let held = HeldStream(control)
        let script = control.begin(with: WireScript(opening: opening))
        answer(script, control)
        return held
    }
}

/// A piece of the body on its way to a held stream.
private final class Piece: Job {
    private let bytes: WireBytes
    private let control: HeldControl

    init(_ bytes: WireBytes, _ control: HeldControl) {
        self.bytes = bytes
        self.control = control
    }

    override func run() {
        control.send(bytes)
    }
}

/// The pieces that a held stream still has to send. Everything except `pendingBytes` is used only on the loop's thread.
private final class HeldControl: StreamControl, @unchecked Sendable {
    /// The number of pieces that the loop sends in one write.
    private static let batch = 16

    let pendingBytes = Atomic<Int>(0)
    // Accessed like the state of `StreamControl`.
    private var onEnd: ((StreamEnd) -> Void)?
    private var onScript: ((WireScript) -> Void)?
    private var onDrained: (() -> Void)?
    private var onInput: (([UInt8]) -> Void)?
    private var shape: BodyShape
    /// The script that the loop is reading.
    private var running: WireScript?
    private var runningBytes = 0
    private var isHeld = false
    /// The pieces still to be sent, from `next` on.
    private var pieces: [WireBytes] = []
    private var next = 0
    private var ending: WireScript?
    /// The source that makes the answer once the pieces are sent.
    private var source: (any ScriptSource)?
    /// What was given to be played, behind the pieces.
    private var played: [Played] = []
    /// The relay that comes to the stream, kept until the stream ends.
    private var relay: BodyRelay?

    private enum Played {
        case script(WireScript)
        /// What comes through a relay, in scripts of its pieces.
        case pieces(BodyRelay)
    }

    override var keepsScript: Bool { true }
    override var takesInput: Bool { onInput != nil }

    init(
        _ loop: Loop, _ shape: BodyShape, _ onScript: ((WireScript) -> Void)?, _ onDrained: (() -> Void)?,
        _ onInput: (([UInt8]) -> Void)?, _ onEnd: @escaping (StreamEnd) -> Void
    ) {
        self.onScript = onScript
        self.onInput = onInput
        self.onDrained = onDrained
        self.onEnd = onEnd
        self.shape = shape
        super.init(loop)
    }

    /// Makes the first script, transformed, and keeps it while the loop reads it.
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

    func play(_ script: WireScript, _ shape: BodyShape?) {
        guard let stream, ending == nil else { return }
        if let shape { self.shape = shape }
        var script = script
        if let relay = script.relay {
            self.relay = relay
            cr_relay_attach(relay.raw, stream)
            // Whoever looks at the body sees it piece by piece.
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

    /// Ends the stream, since nothing can finish it any more.
    func abandon() {
        if ending == nil { cancelNow() }
    }

    override func streamInput(_ bytes: UnsafeBufferPointer<UInt8>) {
        onInput?(Array(bytes))
    }

    func readInput(_ reads: Bool) {
        if let stream, takesInput { cr_stream_read_input(stream, reads) }
    }

    override func streamOpen() {
        running = nil
        pendingBytes.subtract(runningBytes, ordering: .relaxed)
        runningBytes = 0
        isHeld = true
        advance()
        if isHeld { onDrained?() }
    }

    /// Gives a waiting stream its next script, if there is one.
    private func advance() {
        guard isHeld, let stream, let next = nextScript() else { return }
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
        // A server that ends asks for no more: the stream is held, and ends with it.
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
        onEnd.take()?(end)
    }
}
