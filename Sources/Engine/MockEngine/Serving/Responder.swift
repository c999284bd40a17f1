import HTTPMessages
import HTTPTransport
import Matching
import StubModel
import Synchronization

/// Code that makes the responses of a stub, for each request that the stub answers, outside of all locks.
protocol Responder: AnyObject, Sendable {
    /// Answers at once, or keeps `answer` to give it later. Called on the loop, which waits until this returns, or on the thread that matched the request.
    func respond(to decision: inout Decision, _ answer: consuming Answer)
}

/// The right and the duty to answer a request once. If it is dropped unanswered, the client gets a 500.
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

    /// Answers with a status and headers made for this request. The body fields of the definition are ignored.
    consuming func send(_ definition: ResponseDefinition, body: [UInt8]) {
        guard let reply = reply.take() else { return }
        maker.session.send(maker.script(definition, body), maker.event, reply)
    }

    var session: Session { maker.session }
    var pattern: CompiledPattern { maker.stub.pattern }

    /// Answers with a 500, because the response cannot be made.
    /// - Parameter text: why, as a clause.
    consuming func fail(_ text: String) {
        guard let reply = reply.take() else { return }
        maker.session.send(maker.failure(text), maker.event, reply)
    }

    /// Keeps the client waiting for an answer that is given later, on any thread. Until then it is in flight: it can be
    /// ended from outside, and ends if the client closes the connection.
    consuming func later() -> LateAnswer {
        guard let reply = reply.take() else { preconditionFailure("an answer that was given") }
        return LateAnswer(maker, maker.session.activity.inFlight.hold(maker.event, reply))
    }

    deinit {
        guard let reply else { return }
        maker.session.send(maker.failure(), maker.event, reply)
    }
}

/// An answer that is given later, once; only the first call counts. Dropping the last reference sends a 500.
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

    /// Answers with a status and headers made for this request. The body fields of the definition are ignored.
    func send(_ definition: ResponseDefinition, body: [UInt8]) {
        give { maker.script(definition, body) }
    }

    var pattern: CompiledPattern { maker.stub.pattern }

    /// Answers with a 500, because the response cannot be made.
    func fail(_ text: String) {
        give { maker.failure(text) }
    }

    deinit {
        give { maker.failure() }
    }

    /// Finishes the stream. After its end nothing is sent or recorded.
    private func give(_ script: () -> WireScript) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing), maker.event.end == nil else { return }
        stream.finish(script())
    }
}

/// The data for making the response to one request once its content is available.
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

    /// Records the response, and makes the script that sends it.
    func script(_ definition: ResponseDefinition, _ body: [UInt8]) -> WireScript {
        if let problem = session.tell(stub, event, request, definition, body) { return failure(problem) }
        let (script, served) = stub.response.rendered(
            definition, body: body, form, extraHeaders: extraHeaders, bodyLimit: session.keptBodyLimit)
        session.record(served, of: event)
        return session.shaped(script, event)
    }

    /// Records that no answer could be given, and makes the script that tells the client.
    func failure(_ reason: String = "no answer was given for it") -> WireScript {
        session.recordFailure(reason, of: event)
        return session.plain(
            PlainResponse(status: 500, text: "The stub cannot be served: \(reason)\n"), request)
    }
}
