package import SDCReactor

/// A program of wire steps: everything that can happen to a response, from a plain 200 to a reset in the middle of a
/// chunk. Immutable; one script may run on many streams at once, whatever their framing.
///
/// A script of usual size is one block of memory, with its bytes in HTTP/1.1's framing: an HTTP/1.1 stream sends them
/// in one write, and other framings find head, fields and body in it.
public struct WireScript: Sendable {
    // A block is immutable, and so are the objects that it retains.
    package nonisolated(unsafe) let block: ScriptBlock

    /// Makes a script.
    /// - Precondition: the last step, and no other, is `end` or `abort`, and every range lies within its bytes.
    public init(_ steps: [WireStep]) {
        self.init(steps, last: nil)
        precondition(isSound, "a wire script must end with its only end or abort: \(steps)")
    }

    /// Makes a script of a head, a body in one slice unless it is empty, and an end: a faster `init(_:)` for these
    /// steps.
    public init(head: ResponseHead, body: [UInt8], end: WireStep.End) {
        if let block = ScriptBlock.whole(head, body, end) {
            self.init(block)
        } else {
            self.init([.head(head)] + (body.isEmpty ? [] : [.body(WireBytes(body))]) + [.end(end)])
        }
    }

    /// Makes a script of a head, an optional relay, and an optional end: a faster `init(_:)` or `init(opening:)` for
    /// these steps.
    package init(head: ResponseHead, relay: BodyRelay?, end: WireStep.End?) {
        self.init(ScriptBlock.relayed(head, relay, end))
    }

    /// Makes a script after which more will follow.
    /// - Precondition: no step is `end` or `abort`, and every range lies inside its bytes.
    package init(opening steps: [WireStep]) {
        self.init(steps, last: cr_step(CR_STEP_MORE))
        precondition(isSound, "what opens a held stream must not end it: \(steps)")
    }

    /// Makes a script that sends all of the bytes as slices of the body, with more to follow.
    package init(pieces: ArraySlice<WireBytes>) {
        block = ScriptBlock.pieces(pieces, keeping: Array(pieces))
    }

    /// The same with one slice.
    package init(piece: WireBytes) {
        block = ScriptBlock.pieces(CollectionOfOne(piece), keeping: [piece])
    }

    init(_ block: ScriptBlock) {
        self.block = block
    }

    private init(_ steps: [WireStep], last: cr_step?) {
        var drafts = steps.map(ScriptDraft.init)
        if let last { drafts.append(ScriptDraft(last)) }
        block = ScriptBlock.render(drafts)
    }

    private var isSound: Bool { cr_script_is_sound(block.steps, Int(block.header.count)) }

    /// Whether more follows after the script.
    package var isPart: Bool { block.steps[Int(block.header.count) - 1].is(CR_STEP_MORE) }

    /// Whether the script takes time by itself: it waits, paces or holds. Constant time.
    public var isTimed: Bool { block.isTimed }
}

/// A step before its bytes are placed.
private struct ScriptDraft {
    private(set) var step: cr_step
    /// The text that is always copied into the script.
    let text: [UInt8]
    /// The owner of bytes that may be shared instead of copied.
    let shared: WireBytes?
    /// The owner of bytes that are never copied.
    let source: AnyObject?

    init(_ step: WireStep) {
        self.step = step.template
        text = step.text
        shared = step.shared
        source = step.source
        if !text.isEmpty { self.step.length = UInt64(text.count) }
    }

    init(_ step: cr_step) {
        self.step = step
        text = []
        shared = nil
        source = nil
    }

    /// Whether a head announces chunks; nil for other steps.
    var saysChunked: Bool? { step.is(CR_STEP_HEAD) ? step.chunked : nil }

    /// The number of bytes of the framed step.
    /// - Parameter isChunked: whether the head before it announces chunks.
    func renderedCount(isChunked: Bool) -> Int {
        step.hasBytes ? withUnsafePointer(to: step) { cr_rendered_length($0, isChunked) } : 0
    }

    /// The step with its bytes written to `place`.
    /// - Parameter isChunked: whether the head before it announces chunks; false leaves the framing to the stream.
    func rendered(to place: UnsafeMutablePointer<UInt8>, isChunked: Bool) -> cr_step {
        var step = step
        guard step.hasBytes else { return step }
        withExtendedLifetime(shared) {
            text.withUnsafeBufferPointer { text in
                if !text.isEmpty { step.bytes = text.baseAddress }
                _ = cr_render(&step, isChunked, place)
            }
        }
        return step
    }
}

/// The steps of a script in the loop's form, followed by their bytes. A single block, since the responses of many stubs
/// are cold memory, where every separate access is expensive.
package final class ScriptBlock: ManagedBuffer<ScriptBlock.Header, cr_step> {
    package struct Header {
        /// The number of steps.
        let count: UInt32
        /// Whether a step takes time.
        let isTimed: Bool
        /// The owners of bytes outside the block.
        let kept: [AnyObject]
    }

    /// The maximum number of bytes copied after the steps, framed for HTTP/1.1, so that a usual response is one block
    /// of memory and one write. More bytes are shared, and framed when they are sent.
    private static let copyLimit = 32 * 1024

    /// Whether a step takes time. Read through a pointer, since an access to `header` is checked for exclusivity.
    var isTimed: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isTimed } }

    /// The steps, valid as long as the block lives.
    package var steps: UnsafePointer<cr_step> {
        withUnsafeMutablePointerToElements { UnsafePointer($0) }
    }

    /// Makes a script whose bytes are elsewhere.
    static func make(_ steps: [cr_step], keeping kept: [AnyObject]) -> ScriptBlock {
        let block = allocate(count: steps.count, isTimed: steps.contains(where: \.isTimed), kept, byteCount: 0)
        block.withUnsafeMutablePointerToElements { place in
            for (index, step) in steps.enumerated() { (place + index).initialize(to: step) }
        }
        return block
    }

    /// Makes a script of whole slices, with more to follow.
    fileprivate static func pieces(_ pieces: some Collection<WireBytes>, keeping kept: [AnyObject]) -> ScriptBlock {
        let block = allocate(count: pieces.count + 1, isTimed: true, kept, byteCount: 0)
        block.withUnsafeMutablePointerToElements { place in
            var place = place
            for piece in pieces {
                place.initialize(to: cr_step(CR_STEP_BODY, piece, 0..<piece.count))
                place += 1
            }
            place.initialize(to: cr_step(CR_STEP_MORE))
        }
        return block
    }

    /// Makes a script of one head, at most one slice of a body, and an end; nil for a body too long to copy.
    fileprivate static func whole(_ head: ResponseHead, _ body: [UInt8], _ end: WireStep.End) -> ScriptBlock? {
        let isChunked = head.isChunked
        let headCount = head.text.count + 2
        var bodyStep = cr_step(CR_STEP_BODY)
        bodyStep.length = UInt64(body.count)
        var endStep = cr_step(end)
        let total =
            headCount + cr_rendered_length(&bodyStep, isChunked) + cr_rendered_length(&endStep, isChunked)
        guard total <= copyLimit else { return nil }
        let count = body.isEmpty ? 2 : 3
        let block = allocate(count: count, isTimed: false, [], byteCount: total)
        block.withUnsafeMutablePointerToElements { place in
            let free = UnsafeMutableRawPointer(place + count).assumingMemoryBound(to: UInt8.self)
            let headStep = head.step(writtenTo: free)
            var next = free + headCount
            place.initialize(to: headStep)
            if !body.isEmpty {
                body.withUnsafeBufferPointer { body in
                    bodyStep.bytes = body.baseAddress
                    next += cr_render(&bodyStep, isChunked, next)
                }
                (place + 1).initialize(to: bodyStep)
            }
            _ = cr_render(&endStep, isChunked, next)
            (place + count - 1).initialize(to: endStep)
        }
        return block
    }

    /// Makes a script of a head, an optional relay, and an optional end.
    fileprivate static func relayed(_ head: ResponseHead, _ relay: BodyRelay?, _ end: WireStep.End?) -> ScriptBlock {
        var last = end.map { cr_step($0) } ?? cr_step(CR_STEP_MORE)
        let headCount = head.text.count + 2
        let count = relay == nil ? 2 : 3
        let block = allocate(
            count: count, isTimed: relay != nil || end == nil, relay.map { [$0] } ?? [],
            byteCount: headCount + cr_rendered_length(&last, head.isChunked))
        block.withUnsafeMutablePointerToElements { place in
            let free = UnsafeMutableRawPointer(place + count).assumingMemoryBound(to: UInt8.self)
            let headStep = head.step(writtenTo: free)
            _ = cr_render(&last, head.isChunked, free + headCount)
            place.initialize(to: headStep)
            if let relay { (place + 1).initialize(to: cr_step(relay, count: .max)) }
            (place + count - 1).initialize(to: last)
        }
        return block
    }

    fileprivate static func render(_ drafts: [ScriptDraft]) -> ScriptBlock {
        var total = 0
        var textCount = 0
        var isChunked = false
        for draft in drafts {
            isChunked = draft.saysChunked ?? isChunked
            total += draft.renderedCount(isChunked: isChunked)
            textCount += draft.text.count
        }
        let isWhole = total <= copyLimit
        let block = allocate(
            count: drafts.count, isTimed: drafts.contains { $0.step.isTimed },
            owners(of: drafts, isWhole: isWhole), byteCount: isWhole ? total : textCount)
        block.withUnsafeMutablePointerToElements { place in
            var free = UnsafeMutableRawPointer(place + drafts.count).assumingMemoryBound(to: UInt8.self)
            var isChunked = false
            for (index, draft) in drafts.enumerated() {
                isChunked = isWhole && (draft.saysChunked ?? isChunked)
                var step = draft.step
                if isWhole || !draft.text.isEmpty {
                    step = draft.rendered(to: free, isChunked: isChunked)
                    if step.hasBytes { free += Int(step.length) }
                }
                (place + index).initialize(to: step)
            }
        }
        return block
    }

    /// The owners of the bytes that the steps refer to.
    /// - Parameter isWhole: whether all bytes are copied.
    private static func owners(of drafts: [ScriptDraft], isWhole: Bool) -> [AnyObject] {
        var owners: [AnyObject] = []
        for draft in drafts {
            let owner: AnyObject? = isWhole ? draft.source : draft.source ?? draft.shared
            if let owner, owner !== owners.last { owners.append(owner) }
        }
        return owners
    }

    private static func allocate(count: Int, isTimed: Bool, _ kept: [AnyObject], byteCount: Int) -> ScriptBlock {
        let stride = MemoryLayout<cr_step>.stride
        let header = Header(count: UInt32(count), isTimed: isTimed, kept: kept)
        let room = count + (byteCount + stride - 1) / stride
        return unsafeDowncast(ScriptBlock.create(minimumCapacity: room) { _ in header }, to: ScriptBlock.self)
    }
}

extension ResponseHead {
    /// Writes the lines with the final empty one.
    /// - Returns: the step that sends them from there.
    fileprivate func step(writtenTo place: UnsafeMutablePointer<UInt8>) -> cr_step {
        text.withUnsafeBufferPointer { lines in
            if let start = lines.baseAddress { place.update(from: start, count: lines.count) }
        }
        place[text.count] = 0x0d
        place[text.count + 1] = 0x0a
        var step = cr_step(CR_STEP_HEAD)
        step.chunked = isChunked
        step.length = UInt64(text.count + 2)
        step.bytes = UnsafePointer(place)
        return step
    }
}
