import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDStubModel
package import SDTemplating
package import SDWebSocket

/// The actions of message stubs on a message or a request. Belongs to one thread at a time.
///
/// It may stop when a loop's time is over, and continue on another thread with the next action. Output is sent at the
/// end, once all of it is in the journal.
///
/// `@unchecked Sendable`: the working thread hands it over and no longer uses it.
final class MessageExchange: @unchecked Sendable {
    private let session: any ChannelSession
    private let message: WebSocketMessage?
    private let channel: Channel?
    private let request: Request?
    /// The length of the chain of messages that led to this one.
    private let depth: Int
    private let sequence: UInt64
    private let now: UInt64

    /// The stub that acts; nil if it is not decided yet, or there is none.
    private var stub: CompiledMessageStub?
    private var isDecided = false
    private var actions: [CompiledMessageAction] = []
    private var nextAction = 0
    private var failure: String?
    /// The channels that a stub with delivery options has sent to.
    private var reached: Set<ObjectIdentifier> = []
    private var output: [Output] = []

    /// Output that is sent at the end.
    private enum Output {
        case one(Channel, Outgoing.Content, WebSocketMessage?, Channels.OutgoingEntry)
        /// A message for several channels, encoded once.
        case many([Channel], WebSocketFrames, WebSocketMessage)
    }

    /// The longest chain of messages that trigger each other.
    private static let deepest = 16

    init(_ message: WebSocketMessage, on channel: Channel, depth: Int = 0, in session: any ChannelSession) {
        self.session = session
        self.message = message
        self.channel = channel
        self.depth = depth
        request = channel.request
        sequence = session.channels.nextNumber()
        now = Self.now(session)
    }

    /// - Parameter stub: the stub that acts on the request.
    init(_ request: Request, _ stub: CompiledMessageStub, in session: any ChannelSession) {
        self.session = session
        self.request = request
        self.stub = stub
        message = nil
        channel = nil
        depth = 0
        sequence = session.channels.nextNumber()
        now = Self.now(session)
    }

    /// - Parameters:
    ///   - channel: a channel that was just opened, or whose interval is over.
    ///   - stub: the stub that acts.
    init(of channel: Channel, _ stub: CompiledMessageStub, in session: any ChannelSession) {
        self.session = session
        self.channel = channel
        self.stub = stub
        request = channel.request
        message = nil
        depth = 0
        sequence = session.channels.nextNumber()
        now = Self.now(session)
    }

    private static func now(_ session: any ChannelSession) -> UInt64 {
        let time = UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000
        return session.clock?.time(at: time) ?? time
    }

    /// Continues.
    /// - Parameter isLast: whether no more time follows this budget.
    /// - Returns: false if the budget did not suffice, and more time is needed.
    func proceed(_ budget: WorkBudget, isLast: Bool) -> Bool {
        if !isDecided {
            let found: CompiledMessageStub?
            switch decide(budget, isLast: isLast) {
            case .acts(let stub, let script):
                found = stub
                actions = script
            case .nobody: found = nil
            case .waits: return false
            }
            if let exhaustion = budget.exhaustion {
                guard isLast else { return false }
                failure = exhaustion.text(of: "matching the message", owner: nil)
            } else {
                stub = found
            }
            isDecided = true
        }
        if stub?.isSlow == true, !isLast { return false }
        act(budget, isLast: isLast)
        if budget.isSpent, !isLast, failure == nil { return false }
        finish()
        return true
    }

    private func decide(_ budget: WorkBudget, isLast: Bool) -> MessageTurn {
        if let stub { return session.channels.turn(of: stub, on: channel, in: session, waits: isLast) }
        guard let message, let channel else { return .nobody }
        let stubs = session.channels.stubs
        guard !stubs.isEmpty else { return .nobody }
        var views = MessageViews(message, on: channel, now: now, budget)
        for stub in stubs where !budget.isSpent && stub.matches(&views) && !budget.isSpent {
            let turn = session.channels.turn(of: stub, on: channel, in: session, waits: isLast)
            if case .nobody = turn { continue }
            return turn
        }
        return .nobody
    }

    private func act(_ budget: WorkBudget, isLast: Bool) {
        while failure == nil, nextAction < actions.count {
            do throws(RenderError) {
                try perform(actions[nextAction], budget)
                nextAction += 1
            } catch {
                if budget.isSpent, !isLast { return }
                failure = budget.exhaustion.map { $0.text(of: "rendering its templates", owner: nil) } ?? error.message
            }
        }
    }

    private func perform(_ action: CompiledMessageAction, _ budget: WorkBudget) throws(RenderError) {
        if case .close(let code, let reason) = action.content {
            let text = try reason?.render(environment(action, budget)) ?? []
            let close = Outgoing.Content.close(code: code, reason: String(decoding: text, as: UTF8.self))
            for channel in try targets(of: action, budget) where channel.isWebSocket {
                output.append(.one(channel, close, nil, .init(delivery: action.delivery)))
            }
            return
        }
        let sent = try content(of: action, budget)
        switch action.target {
        case .originating:
            guard let channel else { return }
            try send(sent, action, to: channel, budget)
        case .nowhere: break
        case .opened(let pattern):
            for channel in session.channels.all(openedBy: pattern, budget) {
                try send(sent, action, to: channel, budget)
            }
            if budget.isSpent { throw .outOfTime }
        case .fixed(let provider, let name):
            guard let channel = session.channels.fixed(provider, name) else {
                throw RenderError("No fixed channel named '\(name)' exists on provider '\(provider)'")
            }
            try send(sent, action, to: channel, budget)
        case .room:
            let channels = try targets(of: action, budget)
            guard channels.count > 1, stub?.saysDelivery != true, session.messageFaults.isEmpty else {
                for channel in channels { try send(sent, action, to: channel, budget) }
                return
            }
            output.append(.many(channels, session.channels.frames(of: sent, in: session), sent))
            session.channels.record(sent: sent, on: channels, in: session)
        }
    }

    /// The channels that an action targets.
    private func targets(of action: CompiledMessageAction, _ budget: WorkBudget) throws(RenderError) -> [Channel] {
        switch action.target {
        case .originating: return channel.map { [$0] } ?? []
        case .nowhere: return []
        case .opened(let pattern):
            let channels = session.channels.all(openedBy: pattern, budget)
            if budget.isSpent { throw .outOfTime }
            return channels
        case .fixed(let provider, let name): return session.channels.fixed(provider, name).map { [$0] } ?? []
        case .room(let room):
            func name(_ request: Request?) throws(RenderError) -> String {
                guard let template = room.name else { return "" }
                let environment = MessageEnvironment(
                    session, nil, request, stub?.openingPattern, parameters: action.parameters, sequence: sequence,
                    wallTime: now, budget)
                return String(decoding: try template.render(environment), as: UTF8.self)
            }
            return try room.members(
                named: try name(request), besides: channel, in: session.channels.all, budget
            ) { (request) throws(RenderError) in try name(request) }
        }
    }

    /// Sends a message; a fixed channel receives it at once.
    private func send(
        _ sent: WebSocketMessage, _ action: CompiledMessageAction, to target: Channel, _ budget: WorkBudget
    ) throws(RenderError) {
        if !target.isWebSocket {
            guard depth < Self.deepest else {
                throw RenderError("more than \(Self.deepest) messages have led to one another")
            }
            _ = MessageExchange(sent, on: target, depth: depth + 1, in: session).proceed(budget, isLast: true)
        }
        let number = session.channels.record(.sent, sent, on: target, in: session)
        guard target.isWebSocket else { return }
        let follows = stub?.saysDelivery == true && !reached.insert(ObjectIdentifier(target)).inserted
        output.append(
            .one(target, .message(sent), sent, .init(number: number, delivery: action.delivery, follows: follows)))
    }

    private func content(of action: CompiledMessageAction, _ budget: WorkBudget) throws(RenderError) -> WebSocketMessage
    {
        switch action.content {
        case .constant(let message): return message
        case .text(let template): return WebSocketMessage(.text, try template.render(environment(action, budget)))
        case .json(let template):
            let bytes = try template.render(environment(action, budget))
            guard let value = try? JSONValue(parsing: bytes) else { return WebSocketMessage(.text, bytes) }
            return WebSocketMessage(.text, value.prettyBytes)
        case .file(let path): return try session.fileMessage(path)
        case .impossible(let reason): throw RenderError(reason)
        case .echo:
            guard let message else { throw RenderError("there is no message to send back") }
            return message
        case .close: throw RenderError("a close is no message")
        }
    }

    private func environment(_ action: CompiledMessageAction, _ budget: WorkBudget) -> RenderEnvironment {
        MessageEnvironment(
            session, message, request, stub?.openingPattern, parameters: action.parameters,
            sequence: sequence &+ UInt64(nextAction) << 40, wallTime: now, budget)
    }

    private func finish() {
        if let message, let channel {
            session.channels.record(.received, message, on: channel, stub: stub, failure: failure, in: session)
            if stub == nil, let request = channel.request { session.noteUnanswered(message, on: request) }
        }
        for one in output {
            switch one {
            case .one(let channel, let content, let sent, let departure):
                session.channels.leave(content, sent, on: channel, departure, in: session)
            case .many(let channels, let frames, let sent):
                for channel in Channel.transmit(frames, to: channels) {
                    session.channels.leave(.frames(frames), sent, on: channel, .init(), in: session)
                }
            }
        }
        guard let failure else { return }
        let name = stub.map { $0.stub.name ?? $0.stub.idText }
        session.noteMessageTrouble("\(name.map { "the message stub \($0)" } ?? "a message"): \(failure)")
        if let channel, channel.isWebSocket {
            let close = Outgoing.Content.close(code: 1011, reason: String(failure.prefix(100)))
            session.channels.leave(close, nil, on: channel, .init(), in: session)
        }
    }
}

extension ChannelSession {
    /// The content of a body file as a message.
    package func fileMessage(_ path: String) throws(RenderError) -> WebSocketMessage {
        do throws(BodyFileError) {
            let file = try bodyFiles.read(path)
            return .text(String(decoding: file.content.prefix(64 << 20), as: UTF8.self))
        } catch {
            throw RenderError("the body file \(error.path) cannot be sent: \(error.reason)")
        }
    }
}
