import SDHTTPTransport
package import SDMatching
package import SDPlatform
package import SDStubModel
package import SDWebSocket

/// A compiled pattern of a message and its channel.
package struct CompiledMessagePattern: Sendable {
    private let channel: CompiledPattern?
    private let body: CompiledMatcher?

    /// - Parameter pointer: the pattern's pointer in its document.
    /// - Throws: all problems of the first member that has any.
    package init(_ pattern: MessagePattern, at pointer: String) throws(PatternProblems) {
        if let channel = pattern.channel {
            self.channel = try CompiledPattern(channel, at: pointer + "/channel")
        } else {
            channel = nil
        }
        if let body = pattern.body {
            self.body = try CompiledMatcher(body, at: pointer + "/body")
        } else {
            body = nil
        }
    }

    package func matches(_ views: inout MessageViews) -> Bool {
        if let channel {
            guard case .webSocket(let request) = views.channel.kind, channel.matches(request, &views.request)
            else { return false }
        }
        return body?.matches(views.text, now: views.now) ?? true
    }
}

/// A compiled pattern of channels.
struct CompiledChannelPattern: Sendable {
    private let kind: Kind

    private enum Kind: Sendable {
        case webSocket(CompiledPattern?)
        case fixed(provider: String?, name: CompiledMatcher?)
    }

    init(_ pattern: ChannelPattern, at pointer: String) throws(PatternProblems) {
        switch pattern {
        case .websocket(let request?):
            kind = .webSocket(try CompiledPattern(request, at: pointer + "/initiatingRequestPattern"))
        case .websocket(nil): kind = .webSocket(nil)
        case .fixed(let provider, let name?):
            kind = .fixed(provider: provider, name: try CompiledMatcher(name, at: pointer + "/channelName"))
        case .fixed(let provider, nil): kind = .fixed(provider: provider, name: nil)
        }
    }

    /// The pattern of the request that opens a channel.
    var request: CompiledPattern? { if case .webSocket(let request) = kind { request } else { nil } }

    /// Whether a WebSocket with this opening request matches.
    func matches(_ request: Request, _ views: inout RequestViews) -> Bool {
        guard case .webSocket(let pattern) = kind else { return false }
        return pattern?.matches(request, &views) ?? true
    }

    func matches(_ views: inout MessageViews) -> Bool {
        switch (kind, views.channel.kind) {
        case (.webSocket(let pattern), .webSocket(let request)):
            return pattern?.matches(request, &views.request) ?? true
        case (.fixed(let provider, let matcher), .fixed(let own, let name)):
            guard provider == nil || provider == own.name else { return false }
            return matcher?.matches(Array(name.utf8), now: views.now, views.budget) ?? true
        default: return false
        }
    }
}

/// A message for matching: each part is decoded once for all patterns.
package struct MessageViews {
    let channel: Channel
    private let message: WebSocketMessage
    private var known: MatchedText?
    let now: UInt64
    let budget: WorkBudget
    /// The opening request of the channel.
    var request: RequestViews

    package init(_ message: WebSocketMessage, on channel: Channel, now: UInt64, _ budget: WorkBudget) {
        self.channel = channel
        self.now = now
        self.budget = budget
        self.message = message
        if case .webSocket(let opening) = channel.kind {
            request = RequestViews(opening, budget: budget)
        } else {
            request = RequestViews(now: now, budget)
        }
        request.wallTime = now
    }

    var text: MatchedText {
        mutating get {
            if let known { return known }
            let text = MatchedText(message.bytes, isText: message.kind == .text, budget)
            known = text
            return text
        }
    }
}
