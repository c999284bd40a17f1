import SDAnswering
package import SDChannels
package import SDHTTPMessages
package import SDHTTPTransport
import SDJournal
package import SDMatching
package import SDPlatform
import SDReports
import SDRequestTemplates
package import SDStubModel
package import SDWebSocket

/// WebSockets and other message channels of a session.
extension Session: ChannelSession {
    package var ofChannels: any ChannelSession { self }
    package var bodyFiles: any BodyFileSource { files }
    package var rendersMessages: Bool { options.response.templating != .off }
    package var loopLimit: UInt64 {
        min(options.matchBudget, shared.loopAllowance.limit(at: SystemCalls.monotonicNanoseconds()))
    }
    package var matchingThreads: WorkQueue { shared.matching }

    package func spentLoopLimit() { shared.loopAllowance.wasSpent() }

    package func noteMessageTrouble(_ text: String) { trouble?.advised(redaction.redactedURL(text)) }

    package func noteEnd(of opening: Request, _ end: WebSocketEnd) {
        activity.log?.ended(
            opening, bytesSent: end.bytesSent, ending: "WebSocket closed with \(end.code)", session: activity.label)
    }

    package func noteUnanswered(_ message: WebSocketMessage, on request: Request) {
        let text =
            message.kind == .text
            ? "`\(redaction.redacted(message: message.bytes, most: 200))`" : "\(message.bytes.count) bytes"
        noteRefusal(
            .message, String(decoding: request.path, as: UTF8.self), "no message stub answers \(text)",
            path: Array(request.path), logging: .once, nearest: { options.messageReporter(message, request, self) })
    }

    /// Answers a WebSocket upgrade: with the answer of a matching stub, or else with a channel.
    func serveUpgrade(_ request: Request, _ reply: consuming Reply) {
        guard request.method.elementsEqual("GET".utf8), !StaticFile.isAskedFor(request) else {
            return serveOrdinarily(request, reply)
        }
        switch hasOtherAnswer(to: request, worker: reply.worker, limit: loopLimit) {
        case true?: serveOrdinarily(request, reply)
        case false?: openChannel(request, reply)
        case nil:
            spentLoopLimit()
            let waiting = ReplyBox(reply)
            activity.beganMatching()
            shared.matching.add { [self] in
                guard let reply = waiting.take() else { return activity.endedMatching() }
                if hasOtherAnswer(to: request, worker: nil, limit: options.matchBudget) == false {
                    activity.endedMatching()
                    openChannel(request, reply)
                } else {
                    answerInBackground(request, notes: [], reply)
                }
            }
        }
    }

    private func openChannel(_ request: Request, _ reply: consuming Reply) {
        do throws(WebSocketOffer.Refusal) {
            channels.open(request, try WebSocketOffer(request), in: self, reply)
        } catch {
            var response = PlainResponse(status: error.status, text: error.text + "\n")
            response.headers += error.fields
            trouble?.advised("a WebSocket is refused: \(error.text)")
            reply.send(response.script(for: request))
        }
    }

    /// Adds or replaces a message stub.
    /// - Throws: what is wrong with its patterns.
    package func put(_ stub: MessageStub, keepsAge: Bool = false) throws(PatternProblems) {
        put(try CompiledMessageStub(stub, renders: rendersMessages), keepsAge: keepsAge)
    }

    package func put(_ compiled: CompiledMessageStub, keepsAge: Bool = false) {
        channels.put(compiled, keepsAge: keepsAge)
        if compiled.isForRequests { actOnRequests() }
        if compiled.isInterval { channels.startIntervals(in: self) }
    }

    /// Compiles a message stub of a file; on failure returns the problems with their pointers in the stub.
    package func prepared(
        _ stub: MessageStub, of file: String, line: Int
    ) -> (stub: CompiledMessageStub?, problems: [(pointer: String, message: String)]) {
        do throws(PatternProblems) {
            let compiled = try CompiledMessageStub(stub, file: file, line: line, renders: rendersMessages)
            let problems = compiled.problems
            return (problems.isEmpty ? compiled : nil, problems)
        } catch {
            return (nil, error.problems.map { ($0.pointer, $0.message) })
        }
    }

    /// The number of message stubs.
    package var messageStubCount: Int { channels.stubs.count }

    /// All message stubs, each with its reference.
    package var messageReferences: [(reference: StubReference, stub: MessageStub)] {
        channels.stubs.map { ($0.reference, $0.stub) }
    }

    /// The files that have message stubs.
    package var messageFiles: [String] { channels.files }

    /// Replaces the message stubs of a file; nil if the file was removed.
    package func setMessageFile(_ name: String, _ stubs: [CompiledMessageStub]?) {
        channels.setFile(name, stubs)
        if stubs?.contains(where: \.isForRequests) == true { actOnRequests() }
        if stubs?.contains(where: \.isInterval) == true { channels.startIntervals(in: self) }
    }

    /// Lets message stubs act on HTTP requests from now on, here and in sessions that inherit them.
    func actOnRequests() {
        activity.add(requestTriggers)
        guard parent == nil else { return }
        for session in shared.inheritors() ?? [] { session.activity.add(session.requestTriggers) }
    }
}

extension SessionRegistry {
    /// Closes the channels of all sessions because the server stops.
    public func closeChannels() {
        for session in [base] + all.map(\.session) { session.channels.close(1001, "the server ends") }
    }
}

/// Runs message stubs that HTTP requests trigger.
final class RequestTriggers: SessionListener {
    private let session = SettableClosure<Session?>()

    func follow(_ session: Session) { self.session.set { [weak session] in session } }

    func recorded(_ event: ServeEvent) {
        guard case let session?? = session() else { return }
        session.channels.recorded(
            event.request, stub: event.extras?.owner?.mapping.id ?? event.stub?.id, in: session)
    }

    var keepsInUse: Bool { false }
}
