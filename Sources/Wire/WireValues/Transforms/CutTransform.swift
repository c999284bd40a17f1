import SDCReactor

/// A place where an answer can be cut.
public enum CutPlace: Sendable, Equatable {
    /// After that many bytes of the body.
    case byte(Int)
    /// After that part of the body, from 0 to 1. Only for an answer in one script.
    case share(Double)
    /// Before the head: nothing is sent.
    case nothing
    /// After the head.
    case head
    /// After that many whole slices of the body: chunks, if it is chunked.
    case pieces(Int)
}

/// Ends an answer early.
struct CutTransform: ScriptTransform {
    private let place: CutPlace
    private let end: WireScript.CutEnd
    private let applied: BodyShape.Applied?
    private var bytes: BodyCut?
    private var piecesLeft = 0
    private var passed: UInt64 = 0
    private var hasHead = false
    private var isDone = false

    init(at place: CutPlace, then end: WireScript.CutEnd, applied: BodyShape.Applied?) {
        self.place = place
        self.end = end
        self.applied = applied
        switch place {
        case .byte(let count): bytes = BodyCut(after: max(count, 0), then: end)
        case .head: bytes = BodyCut(after: 0, then: end)
        case .pieces(let count): piecesLeft = max(count, 0)
        case .nothing, .share: break
        }
    }

    mutating func apply(to script: WireScript) -> WireScript {
        guard !isDone else { return script }
        switch place {
        case .nothing: return cutAll(script)
        case .pieces: return cutPieces(script)
        case .share(let share):
            let edit = ScriptEdit(script)
            guard edit.isLast, edit.head != nil else { return script }
            let count = Int((Double(edit.bodyCount) * min(max(share, 0), 1)).rounded(.down))
            bytes = BodyCut(after: count, then: end)
            return cutBytes(script, at: count)
        case .byte(let count): return cutBytes(script, at: count)
        case .head: return cutBytes(script, at: nil)
        }
    }

    /// Steps before the head that are not part of the answer stay: waits and raw bytes.
    private mutating func cutAll(_ script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        guard case .abort(let abort) = end, let head = edit.head else { return script }
        isDone = true
        applied?(nil)
        edit.steps = edit.steps[..<head].filter { !$0.is(CR_STEP_HEAD) } + [cr_step(abort)]
        return edit.script
    }

    private mutating func cutBytes(_ script: WireScript, at offset: Int?) -> WireScript {
        guard let cut = bytes?.apply(to: script) else { return script }
        isDone = true
        applied?(offset)
        return cut
    }

    private mutating func cutPieces(_ script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        hasHead = hasHead || edit.head != nil
        guard hasHead else { return script }
        let first = edit.head.map { $0 + 1 } ?? 0
        for index in edit.steps.indices.dropFirst(first) {
            if piecesLeft == 0 {
                isDone = true
                applied?(Int(clamping: passed))
                let last: cr_step
                switch end {
                case .abort(let abort): last = cr_step(abort)
                case .finish: last = cr_step(.close)
                }
                edit.steps = edit.steps[..<index] + [last]
                return edit.script
            }
            guard edit.steps[index].isBody, edit.steps[index].bodyCount > 0 else { continue }
            passed += edit.steps[index].bodyCount
            piecesLeft -= 1
        }
        return script
    }
}
