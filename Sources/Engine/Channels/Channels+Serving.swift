import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDMatching
package import SDPlatform
package import SDStubModel
package import SDWebSocket
import Synchronization

extension Channels {
    // MARK: WebSockets

    /// Opens a channel for a WebSocket upgrade.
    package func open(
        _ request: Request, _ offer: WebSocketOffer, in session: any ChannelSession, _ reply: consuming Reply
    ) {
        let budget = WorkBudget(limit: session.loopLimit)
        let opening = opening(request, budget)
        guard budget.isSpent else { return open(request, offer, opening, in: session, reply) }
        session.spentLoopLimit()
        let waiting = ReplyBox(reply)
        session.matchingThreads.add { [self] in
            let opening = self.opening(request, WorkBudget(limit: session.journaling.matchBudget))
            if let reply = waiting.take() { open(request, offer, opening, in: session, reply) }
        }
    }

    private func open(
        _ request: Request, _ offer: WebSocketOffer, _ opening: ChannelOpening, in session: any ChannelSession,
        _ reply: consuming Reply
    ) {
        guard let channel = opened(.webSocket(request), since: request.wallTime) else {
            reply.send(PlainResponse(status: 503, text: "The session has ended.\n").script(for: request))
            return
        }
        let observer = ChannelObserver(channel, session)
        // No message is answered before the opening actions.
        if opening.stub != nil { channel.line.withLock { $0.isBusy = true } }
        let subprotocol = opening.subprotocol(among: offer.subprotocols)
        channel.attach(
            reply.openWebSocket(offer, subprotocol: subprotocol, settings(in: session), observer: observer))
        if !opening.isPlain { channel.onLoop { channel.begin(opening, in: session) } }
    }

    func settings(in session: any ChannelSession) -> WebSocketSettings {
        var settings = WebSocketSettings()
        settings.idleTimeout = options.idleTimeout > 0 ? options.idleTimeout : nil
        settings.textLimit = options.textLimit > 0 ? options.textLimit : .max
        settings.binaryLimit = options.binaryLimit > 0 ? options.binaryLimit : .max
        settings.account = session.memory.account(.messages)
        return settings
    }

    /// Answers the received messages of a channel, one after the other. Called on the loop of its stream.
    func work(on channel: Channel, in session: any ChannelSession) {
        let begin = SystemCalls.monotonicNanoseconds()
        var message = channel.firstMessage(isDone: false)
        while let first = message {
            // After 5 ms, other connections are served.
            if SystemCalls.monotonicNanoseconds() - begin > 5_000_000 {
                return channel.onLoop { self.work(on: channel, in: session) }
            }
            let exchange = MessageExchange(first, on: channel, in: session)
            if exchange.proceed(WorkBudget(limit: session.loopLimit), isLast: false) {
                message = channel.firstMessage(isDone: true)
                continue
            }
            session.spentLoopLimit()
            session.matchingThreads.add { [self] in
                let budget = WorkBudget(limit: session.journaling.matchBudget)
                _ = exchange.proceed(budget, isLast: true)
                channel.doneWithFirst()
                channel.onLoop { self.work(on: channel, in: session) }
            }
            return
        }
    }

    // MARK: Sending

    /// The channels whose opening requests match, oldest first.
    package func all(openedBy pattern: CompiledPattern?, _ budget: WorkBudget) -> [Channel] {
        all.filter { channel in
            guard case .webSocket(let request) = channel.kind, channel.isOpen else { return false }
            guard let pattern else { return true }
            var views = RequestViews(request, budget: budget)
            return pattern.matches(request, &views)
        }
    }

    /// Sends a message to channels, for an admin API call.
    package func send(_ message: WebSocketMessage, to channels: [Channel], in session: any ChannelSession) {
        record(sent: message, on: channels, in: session)
        guard session.messageFaults.isEmpty else {
            for channel in channels { leave(.message(message), message, on: channel, OutgoingEntry(), in: session) }
            return
        }
        let frames = WebSocketFrames(message, compresses: channels.count > 1, in: session.memory.account(.messages))
        for channel in Channel.transmit(frames, to: channels) {
            leave(.frames(frames), message, on: channel, OutgoingEntry(), in: session)
        }
    }

    /// Delivers a message to a fixed channel. Not on a loop.
    package func deliver(
        _ message: WebSocketMessage, to channel: Channel, in session: any ChannelSession, _ budget: WorkBudget
    ) {
        _ = MessageExchange(message, on: channel, in: session).proceed(budget, isLast: true)
    }

    /// A message for several channels, encoded once.
    func frames(of message: WebSocketMessage, in session: any ChannelSession) -> WebSocketFrames {
        WebSocketFrames(message, compresses: true, in: session.memory.account(.messages))
    }

    // MARK: HTTP requests

    /// Runs the message stubs that an HTTP request triggers. Any thread.
    package func recorded(
        _ request: Request, stub id: @autoclosure () -> StubMapping.ID?, in session: any ChannelSession
    ) {
        guard hasRequestStubs.load(ordering: .relaxed) || parent?.hasRequestStubs.load(ordering: .relaxed) == true
        else { return }
        let budget = WorkBudget(limit: session.loopLimit)
        let stubs = stubs.filter(\.isForRequests)
        guard !stubs.isEmpty else { return }
        let id = id()
        let acting = acting(stubs, request, id, budget)
        var exchanges = acting.map { MessageExchange(request, $0, in: session) }[...]
        var isSpent = budget.isSpent
        while !isSpent, let exchange = exchanges.first {
            isSpent = !exchange.proceed(budget, isLast: false)
            if !isSpent { exchanges.removeFirst() }
        }
        guard isSpent else { return }
        let isUndecided = budget.isSpent && exchanges.count == acting.count
        session.matchingThreads.add { [self, exchanges] in
            let budget = WorkBudget(limit: session.journaling.matchBudget)
            let rest =
                isUndecided
                ? self.acting(stubs, request, id, budget).map { MessageExchange(request, $0, in: session) }[...]
                : exchanges
            for exchange in rest { _ = exchange.proceed(budget, isLast: true) }
        }
    }

    private func acting(
        _ stubs: [CompiledMessageStub], _ request: Request, _ id: StubMapping.ID?, _ budget: WorkBudget
    ) -> [CompiledMessageStub] {
        var views = RequestViews(request, budget: budget)
        return stubs.filter { stub in
            switch stub.trigger {
            case .message, .open, .interval: false
            case .stub(let wanted): wanted != nil && wanted == id
            case .request(let pattern): pattern.matches(request, &views)
            }
        }
    }
}

/// Observes the WebSocket of a channel.
private final class ChannelObserver: WebSocketObserver {
    private let channel: Channel
    private let session: any ChannelSession

    init(_ channel: Channel, _ session: any ChannelSession) {
        self.channel = channel
        self.session = session
    }

    func received(_ message: WebSocketMessage, on stream: WebSocketStream) {
        if channel.took(message, on: stream) { session.channels.work(on: channel, in: session) }
    }

    func overflowed(_ stream: WebSocketStream, waiting: Int) {
        session.noteMessageTrouble(
            "the client of the WebSocket \(channel.path) does not read: \(waiting) bytes wait, and it is reset")
    }

    func closing(_ cause: WebSocketEnd.Cause, code: Int, reason: String, on stream: WebSocketStream) {
        session.channels.unlist(channel)
    }

    func ended(_ end: WebSocketEnd, on stream: WebSocketStream) {
        session.channels.remove(channel, ChannelNote.End(end))
        if case .fault(let fault) = end.cause {
            session.noteMessageTrouble(
                "the WebSocket \(channel.path) was closed with \(fault.code), since its client broke the rules: \(fault.text)"
            )
        }
        if let request = channel.request { session.noteEnd(of: request, end) }
    }
}

extension ChannelNote.End {
    package init(_ end: WebSocketEnd) {
        let cause =
            switch end.cause {
            case .fault: "protocol error"
            case .client: "client"
            case .server: "server"
            case .idle: "idle"
            case .slowReader: "slow reader"
            case .gone: "gone"
            case .brokenOff: "broken off"
            case .stopped: "stopped"
            }
        self.init(code: end.code, reason: end.reason, cause: cause)
    }
}

extension Channel {
    /// The largest number of unanswered messages; past it, reading from the client is paused.
    private static let most = 64

    /// Queues a received message.
    /// - Returns: whether no earlier message is being processed.
    fileprivate func took(_ message: WebSocketMessage, on stream: WebSocketStream) -> Bool {
        let (isNew, isFree) = line.withLock { line in
            guard line.isOpen || line.stream != nil else { return (false, false) }
            line.inbox.append(message)
            if line.inbox.count > Self.most, !line.isPaused {
                line.isPaused = true
                stream.loop.perform { stream.pauseReading() }
            }
            defer { line.isBusy = true }
            return (line.stream == nil, !line.isBusy)
        }
        if isNew { attach(stream) }
        return isFree
    }

    /// The first unanswered message; nil for none, which ends the processing.
    /// - Parameter isDone: whether the previous first message is answered.
    fileprivate func firstMessage(isDone: Bool) -> WebSocketMessage? {
        let (message, script) = line.withLock { line -> (WebSocketMessage?, ChannelScript?) in
            if isDone, !line.inbox.isEmpty { line.inbox.removeFirst() }
            let script = isDone ? line.script : nil
            guard let first = line.inbox.first else {
                line.isBusy = false
                if line.isPaused, let stream = line.stream {
                    line.isPaused = false
                    stream.loop.perform { stream.resumeReading() }
                }
                return (nil, script)
            }
            return (first, script)
        }
        script?.answered()
        return message
    }

    fileprivate func doneWithFirst() {
        line.withLock { line in
            if !line.inbox.isEmpty { line.inbox.removeFirst() }
            return line.script
        }?.answered()
    }

    /// Runs work on the loop of the channel's stream, if it has one.
    func onLoop(_ work: @escaping @Sendable () -> Void) {
        line.withLock { $0.stream }?.loop.perform(work)
    }
}
