import SDJSON
package import SDMatching
import SDPlatform
import SDRequestTemplates
package import SDStubModel
import SDTemplating
import SDWebSocket

/// A compiled message stub.
package final class CompiledMessageStub: Sendable {
    package let stub: MessageStub
    /// The file that states it; nil for a stub of the admin API.
    package let file: String?
    /// The line on which it begins in the file, from 1.
    private let line: Int?
    /// The number of stubs that were added before.
    let age: UInt64
    let trigger: Trigger
    /// Its actions: one list, or those of its sequence.
    let scripts: [[CompiledMessageAction]]

    enum Trigger: Sendable {
        case message(CompiledChannelPattern?, CompiledMessagePattern?)
        case stub(StubMapping.ID?)
        case request(CompiledPattern)
        case open(CompiledChannelPattern?, protocols: [String], ChannelClose?)
        /// The time between two acts, in milliseconds.
        case interval(Int, CompiledChannelPattern?)
    }

    /// - Parameter renders: whether texts are templates.
    /// - Throws: what is wrong with its patterns.
    package init(
        _ stub: MessageStub, age: UInt64 = 0, file: String? = nil, line: Int? = nil, renders: Bool = true
    ) throws(PatternProblems) {
        self.stub = stub
        self.age = age
        self.file = file
        self.line = line
        switch stub.trigger {
        case .message(let channel, let message):
            var compiled: (CompiledChannelPattern?, CompiledMessagePattern?)
            if let channel { compiled.0 = try CompiledChannelPattern(channel, at: "/trigger/channel") }
            if let message { compiled.1 = try CompiledMessagePattern(message, at: "/trigger/message") }
            trigger = .message(compiled.0, compiled.1)
        case .httpStub(let id): trigger = .stub(id)
        case .httpRequest(let pattern):
            trigger = .request(try CompiledPattern(pattern ?? RequestPattern(), at: "/trigger/requestPattern"))
        case .open(let channel, let protocols, let close):
            trigger = .open(try Self.channels(channel), protocols: protocols, close)
        case .interval(let every, let channel): trigger = .interval(every, try Self.channels(channel))
        }
        let channel: CompiledChannelPattern? =
            switch trigger {
            case .message(let channel, _), .open(let channel, _, _), .interval(_, let channel): channel
            case .stub, .request: nil
            }
        var scripts: [[CompiledMessageAction]] = []
        for (number, actions) in stub.scripts.enumerated() {
            var script: [CompiledMessageAction] = []
            for (index, action) in actions.enumerated() {
                let place = stub.sequence.isEmpty ? "/actions/\(index)" : "/sequence/\(number)/\(index)"
                script.append(try CompiledMessageAction(action, of: channel, at: place, renders: renders))
            }
            scripts.append(script)
        }
        self.scripts = scripts
    }

    private static func channels(_ pattern: ChannelPattern?) throws(PatternProblems) -> CompiledChannelPattern? {
        guard let pattern else { return nil }
        return try CompiledChannelPattern(pattern, at: "/trigger/channel")
    }

    /// The problems of its actions, with their pointers.
    package var problems: [(pointer: String, message: String)] {
        let answers = if case .message = trigger { true } else { false }
        return scripts.enumerated().flatMap { number, actions in
            actions.enumerated().compactMap { index, action in
                let place = stub.sequence.isEmpty ? "/actions/\(index)" : "/sequence/\(number)/\(index)"
                return action.problem(answers: answers).map { (place + $0.pointer, $0.message) }
            }
        }
    }

    private init(_ other: CompiledMessageStub, age: UInt64) {
        stub = other.stub
        file = other.file
        line = other.line
        trigger = other.trigger
        scripts = other.scripts
        self.age = age
    }

    /// The same stub with another age.
    func aged(_ age: UInt64) -> CompiledMessageStub { CompiledMessageStub(self, age: age) }

    package var priority: Int { stub.priority ?? StubMapping.defaultPriority }

    /// Whether it takes precedence over another stub.
    func precedes(_ other: CompiledMessageStub) -> Bool {
        priority == other.priority ? age > other.age : priority < other.priority
    }

    /// Whether its actions may take longer than a loop has time for, whatever the message.
    var isSlow: Bool { scripts.contains { $0.contains { $0.isSlow } } }

    /// Whether it states how a message is delivered.
    var saysDelivery: Bool { scripts.contains { $0.contains { $0.delivery != nil } } }

    /// The names of the gates at which its messages wait.
    package var gates: [String] { scripts.flatMap { $0.compactMap { $0.delivery?.hold?.gate } } }

    /// Whether HTTP requests trigger it.
    package var isForRequests: Bool {
        switch trigger {
        case .stub, .request: true
        case .message, .open, .interval: false
        }
    }

    package func matches(_ views: inout MessageViews) -> Bool {
        guard case .message(let channel, let message) = trigger else { return false }
        return (channel?.matches(&views) ?? true) && (message?.matches(&views) ?? true)
    }

    /// The stub's reference, by which its author finds it.
    package var reference: StubReference {
        StubReference(id: stub.id, name: stub.name, file: file, line: line, key: stub.key)
    }

    /// Its conditions on a message, as a request pattern: that of the channel's opening request, if any, with the
    /// condition on the message as body pattern. Nil for a stub that does not act on messages of such channels.
    package func wanted(onFixedChannel isFixed: Bool) -> RequestPattern? {
        guard case .message(let channel, let message) = stub.trigger else { return nil }
        var pattern = RequestPattern()
        switch channel {
        case .fixed?: guard isFixed else { return nil }
        case .websocket(let request)?:
            guard !isFixed else { return nil }
            pattern = request ?? message?.channel ?? RequestPattern()
        case nil:
            guard !isFixed || message?.channel == nil else { return nil }
            pattern = message?.channel ?? RequestPattern()
        }
        pattern.bodyPatterns = message?.body.map { [$0] } ?? []
        return pattern
    }

    /// The pattern whose path variables its channels have.
    var openingPattern: CompiledPattern? {
        switch trigger {
        case .message(let channel, _), .open(let channel, _, _), .interval(_, let channel): channel?.request
        case .stub: nil
        case .request(let pattern): pattern
        }
    }
}

/// A compiled action of a message stub.
struct CompiledMessageAction: Sendable {
    let content: Content
    let target: Target
    let parameters: TemplateValue
    /// How the message is delivered; nil for at once and unchanged.
    let delivery: MessageDelivery?

    enum Content: Sendable {
        case constant(WebSocketMessage)
        case text(Template)
        /// A JSON document whose texts are templates.
        case json(Template)
        case file(String)
        case impossible(String)
        /// The received message.
        case echo
        /// Close the channel.
        case close(Int, reason: Template?)
    }

    enum Target: Sendable {
        case originating
        case opened(CompiledPattern?)
        /// Channels of a kind that requests do not open.
        case nowhere
        case fixed(provider: String, name: String)
        case room(ChannelRoom)
    }

    /// - Parameter channels: the channels of the stub's trigger.
    init(
        _ action: MessageAction, of channels: CompiledChannelPattern?, at pointer: String, renders: Bool
    ) throws(PatternProblems) {
        var content = Content(action, renders: renders)
        switch action.channelTarget {
        case .originating: target = .originating
        case .requestInitiated("fixed"?, _): target = .nowhere
        case .requestInitiated(_, let pattern?):
            target = .opened(try CompiledPattern(pattern, at: pointer + "/channelTarget/requestPattern"))
        case .requestInitiated(_, nil): target = .opened(nil)
        case .fixedChannel(let provider, let name): target = .fixed(provider: provider ?? "", name: name ?? "")
        case .room(let name, let others):
            var template: Template?
            do throws(TemplateError) {
                template = try name.map { (text) throws(TemplateError) in try Template(text) }
            } catch {
                content = .impossible("\(error)")
            }
            target = .room(ChannelRoom(channels, template, others == true))
        }
        self.content = content
        parameters = ResponseModel.parameters(action.transformerParameters)
        delivery = try MessageDelivery(action, at: pointer)
    }

    /// Why the action is impossible.
    /// - Parameter answers: whether a message triggers it.
    func problem(answers: Bool) -> (pointer: String, message: String)? {
        switch content {
        case .impossible(let reason): ("/message/body", reason)
        case .echo where !answers: ("/type", "there is no message to send back: only a message's stub has an echo")
        default: nil
        }
    }

    var isSlow: Bool {
        if case .file = content { return true }
        if case .fixed = target { return true }
        return false
    }
}

extension CompiledMessageAction.Content {
    /// - Parameter renders: whether texts are templates.
    init(_ action: MessageAction, renders: Bool) {
        switch action.kind {
        case .echo:
            self = .echo
            return
        case .close:
            do throws(TemplateError) {
                let reason = action.reason
                self = .close(
                    action.code ?? 1000, reason: try reason.map { (text) throws(TemplateError) in try Template(text) })
            } catch {
                self = .impossible("\(error)")
            }
            return
        case .send: break
        }
        guard let body = action.message?.body else {
            self = .impossible("the message has no body")
            return
        }
        do throws(TemplateError) {
            switch body.content {
            case .text(let text):
                let template = renders ? try Template(text) : Template(plain: text)
                self = template.isPlain ? .constant(.text(text)) : .text(template)
            case .json(let value):
                let template = renders ? try Template(json: value, keepsTypes: body.isCompact) : nil
                let plain = WebSocketMessage(.text, body.isCompact ? Array(value.compactText.utf8) : value.prettyBytes)
                let rendered: Self? = template.map { body.isCompact ? .text($0) : .json($0) }
                self = template?.isPlain == false ? rendered ?? .constant(plain) : .constant(plain)
            case .bytes(let bytes): self = .constant(.binary(bytes))
            case .file(let path): self = .file(path)
            case .stored(let store, let key):
                self = .impossible("there is no value \(key) in a store named \(store)")
            }
        } catch {
            self = .impossible("\(error)")
        }
    }
}
