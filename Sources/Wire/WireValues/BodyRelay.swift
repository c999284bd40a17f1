import SDCReactor
package import SDPlatform

/// The body of an answer on its way from a producer, such as a call to another server, to the one stream that sends it: one
/// bounded buffer, which is empty as long as the client is as fast as the producer.
///
/// `@unchecked Sendable`: everything but `init` and the last release is used on the thread of the stream's loop alone. It
/// must live until its stream has ended; a script that has it as a step keeps it.
public final class BodyRelay: @unchecked Sendable {
    package let raw: OpaquePointer
    private let account: MemoryAccount?
    /// The size of the buffer.
    private var memory = 0
    /// Called when more may be added after `add` has returned false. It may add and close, and nothing else of the stream.
    package var onRoom: (() -> Void)?
    /// Called when the stream ends before all was sent; what is added from then on is dropped.
    package var onGone: (() -> Void)?
    /// Whether nothing more comes.
    package private(set) var isClosed = false
    /// Called when something was added or the relay was closed, while it is taken piece by piece.
    private var onPiece: (() -> Void)?
    /// The sizes of the pieces that were added and not taken, while they are taken one by one.
    private var pieces: [Int] = []

    /// - Parameter account: counts what is buffered; nil if it does not count.
    package init(in account: MemoryAccount? = nil) {
        self.account = account
        var hooks = cr_relay_hooks(
            room: { BodyRelay.at(context: $0).onRoom?() },
            gone: { BodyRelay.at(context: $0).onGone?() },
            memory: { BodyRelay.at(context: $0).count(Int($1)) })
        guard let relay = cr_relay_new(&hooks) else { fatalError("out of memory for a relay") }
        raw = relay
        cr_relay_set_context(raw, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        cr_relay_free(raw)
        account?.add(-memory)
    }

    private func count(_ change: Int) {
        memory += change
        account?.add(change)
    }

    /// Adds bytes, which are sent from where they are as far as the client takes them now. All are taken.
    /// - Returns: false if no more should be added until `onRoom`.
    package func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return cr_relay_has_room(raw) }
        if onPiece != nil { pieces.append(bytes.count) }
        _ = cr_relay_add(raw, start, bytes.count)
        onPiece?()
        return cr_relay_has_room(raw)
    }

    /// Nothing more comes.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        cr_relay_close(raw)
        onPiece?()
    }

    // MARK: Piece by piece

    /// Has each piece taken by `next`, so that its size is known before it is sent.
    /// - Parameter ready: called when there is something to take, or nothing will be any more.
    package func takePieces(_ ready: @escaping () -> Void) {
        let count = cr_relay_kept(raw)
        if count > 0 { pieces = [count] }
        onPiece = ready
    }

    /// The sizes of the next pieces, which are to be sent now.
    package func next(_ most: Int) -> [Int] {
        let next = Array(pieces.prefix(most))
        pieces.removeFirst(next.count)
        return next
    }

    // MARK: What is buffered

    /// A copy of bytes that are still to be sent.
    func copy(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            if let start = buffer.baseAddress { cr_relay_copy(raw, range.lowerBound, start, range.count) }
            count = range.count
        }
    }

    /// Has a byte that is still to be sent be another one.
    func flip(at place: Int, _ mask: UInt8) {
        cr_relay_flip(raw, place, mask)
    }

    // MARK: From C

    static func at(_ relay: OpaquePointer) -> BodyRelay { at(context: cr_relay_context(relay)) }

    private static func at(context: UnsafeMutableRawPointer?) -> BodyRelay {
        guard let context else { preconditionFailure("a relay without its object") }
        return Unmanaged<BodyRelay>.fromOpaque(context).takeUnretainedValue()
    }
}

// MARK: - Scripts

extension WireScript {
    /// The relay that the script sends from beginning to end; nil if it has none.
    package var relay: BodyRelay? { steps.first(where: \.isEndless)?.relay }

    /// The script in front of its relay, and behind it; nil if it has none.
    ///
    /// What looks at a body, such as a transform, has to know how long its pieces are, and of a relay nobody does: so its
    /// place is taken by scripts of the pieces that have come (`init(pieces:of:)`), each of a known length, and what is
    /// done to those is what is done to pieces in memory. What needs the length of the whole body does nothing, as with
    /// every answer that comes in several scripts.
    package var partedAtRelay: (before: WireScript, after: WireScript)? {
        guard let place = steps.firstIndex(where: \.isEndless) else { return nil }
        var (before, after) = (ScriptEdit(self), ScriptEdit(self))
        before.steps = Array(before.steps[..<place]) + [cr_step(CR_STEP_MORE)]
        after.steps.removeFirst(place + 1)
        return (before.script, after.script)
    }

    /// Makes a script that sends the next bytes of a relay, which have come, as pieces of the body, and stops with more to
    /// follow.
    package init(pieces: [Int], of relay: BodyRelay) {
        let steps = pieces.map { cr_step(relay, count: UInt64($0)) }
        self.init(ScriptBlock.make(steps + [cr_step(CR_STEP_MORE)], keeping: [relay]))
    }

    /// Whether nothing is done before more follows.
    package var isEmptyPart: Bool { steps.count == 1 && isPart }

    /// The script with copies of what it sends from a relay, which has come.
    var copyingRelayed: WireScript {
        guard steps.contains(where: { $0.is(CR_STEP_RELAY) }) else { return self }
        var edit = ScriptEdit(self)
        var place = 0
        edit.replaceEach { edit, step in
            guard let relay = step.relay else { return [step] }
            let range = place..<(place + Int(step.bodyCount))
            place = range.upperBound
            return [edit.step(CR_STEP_BODY, WireBytes(relay.copy(range)))]
        }
        return edit.script
    }
}
