package import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDMatching
import SDOutgoingCalls
import SDPlatform
package import SDStubModel
package import SDUpstream
import Synchronization

/// Makes the responses of a stub, for each request that the stub answers, outside of all locks. A responder that waits
/// for an external event keeps its `Answer`, and watches the event on its `loop`.
package protocol Responder: AnyObject, Sendable {
    /// Answers at once, or stores `answer` for later. Called on the loop, which is blocked meanwhile, or on the thread
    /// that matched the request.
    func respond(to decision: inout Decision, _ answer: consuming Answer)
    /// Whether it answers requests before their bodies have arrived, and reads `Request.bodyStream`.
    /// - Parameters:
    ///   - head: the request without its body.
    ///   - isLong: false for a body of unknown length that has not started.
    ///   - upstream: makes the calls to other servers.
    func takesBodyStream(of head: Request, isLong: Bool, _ upstream: Upstream) -> Bool
}

extension Responder {
    package func takesBodyStream(of head: Request, isLong: Bool, _ upstream: Upstream) -> Bool { false }
}

/// The channel to a client: the reply to a request that was just decided, or a stream that was held for its answer.
package enum AnswerChannel: ~Copyable {
    case reply(Reply)
    case held(StreamingReply)

    package var loop: Loop {
        switch self {
        case .reply(let reply): reply.loop
        case .held(let stream): stream.loop
        }
    }
}

/// Must be used to answer a request exactly once. If it is dropped unanswered, the client gets a 500.
package struct Answer: ~Copyable {
    package private(set) var maker: ResponseMaker
    private var channel: AnswerChannel?

    package init(_ maker: consuming ResponseMaker, _ channel: consuming AnswerChannel) {
        self.maker = consume maker
        self.channel = consume channel
    }

    /// Answers with the stub's own status and headers.
    /// - Parameter warning: what is wrong with the response, without a full stop; nil for nothing.
    package consuming func send(body: [UInt8], warning: String? = nil) {
        guard let channel = channel.take() else { return }
        maker.warning = warning
        if maker.isLong(nil, body) {
            maker.sendInBackground(nil, body, to: channel)
        } else {
            maker.session.send(maker.script(body), maker.event, to: channel)
        }
    }

    /// Answers with a status and headers made for this request. The body fields of the definition are ignored.
    /// - Parameter warning: what is wrong with the response, without a full stop; nil for nothing.
    package consuming func send(_ definition: ResponseDefinition, body: [UInt8], warning: String? = nil) {
        guard let channel = channel.take() else { return }
        maker.warning = warning
        if maker.isLong(definition, body) {
            maker.sendInBackground(definition, body, to: channel)
        } else {
            maker.session.send(maker.script(definition, body), maker.event, to: channel)
        }
    }

    /// Answers with content that may be in a file.
    /// - Parameter shared: what events share about this content; nil for content of this request alone.
    package consuming func send(
        _ definition: ResponseDefinition, _ content: BodyContent, isFile: Bool = false, shared: SharedBody? = nil
    ) {
        guard let channel = channel.take() else { return }
        let script = maker.script(definition, content, isFile: isFile, shared: shared)
        maker.session.send(script, maker.event, to: channel)
    }

    /// Answers with a script.
    /// - Parameter served: the response as the event stores it.
    package consuming func send(_ script: WireScript, _ served: ServedResponse) {
        guard let channel = channel.take() else { return }
        maker.session.record(served, of: maker.event)
        maker.session.send(maker.session.shaped(script, maker.event), maker.event, to: channel)
    }

    /// Returns the stream, for an answer in parts.
    /// - Parameter served: the response as the event stores it.
    package consuming func stream(_ served: ServedResponse) -> StreamingReply {
        guard let channel = channel.take() else { preconditionFailure("an answer that was given") }
        maker.session.record(served, of: maker.event)
        return maker.session.stream(maker.event, from: channel)
    }

    /// The loop of the client's connection.
    package var loop: Loop {
        switch channel {
        case .some(let channel): channel.loop
        case .none: preconditionFailure("an answer that was given")
        }
    }

    package var session: any AnsweringSession { maker.session }
    package var pattern: CompiledPattern { maker.stub.pattern }

    /// Answers with a 500, because the response cannot be made.
    /// - Parameter text: the reason, as a clause.
    package consuming func fail(_ text: String) {
        guard let channel = channel.take() else { return }
        maker.session.send(maker.failure(text), maker.event, to: channel)
    }

    /// Answers that the request could not be proxied, and marks it as failed.
    consuming func fail(_ failure: ProxyFailure) {
        guard let channel = channel.take() else { return }
        maker.session.send(maker.failure(failure), maker.event, to: channel)
    }

    /// Returns the channel to the client, for another answer.
    consuming func claimChannel() -> AnswerChannel {
        guard let channel = channel.take() else { preconditionFailure("an answer that was given") }
        return channel
    }

    /// Keeps the client waiting for an answer that is made later, on any thread but a loop's. Until then it is in
    /// flight: it can be ended from outside, and ends if the client closes the connection.
    package consuming func deferredAnswer() -> DeferredAnswer {
        guard let channel = channel.take() else { preconditionFailure("an answer that was given") }
        return DeferredAnswer(maker.offLoop, maker.session.stream(maker.event, from: channel))
    }

    deinit {
        guard let channel else { return }
        maker.session.send(maker.failure(), maker.event, to: channel)
    }
}

/// An answer that is made later, once; only the first call counts. Dropping the last reference sends a 500.
package final class DeferredAnswer: Sendable {
    private let maker: ResponseMaker
    private let stream: StreamingReply
    private let isGiven = Atomic(false)

    fileprivate init(_ maker: ResponseMaker, _ stream: StreamingReply) {
        self.maker = maker
        self.stream = stream
    }

    /// Answers with a status and headers made for this request, or without a definition with the stub's own. The body
    /// fields of the definition are ignored.
    /// - Parameter warning: what is wrong with the response, without a full stop; nil for nothing.
    package func send(_ definition: ResponseDefinition? = nil, body: [UInt8], warning: String? = nil) {
        var maker = maker
        maker.warning = warning
        finish { maker.script(definition, body) }
    }

    /// Answers with content that may be in a file.
    package func send(_ definition: ResponseDefinition, _ content: BodyContent) {
        finish { maker.script(definition, content) }
    }

    package var pattern: CompiledPattern { maker.stub.pattern }

    /// The loop of the client's connection.
    package var loop: Loop { stream.loop }

    /// Calls `work` once when the answer ends, for example because the client disconnects, or at once if it has ended.
    func whenEnded(_ work: @escaping @Sendable () -> Void) {
        maker.session.activity.inFlight.whenEnded(maker.event, work)
    }

    /// Answers with a 500, because the response cannot be made.
    package func fail(_ text: String) {
        finish { maker.failure(text) }
    }

    deinit {
        finish { maker.failure() }
    }

    /// Finishes the stream. After that, nothing is sent or recorded.
    private func finish(_ script: () -> WireScript) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing), maker.event.end == nil else { return }
        stream.finish(script())
    }
}

/// The data for making the response to one request once its content is available.
package struct ResponseMaker: Sendable {
    package let session: any AnsweringSession
    package let stub: CompiledStub
    package let form: ResponseVariant
    package let event: ServeEvent
    package let request: Request
    package let extraHeaders: [(name: String, value: String)]
    /// What is wrong with the response although it is sent; nil for nothing.
    package var warning: String?
    /// Whether there is only a loop's time.
    private(set) var isOnLoop: Bool

    package init(
        _ session: any AnsweringSession, _ stub: CompiledStub, _ form: ResponseVariant, _ event: ServeEvent,
        _ request: Request,
        _ extraHeaders: [(name: String, value: String)], isOnLoop: Bool
    ) {
        self.session = session
        self.stub = stub
        self.form = form
        self.event = event
        self.request = request
        self.extraHeaders = extraHeaders
        self.isOnLoop = isOnLoop
    }

    /// The same maker for a background thread.
    fileprivate var offLoop: ResponseMaker {
        var maker = self
        maker.isOnLoop = false
        return maker
    }

    /// Whether making the response with this body takes longer than the available time.
    package func isLong(_ definition: ResponseDefinition?, _ body: [UInt8]) -> Bool {
        guard isOnLoop, body.count > BodyBytes.maxOnLoop else { return false }
        return stub.tellsBefore || form.contains(.gzip) && stub.response.isCompressed(definition, form)
    }

    /// Records the response with the status and headers of the definition, or of the stub if it is nil, and makes its
    /// script.
    package func script(_ definition: ResponseDefinition?, _ body: [UInt8]) -> WireScript {
        if let definition { script(definition, .bytes(body)) } else { script(body) }
    }

    /// Records the response with the stub's own status and headers, and makes its script.
    func script(_ body: [UInt8]) -> WireScript {
        guard !stub.tellsBefore, extraHeaders.isEmpty, let frame = stub.response.frame(form) else {
            return script(stub.response.definition, .bytes(body))
        }
        record(frame.served(body, bodyLimit: session.keptBodyLimit), isShared: false)
        return session.shaped(frame.script(body), event)
    }

    /// Records the response, and makes its script.
    /// - Parameter shared: what events share about this content; nil for content of this request alone.
    package func script(
        _ whole: ResponseDefinition, _ content: BodyContent, isFile: Bool = false, shared: SharedBody? = nil
    ) -> WireScript {
        let told = content.isInMemory ? Int.max : Self.maxToldOfFile
        let problem = session.notifyListeners(stub, event, request, whole, isOnLoop: isOnLoop, content.prefix(told))
        if let problem { return failure(problem) }
        var (definition, parts, form, shared) = (whole, [content], form, shared)
        if let known = definition.notModified(for: request) { (definition, parts, shared) = (known, [], nil) }
        if definition.ranges == true, let part = RangedPart(of: content, definition, request) {
            (definition, parts, shared) = (part.definition, part.content, nil)
            form.remove(.gzip)
        }
        let (script, served) = stub.response.rendered(
            definition, parts, form, isFile: isFile, extraHeaders: extraHeaders, bodyLimit: session.keptBodyLimit,
            shared: shared)
        record(served)
        return session.shaped(script, event)
    }

    private func record(_ served: ServedResponse, isShared: Bool = true) {
        session.record(warning.map { served.with(warning: $0) } ?? served, of: event, isShared: isShared)
    }

    /// The largest part that listeners get of a body file that is not in memory, in bytes: its beginning.
    private static let maxToldOfFile = 1 << 20

    /// Records that no answer could be made, and makes the script with the error.
    package func failure(_ reason: String = "no answer was given for it") -> WireScript {
        session.recordFailure(reason, of: event)
        return session.plain(
            PlainResponse(status: 500, text: "The stub cannot be served: \(reason)\n"), request)
    }
}

extension ResponseMaker {
    /// Records that the request could not be proxied, and makes the script with the error.
    func failure(_ failure: ProxyFailure) -> WireScript {
        session.recordFailure(failure.served, of: event)
        return session.plain(failure.response, request)
    }

    /// Makes and sends a response on another thread.
    func sendInBackground(_ definition: ResponseDefinition?, _ body: [UInt8], to channel: consuming AnswerChannel) {
        let maker = offLoop
        switch consume channel {
        case .reply(let reply):
            let waiting = ReplyBox(reply)
            session.matching.add {
                guard let reply = waiting.take() else { return }
                session.send(maker.script(definition, body), event, reply)
                session.keepJournalsWithinLimit()
            }
        case .held(let stream):
            session.matching.add {
                // The client may have disconnected.
                guard event.end == nil else { return }
                stream.finish(maker.script(definition, body))
            }
        }
    }
}
