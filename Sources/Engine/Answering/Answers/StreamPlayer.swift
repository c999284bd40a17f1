import SDHTTPTransport
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDTemplating
import Synchronization

/// A stream on its way to one reader. Each part is made once all previous ones are sent, so that neither an endless
/// stream nor a reader that does not read costs memory.
final class StreamPlayer: ScriptSource {

    private struct State {
        /// The head and its steps, until it is sent.
        var opening: WireScript?
        var item: Int
        var round = 0
        /// Whether the wait before the item is over.
        var hasWaited = false
        /// The gate at which it waits.
        var wait: GateWait?
        /// The script that ends it early.
        var ending: WireScript?
        var hasEnded = false
    }

    /// The pause between rounds that take no time, so that other connections are served.
    private static let pause = WireScript.part([.wait(nanoseconds: 1_000)])

    private let program: StreamProgram
    private let context: StreamContext
    private let stream: StreamingReply
    /// The script at the end of the stream.
    private let end: WireScript
    private let state: Mutex<State>

    /// - Parameters:
    ///   - opening: the steps to send first.
    ///   - item: the index of the first item in a round.
    ///   - end: the end of the answer.
    package init(
        _ program: StreamProgram, _ context: StreamContext, _ stream: StreamingReply, opening: WireScript,
        from item: Int,
        round: Int = 0, end: WireScript
    ) {
        self.program = program
        self.context = context
        self.stream = stream
        self.end = end
        state = Mutex(State(opening: opening, item: item, round: round))
    }

    /// Starts to send.
    package func begin() {
        context.session.activity.inFlight.whenEnded(context.event) { [self] in
            let wait = state.withLock { state in
                state.hasEnded = true
                return state.wait.take()
            }
            wait?.cancel()
        }
        stream.run(self, shape: context.event.effects?.shape ?? BodyShape())
    }

    // MARK: Steps

    private enum Step {
        case script(WireScript)
        case part(StreamProgram.Part)
        case nothing
        case wait(GateHold)
        case render(TemplatedStreamItem, index: Int, round: Int)
    }

    package func next() -> WireScript? {
        while true {
            switch state.withLock({ step(&$0) }) {
            case .script(let script): return script
            case .part(let part):
                context.record(part.count, part.prefix)
                return part.script
            case .nothing: return nil
            case .wait(let hold): if !wait(at: hold) { return nil }
            case .render(let piece, let index, let round): return render(piece, index: index, round: round)
            }
        }
    }

    private func step(_ state: inout State) -> Step {
        if let ending = state.ending { return .script(ending) }
        if let opening = state.opening.take() { return .script(opening) }
        if state.wait != nil || state.hasEnded { return .nothing }
        if state.item >= program.count {
            state.round += 1
            guard hasRound(state.round) else {
                if program.definition.name != nil { return .nothing }
                state.ending = end
                return .script(end)
            }
            state.item = 0
            if !program.isPaused { return .script(Self.pause) }
        }
        let item = state.item
        switch program.next(at: item) {
        case .end: return .nothing
        case .part(let part, let end):
            state.item = end
            return .part(part)
        // Rendering, and the check of a gate, happen after the wait before it.
        case .template(let wait, _) where !wait.isEmpty && !state.hasWaited,
            .hold(let wait, _) where !wait.isEmpty && !state.hasWaited:
            state.hasWaited = true
            return .script(.part(wait))
        case .template(_, let piece):
            state.item += 1
            state.hasWaited = false
            return .render(piece, index: state.round * program.count + item, round: state.round)
        case .hold(_, let hold):
            state.item += 1
            state.hasWaited = false
            return .wait(hold)
        }
    }

    private func hasRound(_ round: Int) -> Bool {
        switch program.definition.rounds {
        case nil: round < 1
        case .times(let count): round < count
        case .forever: program.count > 0
        }
    }

    // MARK: Gates

    /// Waits at a gate.
    /// - Returns: whether it is open.
    private func wait(at hold: GateHold) -> Bool {
        let wait = GateWait(context.session, hold) { [self] in pass($0) }
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.wait = wait }
            return state.hasEnded
        }
        if hasEnded { return false }
        if wait.wait(context.event, on: stream, isInStream: true) { return false }
        state.withLock { $0.wait = nil }
        return true
    }

    private func pass(_ verdict: GateVerdict) {
        let fault: Fault? =
            switch verdict {
            case .go, .answer: nil
            case .fail(let fault): fault
            case .timedOut(let hold):
                switch hold.onTimeout {
                case nil, .answer, .status: nil
                case .fail: .connectionResetByPeer
                case .fault(let fault): fault
                }
            }
        if let fault { context.body.end(with: fault) }
        state.withLock { state in
            state.wait = nil
            state.ending = fault.map { WireScript(faultInStream: $0) }
        }
        stream.resume()
    }

    // MARK: Templates

    /// Renders a chunk. A stream whose template fails is reset, and the reason is logged.
    private func render(_ piece: TemplatedStreamItem, index: Int, round: Int) -> WireScript {
        do throws(RenderError) {
            let bytes = try piece.bytes(context.environment(index: index, round: round))
            // Without its own pause, it would block all other connections.
            let pause: [WireStep] = program.isPaused ? [] : [.wait(nanoseconds: 1_000)]
            context.record(bytes.count) { Array(bytes.prefix($0)) }
            return .part(pause + [.body(WireBytes(bytes))])
        } catch {
            context.session.warned(
                "its stream is broken off: \(error.message)", of: StubReference(context.stub))
            context.body.end(with: .connectionResetByPeer)
            // In HTTP/2, only the stream is reset: INTERNAL_ERROR.
            let ending = WireScript([.abort(.resetStream(code: 2))])
            state.withLock { $0.ending = ending }
            return ending
        }
    }
}
