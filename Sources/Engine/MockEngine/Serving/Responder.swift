import HTTPMessages
import HTTPTransport
import StubModel
import Synchronization

/// Code that makes the response of a stub: for each request that was decided for it, outside of all locks.
protocol Responder: AnyObject, Sendable {
    /// Answers now, or takes the answer along to give it later. Called on the loop, which waits for it.
    func respond(to decision: inout Decision, _ answer: consuming Answer)
}

/// The right and the duty to answer a request that was decided, once. One that is dropped is answered 500.
struct Answer: ~Copyable {
    private let maker: ResponseMaker
    private var reply: Reply?

    init(_ maker: ResponseMaker, _ reply: consuming Reply) {
        self.maker = maker
        self.reply = consume reply
    }

    /// Answers with the stub's own status and headers.
    consuming func send(body: [UInt8]) {
        send(maker.stub.response.definition, body: body)
    }

    /// Answers with a status and headers that were made for this request. What the definition says of a body is not looked at.
    consuming func send(_ definition: ResponseDefinition, body: [UInt8]) {
        guard let reply = reply.take() else { return }
        maker.session.send(maker.script(definition, body), maker.event, reply)
    }

    /// Leaves the client waiting for an answer that is given later, on any thread. Until then it is in flight: it can be ended
    /// from outside, and ends when the client goes.
    consuming func later() -> LateAnswer {
        guard let reply = reply.take() else { preconditionFailure("an answer that was given") }
        return LateAnswer(maker, maker.session.activity.inFlight.hold(maker.event, reply))
    }

    deinit {
        guard let reply else { return }
        maker.session.send(maker.failure(), maker.event, reply)
    }
}

/// An answer that is given later, once: whoever comes first counts. Dropping the last reference answers 500.
final class LateAnswer: Sendable {
    private let maker: ResponseMaker
    private let stream: HeldStream
    private let isGiven = Atomic(false)

    fileprivate init(_ maker: ResponseMaker, _ stream: HeldStream) {
        self.maker = maker
        self.stream = stream
    }

    /// Answers with the stub's own status and headers.
    func send(body: [UInt8]) {
        send(maker.stub.response.definition, body: body)
    }

    /// Answers with a status and headers that were made for this request. What the definition says of a body is not looked at.
    func send(_ definition: ResponseDefinition, body: [UInt8]) {
        give { maker.script(definition, body) }
    }

    deinit {
        give { maker.failure() }
    }

    /// What comes behind the end is not sent, and not noted.
    private func give(_ script: () -> WireScript) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing), maker.event.end == nil else { return }
        stream.finish(script())
    }
}

/// What it takes to make the response to one request once its content is there.
struct ResponseMaker: Sendable {
    let session: Session
    let stub: CompiledStub
    let form: ResponseForm
    let event: ServeEvent
    let request: Request
    let extraHeaders: [(name: String, value: String)]

    init(
        _ session: Session, _ stub: CompiledStub, _ form: ResponseForm, _ event: ServeEvent, _ request: Request,
        _ extraHeaders: [(name: String, value: String)]
    ) {
        self.session = session
        self.stub = stub
        self.form = form
        self.event = event
        self.request = request
        self.extraHeaders = extraHeaders
    }

    /// Notes the response, and makes it ready to be sent.
    func script(_ definition: ResponseDefinition, _ body: [UInt8]) -> WireScript {
        let script = stub.response.rendered(definition, body: body, form, extraHeaders: extraHeaders)
        session.record(
            stub.response.served(definition, body: body, bodyLimit: session.keptBodyLimit), of: event)
        return session.delayed(script, event)
    }

    /// Notes that nobody gave an answer, and says so to the client.
    func failure() -> WireScript {
        session.recordFailure("no answer was given for it", of: event)
        let text = "The stub cannot be served: no answer was given for it\n"
        return session.plain(PlainResponse(status: 500, text: text), request)
    }
}
