import SDHTTPTransport
import SDPlatform
import SDStubModel
package import SDWebSocket
import Synchronization

/// A message that waits at a gate.
package struct HeldMessage: Sendable {
    /// The message's id in the journal of messages.
    package let id: String
    package let message: WebSocketMessage
    package let channel: Channel
}

/// The result of a message's wait at a gate.
package enum MessageVerdict: Sendable {
    case go
    /// The content replaces the message, and then the connection ends.
    case fail(Outgoing.Content, Outgoing.End)
}

/// The wait of a message at a gate.
package protocol MessageHold: Sendable {
    /// Cancels the wait, because the channel has ended.
    func cancel()
}

/// Sending on a channel.
extension Channel {
    /// The largest number of bytes that wait to be sent on a channel.
    private static let most = 16 << 20
    /// The largest number sent in one iteration of the loop, after which other connections are served.
    private static let turn = 200

    /// Sends a message, after all that wait already.
    /// - Parameter hold: starts the wait at the message's gate, and returns it; nil if the gate is open.
    /// - Returns: false if too many bytes wait, and the channel is reset.
    func transmit(
        _ outgoing: Outgoing,
        hold: (_ pass: @escaping @Sendable (MessageVerdict) -> Void) -> (any MessageHold)? = { _ in nil }
    ) -> Bool {
        enum Way {
            case atOnce
            case behind(UInt64)
            case never, tooMuch
        }
        let now = SystemCalls.monotonicNanoseconds()
        let way = line.withLock { line -> Way in
            guard line.isOpen, !line.isMute else { return .never }
            if outgoing.isPlain, line.queue?.isEmpty ?? true { return .atOnce }
            var queue = line.queue.take() ?? OutgoingQueue()
            defer { line.queue = queue }
            guard queue.byteCount + outgoing.byteCount <= Self.most else { return .tooMuch }
            return .behind(queue.append(outgoing, at: now))
        }
        switch way {
        case .never: break
        case .atOnce: withStream { self.send(outgoing, on: $0) }
        case .behind(let ticket):
            if outgoing.hold != nil {
                let wait = hold { [weak self] in self?.pass(ticket, $0) }
                if let wait { keep(wait, ticket) } else { pass(ticket, .go) }
            }
            pump()
        case .tooMuch:
            forgetQueue()
            withStream { $0.cancel() }
            return false
        }
        return true
    }

    private func keep(_ wait: any MessageHold, _ ticket: UInt64) {
        let isKept = line.withLock { line in
            guard line.isOpen, line.queue?.isHeld(ticket) == true else { return false }
            line.holds[ticket] = wait
            return true
        }
        if !isKept { wait.cancel() }
    }

    /// Resumes a message that waited at a gate. Any thread.
    private func pass(_ ticket: UInt64, _ verdict: MessageVerdict) {
        let now = SystemCalls.monotonicNanoseconds()
        line.withLock { line in
            line.holds[ticket] = nil
            switch verdict {
            case .go: line.queue?.release(ticket, at: now)
            case .fail(let content, let end): line.queue?.fail(ticket, content, end)
            }
        }
        pump()
    }

    /// Sends the messages that are due, on the loop of the stream.
    private func pump() {
        withStream { [self] stream in
            if stream.loop.isCurrent { pump(stream) } else { stream.loop.perform { self.pump(stream) } }
        }
    }

    private func pump(_ stream: WebSocketStream) {
        for _ in 0..<Self.turn {
            let now = SystemCalls.monotonicNanoseconds()
            let step = line.withLock { line -> OutgoingQueue.Step in
                guard line.isOpen, var queue = line.queue.take() else { return .empty }
                let step = queue.step(at: now)
                // An empty queue is not stored.
                if !queue.isEmpty { line.queue = queue }
                return step
            }
            switch step {
            case .leave(let outgoing): send(outgoing, on: stream)
            case .wait(let time): return wake(after: time, at: now &+ time, stream)
            case .held, .empty: return
            }
        }
        stream.loop.perform { self.pump(stream) }
    }

    /// Schedules the next attempt for when the first message is due.
    private func wake(after time: UInt64, at due: UInt64, _ stream: WebSocketStream) {
        let isSet = line.withLock { line in line.timer.map { $0.due <= due } ?? false }
        // A timer that fires early checks again.
        guard !isSet else { return }
        let work = stream.loop.after(nanoseconds: time) { [weak self] in
            self?.line.withLock { $0.timer = nil }
            self?.pump(stream)
        }
        let late = line.withLock { line -> ScheduledWork? in
            guard line.isOpen else { return work }
            defer { line.timer = (due, work) }
            return line.timer?.work
        }
        late?.cancel()
    }

    private func send(_ outgoing: Outgoing, on stream: WebSocketStream) {
        for _ in 0..<outgoing.count {
            switch outgoing.content {
            case .message(let message): stream.send(message)
            case .frames(let frames): stream.send(frames)
            case .raw(let bytes): stream.sendRaw(bytes)
            case .nothing: break
            case .close(let code, let reason):
                stream.close(code, reason)
                return forgetQueue()
            }
        }
        switch outgoing.end {
        case nil: return
        case .inOrder: stream.breakOff()
        case .reset: stream.breakOff(resets: true)
        case .hang: line.withLock { $0.isMute = true }
        }
        forgetQueue()
    }

    /// Drops the waiting messages, because the channel ends.
    func forgetQueue() {
        let (timer, holds) = line.withLock { line in
            defer {
                line.queue = nil
                line.timer = nil
                line.holds = [:]
            }
            return (line.timer?.work, Array(line.holds.values))
        }
        timer?.cancel()
        for hold in holds { hold.cancel() }
    }
}
