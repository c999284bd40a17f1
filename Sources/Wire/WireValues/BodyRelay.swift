import SDCReactor
package import SDPlatform

/// A bounded buffer between a producer of a body, such as a call to another server, and the one stream that sends it.
/// It is empty while the client is as fast as the producer.
///
/// `@unchecked Sendable`: everything except `init` and the last release is used on the thread of the stream's loop
/// only. Must live until its stream has ended; a script with it as a step retains it.
public final class BodyRelay: @unchecked Sendable {
    package let raw: OpaquePointer
    private let account: MemoryAccount?
    /// The size of the buffer.
    private var memory = 0
    /// Called when more may be added after `add` returned false. It may add and close, but not use the stream
    /// otherwise.
    package var onRoom: (() -> Void)?
    /// Called when the stream ends before everything was sent; bytes added later are dropped.
    package var onGone: (() -> Void)?
    /// Whether the producer has finished.
    package private(set) var isClosed = false
    /// Called when bytes were added or the relay was closed, if slices are taken one by one.
    private var onPiece: (() -> Void)?
    /// The sizes of the slices added and not taken yet, if they are taken one by one.
    private var pieces: [Int] = []

    /// - Parameter account: the ledger for buffered bytes; nil for none.
    package init(in account: MemoryAccount? = nil) {
        self.account = account
        var hooks = cr_relay_hooks(
            room: { BodyRelay.at(context: $0).onRoom?() },
            detached: { BodyRelay.at(context: $0).onGone?() },
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

    /// Adds bytes, sent directly from their memory as far as the client accepts them. All are accepted.
    /// - Returns: false if no more should be added until `onRoom`.
    package func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return cr_relay_has_room(raw) }
        if onPiece != nil { pieces.append(bytes.count) }
        _ = cr_relay_add(raw, start, bytes.count)
        onPiece?()
        return cr_relay_has_room(raw)
    }

    /// Marks the end of the body.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        cr_relay_close(raw)
        onPiece?()
    }

    // MARK: Slices

    /// Switches to taking slices one by one with `next`, so that each size is known before it is sent.
    /// - Parameter ready: called when there is a slice to take, or there will be no more.
    package func takePieces(_ ready: @escaping () -> Void) {
        let count = cr_relay_buffered(raw)
        if count > 0 { pieces = [count] }
        onPiece = ready
    }

    /// The sizes of the next slices, to be sent now.
    package func next(_ most: Int) -> [Int] {
        let next = Array(pieces.prefix(most))
        pieces.removeFirst(next.count)
        return next
    }

    // MARK: Buffer

    /// A copy of unsent bytes.
    func copy(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            if let start = buffer.baseAddress { cr_relay_copy(raw, range.lowerBound, start, range.count) }
            count = range.count
        }
    }

    /// Changes an unsent byte.
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
    /// The unbounded relay in the script; nil if it has none.
    package var relay: BodyRelay? { steps.first(where: \.isEndless)?.relay }

    /// The parts of the script before and after its relay; nil if it has none.
    ///
    /// Transforms need the lengths of a body's slices, which a relay does not have. So the relay is replaced by scripts
    /// of the slices received (`init(pieces:of:)`), each with a known length, which are transformed like slices in
    /// memory. Transforms that need the length of the whole body do nothing, as with every answer in several scripts.
    package var partedAtRelay: (before: WireScript, after: WireScript)? {
        guard let place = steps.firstIndex(where: \.isEndless) else { return nil }
        var (before, after) = (ScriptEdit(self), ScriptEdit(self))
        before.steps = Array(before.steps[..<place]) + [cr_step(CR_STEP_MORE)]
        after.steps.removeFirst(place + 1)
        return (before.script, after.script)
    }

    /// Makes a script that sends the next received bytes of a relay as slices of the body, and stops with more to
    /// follow.
    package init(pieces: [Int], of relay: BodyRelay) {
        let steps = pieces.map { cr_step(relay, count: UInt64($0)) }
        self.init(ScriptBlock.make(steps + [cr_step(CR_STEP_MORE)], keeping: [relay]))
    }

    /// Whether it has no effect before more follows.
    package var isEmptyPart: Bool { steps.count == 1 && isPart }

    /// The script with copies of the received bytes that it sends from a relay.
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
