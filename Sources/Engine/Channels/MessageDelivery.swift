import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDWebSocket

/// How an action delivers its message.
struct MessageDelivery: Sendable {
    let delay: DelayDistribution?
    let gap: DelayDistribution?
    let hold: GateHold?
    let faults: [CompiledMessageFault]

    /// - Returns: nil if the action does not state it.
    init?(_ action: MessageAction, at pointer: String) throws(PatternProblems) {
        guard action.delay != nil || action.gap != nil || action.hold != nil || !action.fault.isEmpty else {
            return nil
        }
        delay = action.delay
        gap = action.gap
        hold = action.hold
        var faults: [CompiledMessageFault] = []
        for (index, fault) in action.fault.enumerated() {
            let place = action.fault.count > 1 ? "\(pointer)/fault/\(index)" : pointer + "/fault"
            faults.append(try CompiledMessageFault(fault, at: place))
        }
        self.faults = faults
    }
}

extension Channels {
    /// The journal entry of an outgoing message, and other facts about its sending.
    struct OutgoingEntry: Sendable {
        /// The message's number in the journal; nil if it is not recorded, as a close frame.
        var number: UInt64?
        var delivery: MessageDelivery?
        /// Whether the stub has already sent another message on the channel.
        var follows = false
    }

    /// Sends a message on a channel, as its action and the session's faults demand.
    func leave(
        _ content: Outgoing.Content, _ message: WebSocketMessage?, on channel: Channel, _ departure: OutgoingEntry,
        in session: any ChannelSession
    ) {
        let delivery = departure.delivery
        var faults = delivery?.faults ?? []
        // A close frame is not a message.
        if message != nil { faults += session.messageFaults }
        guard delivery != nil || !faults.isEmpty else {
            return transmit(Outgoing(content), departure, on: channel, in: session)
        }
        if faults.contains(where: { !$0.isForAll }) {
            let budget = WorkBudget(limit: session.loopLimit)
            var views = MessageViews(
                message ?? WebSocketMessage(.text, []), on: channel, now: wallNanoseconds, budget)
            faults = faults.filter { $0.matches(&views) }
        }
        var delays = delivery?.delay.map { [$0] } ?? []
        if departure.follows, let gap = delivery?.gap { delays.append(gap) }
        let drawn = delays.isEmpty && faults.isEmpty ? SampledDelivery() : session.sampleDelivery(delays, faults)
        var outgoing = Outgoing(content)
        outgoing.wait = UInt64(clamped: drawn.delay * 1_000_000 * session.timeScale)
        outgoing.follows = departure.follows
        outgoing.hold = delivery?.hold
        for (fault, seed) in drawn.acts { outgoing.apply(fault, message, seed) }
        transmit(outgoing, departure, on: channel, in: session)
    }

    private var wallNanoseconds: UInt64 { UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000 }

    private func transmit(
        _ outgoing: Outgoing, _ departure: OutgoingEntry, on channel: Channel, in session: any ChannelSession
    ) {
        var outgoing = outgoing
        // A lost message does not wait.
        if case .nothing = outgoing.content, outgoing.end == nil { return }
        if !outgoing.isPlain {
            outgoing.charge = MemoryCharge(outgoing.byteCount, to: session.memory.account(.messages))
        }
        let (hold, content) = (outgoing.hold, outgoing.content)
        let isSent = channel.transmit(outgoing) { pass in
            guard let hold, case .webSocket = channel.kind else { return nil }
            let id = departure.number.map { ids.text($0) } ?? ""
            let held = HeldMessage(id: id, message: content.shown, channel: channel)
            return session.wait(held, at: hold, pass)
        }
        if !isSent {
            session.noteMessageTrouble(
                "more than 16 MiB wait until they may leave on a WebSocket, and it is reset")
        }
    }
}

extension Outgoing.Content {
    /// The message as listings of gates show it.
    fileprivate var shown: WebSocketMessage {
        switch self {
        case .message(let message): message
        case .close(let code, let reason): .text("close \(code) \(reason)")
        case .raw, .frames, .nothing: .text("")
        }
    }
}

extension CompiledMessageFault {
    func matches(_ views: inout MessageViews) -> Bool {
        if isForAll { return true }
        if let request, !views.opened(by: request) { return false }
        if let channel, !views.opened(by: channel) { return false }
        return body?.matches(views.text, now: views.now) ?? true
    }
}

extension MessageViews {
    fileprivate mutating func opened(by pattern: CompiledPattern) -> Bool {
        guard case .webSocket(let opening) = channel.kind else { return false }
        return pattern.matches(opening, &request)
    }
}

extension Outgoing {
    /// Applies a fault.
    mutating func apply(_ fault: MessageFault, _ message: WebSocketMessage?, _ seed: UInt64) {
        if let patience = fault.reorder { self.patience = UInt64(clamped: Double(patience) * 1_000_000) }
        if fault.duplicate { count = 2 }
        if let message, end == nil {
            // The message as changed by earlier faults.
            let now = if case .message(let changed) = content { changed } else { message }
            if case .nothing = content {
            } else if fault.drop {
                content = .nothing
            } else if let frame = fault.invalidFrame.flatMap({ BrokenFrame(rawValue: $0.rawValue) }) {
                content = .raw(frame.bytes(inPlaceOf: now))
            } else if let corrupted = fault.corrupt.map({ now.corrupted($0, seed) }) {
                content = .message(corrupted)
            }
            if let cut = fault.cutAfter {
                content = Self.cut(fault.corrupt == nil ? now : now.corrupted(fault.corrupt, seed), cut)
                count = 1
                end = .inOrder
            }
        } else if fault.drop {
            content = .nothing
        }
        if let own = fault.end {
            // The end replaces a close frame.
            if case .close = content { content = .nothing }
            end = own
        }
    }

    private static func cut(_ message: WebSocketMessage, _ cut: MessageFault.Cut) -> Content {
        switch cut {
        case .nothing: .nothing
        case .byte(let count): .raw(BrokenFrame.cut(message, after: count))
        case .share(let share): .raw(BrokenFrame.cut(message, after: Int(Double(message.bytes.count) * share)))
        case .fragment(let count): .raw(BrokenFrame.fragment(of: message, count))
        }
    }
}

extension MessageFault {
    fileprivate var end: Outgoing.End? {
        if reset { return .reset }
        if hang { return .hang }
        return noCloseFrame ? .inOrder : nil
    }
}

extension WebSocketMessage {
    /// The message with corrupted bytes. Text stays UTF-8: in a multi-byte character, only bytes after the first are
    /// changed.
    fileprivate func corrupted(_ change: FaultRule.Change?, _ seed: UInt64) -> WebSocketMessage {
        var generator = SeededGenerator(seed: seed)
        var bytes = bytes
        func other(_ byte: UInt8) -> UInt8 {
            if kind == .binary { return byte ^ UInt8.random(in: 1...255, using: &generator) }
            if byte >= 0xC0 { return byte }
            // Only bits that keep every such byte valid.
            if byte >= 0x80 { return byte ^ UInt8.random(in: 1...3, using: &generator) }
            let printed = UInt8.random(in: 0x21...0x7D, using: &generator)
            return printed < byte ? printed : printed + 1
        }
        switch change {
        case .corruptByte(var place):
            if kind == .text { while place < bytes.count, bytes[place] >= 0xC0 { place += 1 } }
            if place < bytes.count { bytes[place] = other(bytes[place]) }
        case .corruptRate(let rate):
            for place in bytes.indices where generator.nextUnit() < rate { bytes[place] = other(bytes[place]) }
        default: break
        }
        return WebSocketMessage(kind, bytes)
    }
}
